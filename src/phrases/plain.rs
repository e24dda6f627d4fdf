//! Removes invisible characters from text of outside origin. Characters that reverse the writing
//! direction or hide inside a name can make a line look different from what it is.

/// Returns the text in one line, with a space for each control character and without format
/// characters.
pub fn plain(text: &str) -> String {
    let seen = text.chars().filter(|letter| !is_format(*letter));
    seen.map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// Returns whether a character only changes how others are written: directions, joiners, marks,
/// tags. Their general category in Unicode is Cf.
const fn is_format(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_left_out() {
        for (text, said) in [
            ("er hat \u{202e}gezogen\u{202c}", "er hat gezogen"),
            ("Ka\u{200b}rl\u{feff}", "Karl"),
            ("a\tb\u{7}c  d", "a b c  d"),
            ("\u{2066}Zoë\u{2069} Nguyễn", "Zoë Nguyễn"),
            ("\u{202e}", ""),
        ] {
            assert_eq!(plain(text), said);
        }
    }
}
