//! Words on a sheet that say that a draw was offered, declined or agreed (8.1.5, 9.1.2):
//! `Remis angeboten`, `draw offered by White`, `Schwarz bietet Remis an`.

use shakmaty::Color;

/// The meaning of such words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawWords {
    /// A draw was offered, or an offer was declined. The side that offered is given if it is named.
    Offer(Option<Color>),
    /// A draw was agreed.
    Agreed,
    /// Only a word for a draw.
    Bare,
}

/// The meaning of a single word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Draw,
    Offer,
    Refusal,
    Agreement,
    Side(Color),
    /// A word that joins others: "a", "by", "wurde".
    Joint,
}

const PARTS: [(Part, &[&str]); 7] = [
    (
        Part::Draw,
        &[
            "remis",
            "draw",
            "drawn",
            "remi",
            "nulle",
            "empate",
            "remise",
            "unentschieden",
        ],
    ),
    (
        Part::Offer,
        &[
            "angeboten",
            "angebot",
            "bietet",
            "bot",
            "bieten",
            "offered",
            "offers",
            "offer",
            "tilbudt",
            "tilbyder",
            "tilbød",
            "tilbud",
            "erbjuden",
            "erbjudet",
            "erbjuder",
            "erbjöd",
            "bjuder",
            "bjöd",
            "anbud",
            "bud",
            "proposé",
            "proposée",
            "propose",
            "proposition",
            "offerte",
            "offre",
            "proposto",
            "proposta",
            "propôs",
            "propõe",
            "oferece",
            "ofereceu",
            "oferecido",
            "oferta",
            "aangeboden",
            "aanbod",
            "biedt",
            "bood",
            "voorgesteld",
        ],
    ),
    (
        Part::Refusal,
        &[
            "abgelehnt",
            "lehnt",
            "declined",
            "declines",
            "refused",
            "afslået",
            "afslog",
            "afvist",
            "avböjt",
            "avböjd",
            "avböjer",
            "refusé",
            "refusée",
            "recusado",
            "recusa",
            "recusou",
            "afgewezen",
            "geweigerd",
        ],
    ),
    (
        Part::Agreement,
        &[
            "vereinbart",
            "angenommen",
            "einigung",
            "agreed",
            "accepted",
            "aftalt",
            "accepteret",
            "överenskommen",
            "överenskommet",
            "överens",
            "accepterat",
            "accepterad",
            "antagen",
            "antaget",
            "convenue",
            "acceptée",
            "aceite",
            "aceito",
            "acordado",
            "overeengekomen",
            "aangenomen",
            "akkoord",
        ],
    ),
    (
        Part::Side(Color::White),
        &[
            "weiß", "weiss", "white", "hvid", "vit", "brancas", "blancs", "wit",
        ],
    ),
    (
        Part::Side(Color::Black),
        &[
            "schwarz", "black", "sort", "svart", "pretas", "noirs", "zwart",
        ],
    ),
    (
        Part::Joint,
        &[
            "a", "an", "ab", "the", "by", "von", "auf", "durch", "af", "av", "par", "por", "de",
            "pelas", "les", "door", "aan", "ist", "war", "wurde", "wird", "is", "was", "er",
            "blev", "är", "est", "foi", "werd", "om",
        ],
    ),
];

/// Single words that mean a draw offer.
const OFFERS: [&str; 9] = [
    "remisangebot",
    "remisgebot",
    "remistilbud",
    "remitilbud",
    "remianbud",
    "remibud",
    "remiseaanbod",
    "remisevoorstel",
    "drawoffer",
];

/// Words that answer an offer with no.
const ANSWERS: [&str; 13] = [
    "nej",
    "nein",
    "no",
    "non",
    "não",
    "nee",
    "abgelehnt",
    "declined",
    "afslået",
    "avböjt",
    "recusado",
    "refusé",
    "afgewezen",
];

/// Returns whether a word is about an offer or its answer and can be no move.
pub(super) fn is_about_offers(word: &str) -> bool {
    let word = word.trim_end_matches(['?', '!', '.', ':']).to_lowercase();
    let is_part = matches!(
        part_of(&word),
        Some(Part::Offer | Part::Refusal | Part::Agreement)
    );
    is_part || ANSWERS.contains(&word.as_str())
}

/// The greatest number of words in such a sentence.
const MOST_WORDS: usize = 8;

/// Returns how many of these words are about a draw, and what they say. `None` if none of them is.
pub(super) fn draw_words<'a>(
    words: impl IntoIterator<Item = &'a str>,
) -> Option<(usize, DrawWords)> {
    let (mut taken, mut said, mut by) = (0, 0, None);
    let mut parts = Vec::new();
    let (mut is_over, mut is_asked) = (false, false);
    for word in words.into_iter().take(MOST_WORDS) {
        let plain = word.trim_end_matches(['?', '!', '.', ':']).to_lowercase();
        let is_answer = ANSWERS.contains(&plain.as_str());
        // An answer may follow the question.
        if is_over || is_asked && !is_answer {
            break;
        }
        let part = match part_of(&plain) {
            _ if is_asked => Some(Part::Refusal),
            None if OFFERS.contains(&plain.as_str()) => {
                parts.push(Part::Draw);
                Some(Part::Offer)
            }
            part => part,
        };
        let Some(part) = part.filter(|part| taken > 0 || *part != Part::Joint) else {
            break;
        };
        taken += 1;
        parts.push(part);
        if let Part::Side(side) = part {
            by = by.or(Some(side));
        }
        // In "bietet Remis an" the last word belongs to the verb.
        if part != Part::Joint || matches!(plain.as_str(), "an" | "ab" | "aan") {
            said = taken;
        }
        is_over = word.ends_with(['.', '!', ':']);
        is_asked = word.ends_with('?');
        if is_asked {
            parts.push(Part::Offer);
        }
    }
    let has = |part| parts.contains(&part);
    let kind = match (has(Part::Agreement), has(Part::Offer), has(Part::Refusal)) {
        (true, ..) => DrawWords::Agreed,
        (_, true, _) => DrawWords::Offer(by),
        // If Black declines, White has offered.
        (_, false, true) => DrawWords::Offer(by.map(Color::other)),
        _ => DrawWords::Bare,
    };
    has(Part::Draw).then_some((said, kind))
}

/// Returns what a text says that consists only of words about a draw, as in brackets or a comment.
pub(super) fn all_draw_words(text: &str) -> Option<DrawWords> {
    let words = || {
        text.split([' ', '\t', '\n', '\r', ','])
            .filter(|word| !word.is_empty())
    };
    let (taken, kind) = draw_words(words())?;
    (words().nth(taken).is_none()).then_some(kind)
}

/// Returns the side that a word in small letters names.
pub(super) fn side_named(word: &str) -> Option<Color> {
    match part_of(word)? {
        Part::Side(side) => Some(side),
        _ => None,
    }
}

fn part_of(word: &str) -> Option<Part> {
    let known = PARTS.iter().find(|(_, words)| words.contains(&word));
    known.map(|(part, _)| *part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_are_known_in_the_words_of_seven_languages() {
        for text in [
            "Remis angeboten",
            "Remisangebot",
            "Remisangebot von Weiß",
            "Schwarz bietet Remis an",
            "Remis angeboten, abgelehnt",
            "draw offered",
            "Draw offer",
            "White offers a draw",
            "remis tilbudt",
            "sort tilbyder remis",
            "remi erbjudet",
            "remianbud",
            "bjuder remi",
            "nulle proposée",
            "proposition de nulle",
            "proposta de empate",
            "oferece empate",
            "remise aangeboden",
            "wit biedt remise aan",
            "draw declined",
            "remis?",
            "remi? nej",
            "Remis? abgelehnt.",
        ] {
            let said = all_draw_words(text);
            assert!(
                matches!(said, Some(DrawWords::Offer(_))),
                "{text}: {said:?}"
            );
        }
    }

    #[test]
    fn who_offers_may_be_said() {
        for (text, side) in [
            ("Weiß bietet Remis an, Schwarz lehnt ab", Some(Color::White)),
            ("draw offered by Black", Some(Color::Black)),
            ("vit bjuder remi", Some(Color::White)),
            ("draw declined by Black", Some(Color::White)),
            ("Remis angeboten", None),
        ] {
            assert_eq!(all_draw_words(text), Some(DrawWords::Offer(side)), "{text}");
        }
    }

    #[test]
    fn an_agreement_is_none() {
        for text in [
            "Remis vereinbart",
            "draw agreed",
            "remis aftalt",
            "överens om remi",
            "empate acordado",
        ] {
            assert_eq!(all_draw_words(text), Some(DrawWords::Agreed), "{text}");
        }
        for text in ["remis", "Draw.", "remise"] {
            assert_eq!(all_draw_words(text), Some(DrawWords::Bare), "{text}");
        }
    }

    #[test]
    fn moves_and_other_words_are_none() {
        for text in [
            "Sf3 remis",
            "weiß gibt auf",
            "angeboten",
            "a",
            "",
            "De1 Sf6",
        ] {
            assert_eq!(all_draw_words(text), None, "{text}");
        }
        let words = ["Remis", "angeboten", "von", "Weiß", "Sf6"];
        assert_eq!(
            draw_words(words),
            Some((4, DrawWords::Offer(Some(Color::White))))
        );
        let words = ["remis", "a", "Sf6"];
        assert_eq!(draw_words(words), Some((1, DrawWords::Bare)));
        let words = ["remis.", "Weiß", "bietet"];
        assert_eq!(draw_words(words), Some((1, DrawWords::Bare)));
    }
}
