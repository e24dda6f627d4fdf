//! Writes names of other alphabets in Latin letters, for Braille, which has no cells for both.

/// Small Cyrillic letters, as passports transcribe them.
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

/// Small Greek letters, with the accents that names have.
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

/// The names of other scripts, by their ranges.
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

/// Returns a Greek letter without the breathings and accents of older spelling.
const fn without_breathing(small: char) -> char {
    match small {
        '\u{1f00}'..='\u{1f0f}' | '\u{1f70}' | '\u{1f71}' => 'α',
        '\u{1f80}'..='\u{1f8f}' | '\u{1fb0}'..='\u{1fbc}' => 'α',
        '\u{1f10}'..='\u{1f1f}' | '\u{1f72}' | '\u{1f73}' => 'ε',
        '\u{1f20}'..='\u{1f2f}' | '\u{1f74}' | '\u{1f75}' => 'η',
        '\u{1f90}'..='\u{1f9f}' | '\u{1fc2}'..='\u{1fcc}' => 'η',
        '\u{1f30}'..='\u{1f3f}' | '\u{1f76}' | '\u{1f77}' | '\u{1fd0}'..='\u{1fdb}' => 'ι',
        '\u{1f40}'..='\u{1f4f}' | '\u{1f78}' | '\u{1f79}' => 'ο',
        '\u{1fe4}' | '\u{1fe5}' | '\u{1fec}' => 'ρ',
        '\u{1f50}'..='\u{1f5f}' | '\u{1f7a}' | '\u{1f7b}' | '\u{1fe0}'..='\u{1feb}' => 'υ',
        '\u{1f60}'..='\u{1f6f}' | '\u{1f7c}' | '\u{1f7d}' => 'ω',
        '\u{1fa0}'..='\u{1faf}' | '\u{1ff2}'..='\u{1ffc}' => 'ω',
        plain => plain,
    }
}

/// Returns words in Latin letters. Cyrillic and Greek are transcribed letter by letter. Text in
/// another script is replaced by the name of the script in brackets.
pub(super) fn transcribed(words: &str) -> String {
    let mut text = String::new();
    let mut last = None;
    for sign in words.chars() {
        let small = sign.to_lowercase().next().unwrap_or(sign);
        let plain = without_breathing(small);
        let mut tables = CYRILLIC.iter().chain(&GREEK);
        if let Some((_, latin)) = tables.find(|(known, _)| *known == plain) {
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
                // A script is named once for all its words.
                last = last.filter(|_| sign.is_whitespace());
            }
        }
    }
    // The second word of a script that is named once leaves its space.
    text.truncate(text.trim_end().len());
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
            ("丁 立人", "(Chinese)"),
            ("Ἀθῆναι", "Athinai"),
            ("გაფრინდაშვილი, ნონა", "(Georgian), (Georgian)"),
            ("Müller", "Müller"),
        ] {
            assert_eq!(transcribed(words), latin);
        }
    }
}
