//! What a person at the table would do who plays a side: the manners of whoever plays it and is not
//! there, be it a chess program or somebody elsewhere.

use shakmaty::Color;

use annexd::game::{Form, Game, Phase};
use annexd::notation::Announcement;

/// What a person in his place would do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Nothing: the other one is to do something.
    Nothing,
    /// Tell that he waits for the other to begin, or to go on.
    Wait,
    /// Answer what both are asked by this number as the other has answered.
    Answer(u32, bool),
    /// Answer the offer of a draw.
    AnswerOffer(usize),
    /// Repeat the announcement of the other (D.2.1).
    Repeat(usize, Announcement),
    /// Say his own announcement again, which was repeated otherwise.
    SayAgain(usize, Announcement),
    /// Find a move.
    Move(usize),
    /// Nothing, as long as its announcement is being said: the other could not think meanwhile.
    LetSay(usize),
    /// Press the clock.
    Press(usize),
}

/// What a person would do who plays this side, has let his announcement be said long enough or not,
/// and answers offers himself or not.
pub(crate) fn wish(game: &Game, side: Color, has_waited: bool, answers_offers: bool) -> Wish {
    let other = !side;
    let plies = game.plies();
    let form = game.expectation(Some(side)).form;
    if form == Form::Confirmation {
        let number = game.last_proposal().unwrap_or_default();
        return match (game.answer_of(other), game.answer_of(side)) {
            (Some(yes), own) if own != Some(yes) => Wish::Answer(number, yes),
            _ => Wish::Nothing,
        };
    }
    match game.phase() {
        Phase::BeforePlay | Phase::Stopped => return Wish::Wait,
        Phase::Playing => {}
        Phase::Sealing | Phase::Adjourned | Phase::Ended => return Wish::Nothing,
    }
    if answers_offers && game.offered_by() == Some(other) {
        return Wish::AnswerOffer(plies);
    }
    if let (Form::Repetition, Some(words)) = (form, game.announced(other)) {
        return Wish::Repeat(plies, words.clone());
    }
    // Until then his words are not final (D.2.8).
    if game.to_press() == other {
        return Wish::Nothing;
    }
    match (form, game.announced(side)) {
        (Form::Announcement, Some(words)) => Wish::SayAgain(plies, words.clone()),
        (_, None) if game.turn() == side => Wish::Move(plies),
        (_, Some(_)) if game.is_table_spoken_to() && !has_waited => Wish::LetSay(plies),
        (_, Some(_)) => Wish::Press(plies),
        _ => Wish::Nothing,
    }
}
