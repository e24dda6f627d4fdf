//! Marks of a move in words beside it. They may be left out (C.13), and none of them is an entry.

/// Check and mate in words beside the move. They may be left out (C.13).
pub(super) fn is_mark_in_words(word: &str) -> bool {
    const WORDS: [&str; 17] = [
        "ch",
        "sch",
        "éch",
        "ech",
        "schach",
        "matt",
        "schachmatt",
        "check",
        "mate",
        "checkmate",
        "skak",
        "mat",
        "skakmat",
        "schack",
        "échec",
        "xeque",
        "schaak",
    ];
    // "Ch?" can be a French or Portuguese knight to the h-file with an unreadable rank.
    if word.starts_with("Ch?") {
        return false;
    }
    let word = word
        .trim_end_matches(['!', '?', '.', '+', '#'])
        .to_lowercase();
    WORDS.contains(&word.as_str())
}

/// Returns whether a word says that the previous move captures en passant. `next` is the word after
/// it. A sign of check or an opinion may be attached: `e.p.+`.
pub(super) fn begins_en_passant(word: &str, next: &str) -> bool {
    const SHORT: [&str; 11] = [
        "e.p.", "e.p", "ep", "ep.", "e.", "p.", "i.v.", "i.v", "i.", "v.", "passant",
    ];
    const LONG: [(&str, &str); 6] = [
        ("en", "passant"),
        ("im", "vorbeigehen"),
        ("im", "vorübergehen"),
        ("i", "forbifarten"),
        ("i", "förbifarten"),
        ("i", "forbigående"),
    ];
    let bare = |word: &str| {
        word.trim_end_matches(['!', '?', '+', '#', '†', '‡', ')'])
            .to_lowercase()
    };
    let (word, next) = (bare(word), bare(next));
    let is_long = |(first, second): &(&str, &str)| {
        word == *second || word == *first && next.trim_end_matches('.') == *second
    };
    SHORT.contains(&word.as_str()) || LONG.iter().any(is_long)
}

#[cfg(test)]
mod tests {
    use crate::read_score;

    #[test]
    fn a_knight_whose_rank_cannot_be_read_is_no_check() {
        let entries = |sheet: &str, letters: &str| {
            let letters = letters.parse().expect("letters");
            let read = read_score(sheet, Some(letters), 1).expect("a score");
            read.score.entries().len()
        };
        for letters in ["french", "portuguese"] {
            assert_eq!(entries("1. e4 e5\n2. Ch? Cc6\n3. Ch3 d6", letters), 6);
            assert_eq!(entries("e4\ne5\nCh?\nCc6", letters), 4);
        }
        // In lower case, or with an exclamation mark, it is check.
        for mark in ["ch", "ch?", "ch!", "Ch", "CH!"] {
            let sheet = format!("1. e4 e5\n2. Qh5 Ke7\n3. Qxe5 {mark} Kd6");
            assert_eq!(entries(&sheet, "english"), 6, "{mark}");
        }
    }
}
