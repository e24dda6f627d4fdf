//! Names of other alphabets in Latin letters, for Braille: it has no cells for both at once.

/// Cyrillic letters, small, as passports write them.
const CYRILLIC: [(char, &str); 38] = [
    ('а', "a"),
    ('б', "b"),
    ('в', "v"),
    ('г', "g"),
    ('д', "d"),
    ('е', "e"),
    ('ё', "e"),
    ('ж', "zh"),
    ('з', "z"),
    ('и', "i"),
    ('й', "i"),
    ('к', "k"),
    ('л', "l"),
    ('м', "m"),
    ('н', "n"),
    ('о', "o"),
    ('п', "p"),
    ('р', "r"),
    ('с', "s"),
    ('т', "t"),
    ('у', "u"),
    ('ф', "f"),
    ('х', "kh"),
    ('ц', "ts"),
    ('ч', "ch"),
    ('ш', "sh"),
    ('щ', "shch"),
    ('ъ', "ie"),
    ('ы', "y"),
    ('ь', ""),
    ('э', "e"),
    ('ю', "iu"),
    ('я', "ia"),
    ('і', "i"),
    ('ї', "i"),
    ('є', "ie"),
    ('ґ', "g"),
    ('ј', "j"),
];

/// Greek letters, small, with the accents that names have.
const GREEK: [(char, &str); 34] = [
    ('α', "a"),
    ('ά', "a"),
    ('β', "v"),
    ('γ', "g"),
    ('δ', "d"),
    ('ε', "e"),
    ('έ', "e"),
    ('ζ', "z"),
    ('η', "i"),
    ('ή', "i"),
    ('θ', "th"),
    ('ι', "i"),
    ('ί', "i"),
    ('ϊ', "i"),
    ('κ', "k"),
    ('λ', "l"),
    ('μ', "m"),
    ('ν', "n"),
    ('ξ', "x"),
    ('ο', "o"),
    ('ό', "o"),
    ('π', "p"),
    ('ρ', "r"),
    ('σ', "s"),
    ('ς', "s"),
    ('τ', "t"),
    ('υ', "y"),
    ('ύ', "y"),
    ('φ', "f"),
    ('χ', "ch"),
    ('ψ', "ps"),
    ('ω', "o"),
    ('ώ', "o"),
    ('ϋ', "y"),
];

/// What other scripts are called, by their ranges.
const SCRIPTS: [(char, char, &str); 12] = [
    ('\u{0530}', '\u{058f}', "Armenian"),
    ('\u{0590}', '\u{05ff}', "Hebrew"),
    ('\u{0600}', '\u{06ff}', "Arabic"),
    ('\u{0900}', '\u{097f}', "Devanagari"),
    ('\u{0980}', '\u{09ff}', "Bengali"),
    ('\u{0b80}', '\u{0bff}', "Tamil"),
    ('\u{0e00}', '\u{0e7f}', "Thai"),
    ('\u{10a0}', '\u{10ff}', "Georgian"),
    ('\u{3040}', '\u{30ff}', "Kana"),
    ('\u{4e00}', '\u{9fff}', "Chinese"),
    ('\u{ac00}', '\u{d7af}', "Korean"),
    ('\u{0370}', '\u{052f}', "other"),
];

/// Words in Latin letters: Cyrillic and Greek ones letter by letter; of another script its name
/// stands in brackets for all that is in it.
pub(super) fn transcribed(words: &str) -> String {
    let mut text = String::new();
    let mut last = None;
    for sign in words.chars() {
        let small = sign.to_lowercase().next().unwrap_or(sign);
        let mut tables = CYRILLIC.iter().chain(&GREEK);
        if let Some((_, latin)) = tables.find(|(known, _)| *known == small) {
            let mut latin = latin.chars();
            let first = latin.next();
            match first {
                Some(first) if sign != small => text.push(first.to_ascii_uppercase()),
                first => text.extend(first),
            }
            text.extend(latin);
            last = None;
            continue;
        }
        let script = SCRIPTS
            .iter()
            .find(|(from, to, _)| (*from..=*to).contains(&sign));
        match script {
            Some((.., name)) if last == Some(*name) => {}
            Some((.., name)) => {
                text.push_str(&format!("({name})"));
                last = Some(*name);
            }
            None => {
                text.push(sign);
                // Words of one script are named once.
                last = last.filter(|_| sign.is_whitespace());
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_alphabets_are_transcribed_or_named() {
        for (words, latin) in [
            ("Карпов, Анатолий", "Karpov, Anatolii"),
            ("Щукин", "Shchukin"),
            ("Παπαϊωάννου", "Papaioannoy"),
            ("丁立人", "(Chinese)"),
            ("გაფრინდაშვილი, ნონა", "(Georgian), (Georgian)"),
            ("Müller", "Müller"),
        ] {
            assert_eq!(transcribed(words), latin);
        }
    }
}
