//! The day of a game as PGN writes it: `2026.03.12`, with question marks for unknown parts.

/// The names of the months in the languages of sheets.
const MONTHS: [&str; 12] = [
    "january januar januari jan",
    "february februar februari feb",
    "march märz maerz marts mars mar mär mrz",
    "april apr",
    "may mai maj",
    "june juni jun",
    "july juli jul",
    "august augusti aug",
    "september sep sept",
    "october oktober oct okt",
    "november nov",
    "december dezember dec dez",
];

/// Returns a date as PGN writes it, if it can be read in one way only. In `12/03/2026` and
/// `12-03-2026` the day comes first in some countries and the month in others. With dots the day
/// comes first.
pub(super) fn in_pgn(written: &str) -> Option<String> {
    let written = written.trim();
    let is_pgn = |(at, sign): (usize, char)| match at {
        4 | 7 => sign == '.',
        _ => sign.is_ascii_digit() || sign == '?',
    };
    if written.len() == 10 && written.contains('?') && written.char_indices().all(is_pgn) {
        return Some(written.to_owned());
    }
    let signs: Vec<char> = written
        .chars()
        .filter(|sign| "./-".contains(*sign))
        .collect();
    let parts: Vec<&str> = written
        .split(|sign: char| sign.is_whitespace() || "./-,".contains(sign))
        .filter(|part| !part.is_empty())
        .collect();
    let number = |part: &str| -> Option<u32> {
        let is_plain = part.len() <= 4 && part.bytes().all(|sign| sign.is_ascii_digit());
        part.parse().ok().filter(|_| is_plain)
    };
    let year = |part: &str| number(part).filter(|_| part.len() == 4);
    let short = |part: &str| number(part).filter(|_| part.len() <= 2);
    match *parts.as_slice() {
        [one] => Some(format!("{:04}.??.??", year(one)?)),
        [one, other] => {
            let (year, month) = match (year(one), year(other)) {
                (Some(year), None) => (year, month(other).or_else(|| short(other))?),
                (None, Some(year)) => (year, month(one).or_else(|| short(one))?),
                _ => return None,
            };
            (1..=12)
                .contains(&month)
                .then(|| format!("{year:04}.{month:02}.??"))
        }
        [one, two, three] => match (month(one), month(two), year(one), year(three)) {
            (None, None, Some(year), None) => of_day(year, short(two)?, short(three)?),
            (None, None, None, Some(year)) => {
                let (first, second) = (short(one)?, short(two)?);
                let is_day_first = signs.iter().all(|sign| *sign == '.');
                match (of_day(year, second, first), of_day(year, first, second)) {
                    (day_first, _) if is_day_first => day_first,
                    (Some(one), Some(other)) if one != other => None,
                    (day_first, month_first) => day_first.or(month_first),
                }
            }
            (Some(month), None, None, Some(year)) => of_day(year, month, short(two)?),
            (None, Some(month), None, Some(year)) => of_day(year, month, short(one)?),
            (None, Some(month), Some(year), None) => of_day(year, month, short(three)?),
            _ => None,
        },
        _ => None,
    }
}

fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let at = MONTHS
        .iter()
        .position(|names| names.split(' ').any(|name| name == word))?;
    u32::try_from(at + 1).ok()
}

/// Returns a date, if the month has such a day.
fn of_day(year: u32, month: u32, day: u32) -> Option<String> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days)
        .contains(&day)
        .then(|| format!("{year:04}.{month:02}.{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_that_can_be_read_in_one_way_is_written_as_the_standard_has_it() {
        for (written, expected) in [
            ("2026.03.12", "2026.03.12"),
            ("2026.3.12", "2026.03.12"),
            ("2026-03-12", "2026.03.12"),
            ("2026/03/12", "2026.03.12"),
            ("12.03.2026", "2026.03.12"),
            ("12. 3. 2026", "2026.03.12"),
            ("12. März 2026", "2026.03.12"),
            ("12 mars 2026", "2026.03.12"),
            ("March 12, 2026", "2026.03.12"),
            ("2026 Mar 12", "2026.03.12"),
            ("13/03/2026", "2026.03.13"),
            ("03-13-2026", "2026.03.13"),
            ("05/05/2026", "2026.05.05"),
            ("29.02.2024", "2024.02.29"),
            ("2026", "2026.??.??"),
            ("2026-03", "2026.03.??"),
            ("März 2026", "2026.03.??"),
            ("2026.??.??", "2026.??.??"),
            ("????.??.??", "????.??.??"),
        ] {
            assert_eq!(in_pgn(written).as_deref(), Some(expected), "{written}");
        }
    }

    #[test]
    fn what_may_be_another_day_or_is_none_is_no_date() {
        for written in [
            "12/03/2026",
            "03-12-2026",
            "12.03.26",
            "31.02.2026",
            "29.02.2026",
            "2026.13.01",
            "2026.00.10",
            "13.13.2026",
            "12.03.2026 19:30",
            "Easter 2026",
            "Runde 3",
            "?",
            "",
            "....",
            "20260312",
            "März März 2026",
            "٣.٣.٢٠٢٦",
        ] {
            assert_eq!(in_pgn(written), None, "{written}");
        }
    }
}
