//! The content of the lessons.

use annexd_phrases::PhraseKey;
use shakmaty::{Role, Square};

use super::{Does, LAST, Plan, Ply, Step, Until};

const E4: Ply = Ply::Goes(Role::Pawn, Square::E2, Square::E4);
const E5: Ply = Ply::Goes(Role::Pawn, Square::E7, Square::E5);
const NF3: Ply = Ply::Goes(Role::Knight, Square::G1, Square::F3);
const NC6: Ply = Ply::Goes(Role::Knight, Square::B8, Square::C6);
const NF6: Ply = Ply::Goes(Role::Knight, Square::G8, Square::F6);
const ND2: Ply = Ply::Goes(Role::Knight, Square::B1, Square::D2);
const BC4: Ply = Ply::Goes(Role::Bishop, Square::F1, Square::C4);
const BC5: Ply = Ply::Goes(Role::Bishop, Square::F8, Square::C5);
const QH5: Ply = Ply::Goes(Role::Queen, Square::D1, Square::H5);
const MATE: Ply = Ply::Takes(Role::Queen, Square::H5, Square::F7);
const RD3: Ply = Ply::Goes(Role::Rook, Square::D2, Square::D3);
const RB5: Ply = Ply::Goes(Role::Rook, Square::B6, Square::B5);

/// After each side has moved its queen's pawn: both white knights can reach d2.
const KNIGHTS: &str = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
/// After White's first move to e4.
const BLACK_TO_MOVE: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
/// One move by each before the fiftieth without a capture or pawn move.
const QUIET: &str = "8/5k2/1r6/8/3K4/8/3R4/8 w - - 98 120";

const TIME: Option<&str> = Some("90m+30s");
const FIFTY: &[PhraseKey] = &[PhraseKey::EndFifty];
const HELPED: &[PhraseKey] = &[
    PhraseKey::HelpAnnounce,
    PhraseKey::HelpRepeat,
    PhraseKey::HelpConfirm,
    PhraseKey::HelpCommands,
    // While a question is open, help repeats it.
    PhraseKey::FromWhere,
    PhraseKey::WhichPiece,
];
const TIMES: &[PhraseKey] = &[
    PhraseKey::TimesLeft,
    PhraseKey::TimesLeftAbout,
    PhraseKey::TimesInFull,
    PhraseKey::TimesInFullAbout,
    PhraseKey::OwnTimeLeft,
    PhraseKey::OwnTimeLeftAbout,
];
const TIMES_USED: &[PhraseKey] = &[PhraseKey::TimesUsed];
const LAST_MOVE: &[PhraseKey] = &[PhraseKey::LastMove, PhraseKey::NoMoveYet];

/// A step that is explained at once.
const fn step(does: &'static [Does], until: Until) -> Step {
    Step {
        on_turn: false,
        does,
        until,
    }
}

/// A step that is explained when the learner has the move.
const fn turn(does: &'static [Does], until: Until) -> Step {
    Step {
        on_turn: true,
        ..step(does, until)
    }
}

/// The defaults of all lessons.
const PLAN: Plan = Plan {
    name: PhraseKey::LearnSquares,
    start: None,
    time: None,
    replies: &[],
    begins: true,
    repeats: false,
    presses: false,
    steps: &[],
};

/// All lessons.
pub(super) static LESSONS: [Plan; LAST as usize] = [
    Plan {
        name: PhraseKey::LearnSquares,
        begins: false,
        steps: &[
            step(
                &[
                    Does::Names(PhraseKey::LearnSquareIs, Square::E2),
                    Does::Names(PhraseKey::LearnAskSquare, Square::E2),
                ],
                Until::Asked(Square::E2),
            ),
            step(
                &[Does::Names(PhraseKey::LearnAskSquare, Square::G1)],
                Until::Asked(Square::G1),
            ),
            step(
                &[Does::Names(PhraseKey::LearnAskSquare, Square::D5)],
                Until::Asked(Square::D5),
            ),
        ],
        ..PLAN
    },
    Plan {
        name: PhraseKey::LearnMoves,
        replies: &[E5, NC6, BC5],
        begins: false,
        repeats: true,
        presses: true,
        steps: &[
            step(&[Does::Says(PhraseKey::LearnBegin)], Until::Begun),
            turn(
                &[
                    Does::Says(PhraseKey::LearnMoveIs),
                    Does::Tells(PhraseKey::LearnSay, E4),
                ],
                Until::Announced(E4),
            ),
            turn(
                &[Does::Tells(PhraseKey::LearnSay, NF3)],
                Until::Announced(NF3),
            ),
            turn(
                &[Does::Tells(PhraseKey::LearnSay, BC4)],
                Until::Announced(BC4),
            ),
            turn(
                &[Does::Tells(PhraseKey::LearnSay, Ply::CastlesShort)],
                Until::Announced(Ply::CastlesShort),
            ),
        ],
        ..PLAN
    },
    Plan {
        name: PhraseKey::LearnCorrecting,
        start: Some(KNIGHTS),
        replies: &[NF6],
        repeats: true,
        presses: true,
        steps: &[
            step(
                &[
                    Does::Tells(PhraseKey::LearnMisheard, NF3),
                    Does::Mishears(Ply::Goes(Role::Knight, Square::G1, Square::H3)),
                    Does::Tells(PhraseKey::LearnCorrect, NF3),
                ],
                Until::Announced(NF3),
            ),
            turn(
                &[Does::Tells(
                    PhraseKey::LearnShort,
                    Ply::Short(Role::Knight, Square::D2),
                )],
                Until::FromWhere(ND2),
            ),
            step(
                &[Does::Names(PhraseKey::LearnFrom, Square::B1)],
                Until::Announced(ND2),
            ),
        ],
        ..PLAN
    },
    Plan {
        name: PhraseKey::LearnRepeating,
        start: Some(BLACK_TO_MOVE),
        replies: &[E5, NC6],
        presses: true,
        steps: &[
            step(&[Does::Says(PhraseKey::LearnRepeat)], Until::Repeated),
            turn(
                &[Does::Tells(PhraseKey::LearnSay, NF3)],
                Until::Announced(NF3),
            ),
            step(&[Does::Says(PhraseKey::LearnHearAgain)], Until::HeardAgain),
            step(&[Does::Says(PhraseKey::LearnRepeat)], Until::Repeated),
        ],
        ..PLAN
    },
    Plan {
        name: PhraseKey::LearnPressing,
        time: TIME,
        replies: &[E5, NC6],
        steps: &[
            turn(
                &[Does::Tells(PhraseKey::LearnSay, E4)],
                Until::Announced(E4),
            ),
            step(&[Does::Says(PhraseKey::LearnPress)], Until::Pressed(E4)),
            step(&[Does::Says(PhraseKey::LearnRepeat)], Until::Repeated),
            turn(
                &[Does::Tells(PhraseKey::LearnWhole, NF3)],
                Until::Announced(NF3),
            ),
            step(&[], Until::Pressed(NF3)),
        ],
        ..PLAN
    },
    Plan {
        name: PhraseKey::LearnAsking,
        time: TIME,
        steps: &[
            turn(
                &[
                    Does::Says(PhraseKey::LearnQuestions),
                    Does::Says(PhraseKey::LearnAskTime),
                ],
                Until::Told(TIMES),
            ),
            step(
                &[Does::Says(PhraseKey::LearnAskAllTimes)],
                Until::Told(TIMES_USED),
            ),
            step(
                &[Does::Says(PhraseKey::LearnAskLastMove)],
                Until::Told(LAST_MOVE),
            ),
            step(&[Does::Says(PhraseKey::LearnAskHelp)], Until::Told(HELPED)),
        ],
        ..PLAN
    },
    Plan {
        name: PhraseKey::LearnDraws,
        start: Some(QUIET),
        replies: &[RB5],
        repeats: true,
        steps: &[
            turn(
                &[
                    Does::Says(PhraseKey::LearnOfferIs),
                    Does::Tells(PhraseKey::LearnSay, RD3),
                ],
                Until::Announced(RD3),
            ),
            step(&[Does::Says(PhraseKey::LearnOffer)], Until::Offered(RD3)),
            step(&[Does::Says(PhraseKey::LearnPress)], Until::Pressed(RD3)),
            turn(&[Does::Says(PhraseKey::LearnClaim)], Until::Told(FIFTY)),
        ],
        ..PLAN
    },
    Plan {
        name: PhraseKey::LearnWholeGame,
        time: TIME,
        replies: &[E5, NC6, NF6],
        begins: false,
        steps: &[
            step(&[Does::Says(PhraseKey::LearnBegin)], Until::Begun),
            turn(
                &[Does::Tells(PhraseKey::LearnWhole, E4)],
                Until::Announced(E4),
            ),
            step(&[], Until::Pressed(E4)),
            turn(
                &[Does::Tells(PhraseKey::LearnWhole, BC4)],
                Until::Announced(BC4),
            ),
            step(&[], Until::Pressed(BC4)),
            turn(
                &[Does::Tells(PhraseKey::LearnWhole, QH5)],
                Until::Announced(QH5),
            ),
            step(&[], Until::Pressed(QH5)),
            turn(
                &[Does::Tells(PhraseKey::LearnWhole, MATE)],
                Until::Announced(MATE),
            ),
            step(&[], Until::Mates(MATE)),
        ],
        ..PLAN
    },
];
