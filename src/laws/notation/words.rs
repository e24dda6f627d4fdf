//! From an announcement to its words.

use shakmaty::{Role, Square};

use super::{Announcement, CheckMark, Lexicon, MoveAnnouncement, Value};

/// How much of a move is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Piece, square of departure, square of arrival. A single misheard word rarely makes another
    /// possible move.
    #[default]
    Long,
    /// Without the square of departure.
    Short,
}

/// Returns the words of an announcement, in the lexicon's usual spelling. Parts that the
/// announcement does not have are left out.
pub fn words(lexicon: &Lexicon, announcement: &Announcement, style: Style) -> Vec<String> {
    let values = match announcement {
        Announcement::Castling(castling) => {
            let mut values = vec![Value::CastlingSide(castling.side.into()), Value::Castling];
            values.extend(castling.mark.map(mark));
            values
        }
        Announcement::Move(announced) => values(announced, style),
    };
    values
        .into_iter()
        .filter_map(|value| lexicon.word_for(value))
        .map(str::to_owned)
        .collect()
}

/// Returns the words of an announcement as people write them: "Springer Gustav eins Felix drei".
pub fn sentence(lexicon: &Lexicon, words: &[impl AsRef<str>]) -> String {
    let mut sentence = String::new();
    for word in words {
        let word = word.as_ref();
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        let is_name = matches!(
            lexicon.value(word),
            Some(Value::File(_) | Value::Role(_) | Value::Castling | Value::Promotes)
                | Some(Value::Check)
        );
        if is_name || sentence.is_empty() {
            push_capitalised(&mut sentence, word);
        } else {
            sentence.push_str(word);
        }
    }
    sentence
}

fn push_capitalised(sentence: &mut String, word: &str) {
    let mut letters = word.chars();
    sentence.extend(letters.next().into_iter().flat_map(char::to_uppercase));
    sentence.push_str(letters.as_str());
}

fn values(announced: &MoveAnnouncement, style: Style) -> Vec<Value> {
    let mut values = Vec::new();
    values.extend(announced.piece.map(Value::Role));
    if style == Style::Long
        && let Some(from) = announced.from
    {
        values.extend(square(from));
    }
    if announced.capture {
        values.push(Value::Captures);
    }
    values.extend(square(announced.to));
    values.extend(announced.promotion.map(Value::Role as fn(Role) -> Value));
    values.extend(announced.mark.map(mark));
    values
}

const fn square(square: Square) -> [Value; 2] {
    [Value::File(square.file()), Value::Rank(square.rank())]
}

const fn mark(mark: CheckMark) -> Value {
    match mark {
        CheckMark::Check => Value::Check,
        CheckMark::Mate => Value::Mate,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::CastlingSide;

    use super::*;
    use crate::notation::{Castling, Said, german, typed, understand};

    #[track_caller]
    fn check(announcement: &Announcement, style: Style, expected: &str) {
        let german = german();
        let words = words(&german, announcement, style);
        assert_eq!(sentence(&german, &words), expected);
    }

    #[test]
    fn moves_are_said_in_full() {
        let knight = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        check(&knight, Style::Long, "Springer Gustav eins Felix drei");
        check(&knight, Style::Short, "Springer Felix drei");
        let castling = Announcement::of_castling(CastlingSide::QueenSide);
        check(&castling, Style::Long, "Lange Rochade");
        let promotion = Announcement::Move(MoveAnnouncement {
            piece: Some(Role::Pawn),
            from: Some(Square::E7),
            to: Square::F8,
            capture: true,
            promotion: Some(Role::Queen),
            mark: Some(CheckMark::Mate),
        });
        check(
            &promotion,
            Style::Long,
            "Bauer Eva sieben schlägt Felix acht Dame matt",
        );
    }

    fn any_square() -> impl Strategy<Value = Square> {
        (0..64_u32).prop_map(Square::new)
    }

    fn any_mark() -> impl Strategy<Value = Option<CheckMark>> {
        proptest::option::of(prop_oneof![Just(CheckMark::Check), Just(CheckMark::Mate)])
    }

    /// Every announcement that can be said without another meaning: a square alone means a square,
    /// and only a pawn promotes.
    fn any_announcement() -> impl Strategy<Value = Announcement> {
        let castling = (any::<bool>(), any_mark()).prop_map(|(is_short, mark)| {
            let side = CastlingSide::from_king_side(is_short);
            Announcement::Castling(Castling { side, mark })
        });
        let movement = (
            proptest::option::of(0..6_usize),
            proptest::option::of(any_square()),
            any_square(),
            any::<bool>(),
            proptest::option::of(1..5_usize),
            any_mark(),
        )
            .prop_map(|(piece, from, to, capture, promotion, mark)| {
                let piece = piece.map(|index| Role::ALL[index]);
                let promotes = matches!(piece, None | Some(Role::Pawn));
                let promotion = promotion.filter(|_| promotes).map(|index| Role::ALL[index]);
                Announcement::Move(MoveAnnouncement {
                    piece,
                    from,
                    to,
                    capture,
                    promotion,
                    mark,
                })
            });
        prop_oneof![1 => castling, 9 => movement]
    }

    proptest! {
        #[test]
        fn what_is_said_is_understood(announcement in any_announcement()) {
            let german = german();
            let words = words(&german, &announcement, Style::Long);
            let heard = understand(&german, &words);
            let expected = match &announcement {
                Announcement::Move(m)
                    if *m == (MoveAnnouncement {
                        piece: None,
                        from: None,
                        to: m.to,
                        capture: false,
                        promotion: None,
                        mark: None,
                    }) => Said::Square(m.to),
                _ => Said::Move(announcement.clone()),
            };
            prop_assert_eq!(&heard, &vec![expected]);
            prop_assert_eq!(typed(&german, &sentence(&german, &words).to_uppercase()), heard);
        }

        #[test]
        fn no_words_make_it_fail(picked in proptest::collection::vec(0..70_usize, 0..8)) {
            let german = german();
            let words: Vec<&str> = picked
                .iter()
                .filter_map(|&index| german.words().get(index))
                .map(|word| word.word.as_str())
                .collect();
            for said in understand(&german, &words) {
                if let Said::Move(announcement) = said {
                    let again = super::words(&german, &announcement, Style::Long);
                    prop_assert!(!again.is_empty());
                }
            }
        }
    }
}
