//! Tests of the course of play.

use super::*;

use Color::{Black, White};
use shakmaty::fen::Fen;

const START: Moment = Moment::START;

fn course() -> Course {
    Course::new(Setup::initial())
}

fn after(moves: &[(Square, Square)]) -> Course {
    let mut course = course();
    for (from, to) in moves {
        course.make(START, step(*from, *to), None, false);
    }
    course
}

const fn step(from: Square, to: Square) -> Step {
    let promotion = None;
    Step::Piece {
        from,
        to,
        promotion,
    }
}

fn setup(fen: &str) -> Setup {
    fen.parse::<Fen>().unwrap().into_setup()
}

fn touch(square: Square) -> Touch {
    Touch {
        square,
        piece: None,
        at: START,
    }
}

#[test]
fn a_move_is_made_legal_or_not_and_the_opponent_has_the_move() {
    let course = after(&[(Square::E2, Square::E4), (Square::E8, Square::E5)]);
    let legal: Vec<Option<bool>> = course.plays().iter().map(|play| play.legal).collect();
    assert_eq!(legal, [Some(true), Some(false)]);
    assert_eq!((course.turn(), course.moving().side), (White, White));
    assert!(course.is_open() && course.last_of(Black).is_some());
}

#[test]
fn a_move_taken_back_leaves_position_and_keys_as_they_were() {
    let mut course = after(&[(Square::E2, Square::E4)]);
    assert_eq!(course.position_keys().len(), 2);
    let released = Released {
        from: Square::E2,
        to: Square::E4,
        promotion: None,
    };
    course.unmake(Some(released));
    assert_eq!(course.board(), &Board::new());
    assert_eq!((course.position_keys().len(), course.plays().len()), (1, 0));
    assert_eq!(course.moving().hands.released, Some(released));
    course.unmake(None);
    assert_eq!(course.turn(), White, "there is nothing to take back");
}

#[test]
fn a_move_is_completed_once_and_pressed_whenever_it_is() {
    let mut course = after(&[(Square::E2, Square::E4)]);
    assert!(course.complete(0, START, false, None));
    assert!(!course.complete(0, START, true, None));
    assert!(course.plays()[0].pressed && !course.is_open());
    assert!(!course.complete(1, START, true, None));
}

#[test]
fn when_play_goes_back_all_that_stands_is_executed_and_pressed() {
    let mut course = after(&[
        (Square::E2, Square::E4),
        (Square::E7, Square::E5),
        (Square::G1, Square::F3),
    ]);
    course.set_words(
        Announcement::of_move(Role::Knight, Square::B8, Square::C6),
        None,
        START,
    );
    course.go_back(1, vec![Square::E7]);
    assert_eq!((course.plays().len(), course.position_keys().len()), (1, 2));
    assert!(course.plays()[0].pressed && course.plays()[0].moving.executed);
    let moving = course.moving();
    assert_eq!(
        (moving.side, moving.hands.bound_by.as_slice()),
        (Black, &[Square::E7][..])
    );
    assert!(moving.words.is_none());
}

#[test]
fn after_a_position_that_is_none_no_repetition_can_be_judged() {
    let mut course = course();
    course.set_position(setup("8/8/8/8/8/8/8/K7 w - - 0 1"));
    assert!(course.position_keys().is_empty());
    course.make(START, step(Square::A1, Square::A2), None, true);
    assert!(course.position_keys().is_empty());
    assert_eq!(course.last().and_then(|play| play.legal), None);
    assert!(course.last().is_some_and(|play| play.moving.executed));
}

#[test]
fn the_agreed_game_takes_the_place_of_what_was_played() {
    let agreed = after(&[(Square::E2, Square::E4), (Square::C7, Square::C5)]);
    let before = agreed.plays().iter().map(|play| play.before.setup());
    let setups: Vec<Setup> = before.chain([agreed.position().setup()]).collect();
    let mut course = after(&[(Square::E2, Square::E4), (Square::E7, Square::E5)]);
    course.take_agreed(START, 1, &setups);
    assert_eq!(course.board(), agreed.board());
    assert_eq!(course.position_keys(), agreed.position_keys());
    assert!(
        course
            .plays()
            .iter()
            .all(|play| play.pressed && play.moving.executed)
    );
}

#[test]
fn words_that_are_asked_about_do_not_stand_yet() {
    let mut course = course();
    let said = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
    course.set_words(said.clone(), Some(Asked::Origin), START);
    assert!(course.words_mut(White).is_none());
    assert_eq!(course.take_asked(Asked::Promotion), None);
    assert_eq!(course.take_asked(Asked::Origin), Some(said.clone()));
    course.set_words(said.clone(), None, START);
    assert!(course.words_mut(White).is_some() && course.words_mut(Black).is_none());
    assert_eq!(course.void_words(), Some(said.clone()));
    assert_eq!(course.void_misheard(), None);
    assert_eq!(course.moving().slips, [said]);
}

#[test]
fn what_was_no_touch_gives_the_declined_offer_back() {
    let mut draw = super::super::draw::Draw::default();
    draw.offer(Black);
    let offer = draw.answered_by(White).unwrap();
    let mut course = course();
    course.touch(touch(Square::E2));
    course.decline(offer);
    assert_eq!(course.untouch(Black), None);
    assert_eq!(course.untouch(White), Some(offer));
    assert!(course.moving().hands.touched.is_empty());
    assert_eq!(course.untouch(White), None);
}

#[test]
fn two_hands_are_of_the_move_that_has_begun_or_of_the_last_one() {
    let mut course = after(&[(Square::E2, Square::E4)]);
    course.complete(0, START, true, None);
    assert!(course.two_hands(White, false));
    assert!(course.plays()[0].moving.hands.two_hands);
    assert!(!course.two_hands(Black, true));
    assert!(course.moving().hands.two_hands);
}

#[test]
fn a_king_becomes_no_queen() {
    let mut course = course();
    assert!(!course.place_queen(Square::E1) && !course.place_queen(Square::E4));
    assert!(course.place_queen(Square::E2));
    assert_eq!(course.board().piece_at(Square::E2), Some(White.queen()));
}

#[test]
fn an_illegal_position_is_seen_since_the_first_time() {
    let mut course = course();
    course.see_illegal(true);
    course.make(START, step(Square::E2, Square::E4), None, false);
    course.see_illegal(true);
    assert_eq!(course.illegal_since(), Some(0));
    course.see_illegal(false);
    assert_eq!(course.illegal_since(), None);
}

#[test]
fn a_position_that_was_none_counts_no_more_once_it_is_taken_back() {
    let mut course = Course::new(setup("4k3/8/8/8/8/8/r7/7K w - - 0 1"));
    let into_check = step(Square::H1, Square::H2);
    course.make(START, into_check, None, false);
    assert!(course.position_keys().is_empty());
    course.go_back(0, Vec::new());
    assert_eq!(course.position_keys().len(), 1);
    course.make(START, into_check, None, false);
    course.unmake(None);
    course.make(START, step(Square::H1, Square::G1), None, false);
    assert_eq!(course.position_keys().len(), 2);
}

#[test]
fn a_queen_for_the_pawn_left_on_the_last_rank_makes_it_a_position_again() {
    let mut course = Course::new(setup("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"));
    course.make(START, step(Square::A7, Square::A8), None, false);
    assert!(course.position_keys().is_empty());
    assert_eq!(course.fault_of(0), Fault::UnexchangedPawn);
    assert!(course.place_queen(Square::A8));
    assert_eq!(course.position_keys().len(), 2);
}

#[test]
fn a_position_set_by_hand_is_the_first_that_counts_until_play_goes_back_beyond_it() {
    let mut course = after(&[(Square::E2, Square::E4), (Square::E7, Square::E5)]);
    course.set_position(course.position().setup());
    assert_eq!(course.position_keys().len(), 1);
    course.make(START, step(Square::G1, Square::F3), None, false);
    course.unmake(None);
    assert_eq!(course.position_keys().len(), 1);
    course.go_back(1, Vec::new());
    assert_eq!(course.position_keys().len(), 2);
}

#[test]
fn castling_that_was_lost_makes_another_position() {
    let mut course = course();
    let key = course.position_keys()[0].clone();
    course.keep_castling(Bitboard::EMPTY);
    assert_ne!(course.position_keys(), [key]);
}

#[test]
fn a_press_that_leaves_the_pawn_makes_the_promotion_illegal() {
    let mut course = Course::new(setup("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"));
    let promotes = Step::Piece {
        from: Square::A7,
        to: Square::A8,
        promotion: Some(Role::Queen),
    };
    course.make(START, promotes, None, false);
    assert_eq!(course.fault_of(0), Fault::IllegalMove);
    course.pawn_was_left(0);
    assert_eq!(course.plays()[0].legal, Some(false));
    assert_eq!(course.fault_of(0), Fault::UnexchangedPawn);
}

#[test]
fn an_illegal_move_stands_open_until_it_is_settled_or_taken_back() {
    let mut course = after(&[(Square::E2, Square::E5)]);
    course.leave_open(0);
    assert_eq!(
        (course.unsettled(), course.settle()),
        (Some(0), Some(White))
    );
    assert_eq!(course.settle(), None);
    course.leave_open(0);
    course.go_back(0, Vec::new());
    assert_eq!(course.unsettled(), None);
}

#[test]
fn an_offer_goes_with_the_move_on_its_way_or_with_the_last_one() {
    let mut course = after(&[(Square::E2, Square::E4)]);
    assert!(course.offer(White), "White has made his move");
    assert!(course.plays()[0].moving.offer);
    assert!(!course.offer(Black));
    assert!(course.take_offer() && !course.take_offer());
}

#[test]
fn a_move_is_executed_on_the_other_board_once_it_is_announced() {
    let mut course = course();
    assert!(!course.execute(Black) && !course.moving().executed);
    let said = Announcement::of_move(Role::Pawn, Square::E2, Square::E4);
    course.set_words(said.clone(), None, START);
    assert!(!course.execute(Black) && course.moving().executed);
    course.told_by_other(White, START);
    course.make(START, step(Square::E2, Square::E4), None, false);
    assert_eq!(course.plays()[0].moving.told_by, Some(Black));
    assert_eq!(course.to_repeat(Black).map(Play::words), Some(said.clone()));
    assert!(course.to_repeat(White).is_none());
    course.repeat_late(START, Black, &said);
    let words = course.plays()[0].moving.words.as_ref();
    assert!(words.is_some_and(|words| !words.is_awaiting_repetition()));
}

#[test]
fn the_move_from_the_envelope_needs_no_press_and_no_repetition() {
    let mut course = course();
    let said = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
    course.open_envelope(said, true, START);
    assert!(course.moving().pressed_early);
    course.make(START, step(Square::G1, Square::F3), None, false);
    assert!(course.to_repeat(Black).is_none());
}

#[test]
fn a_piece_binds_only_the_player_of_that_move() {
    let mut course = after(&[(Square::E2, Square::E4)]);
    assert_eq!((course.index_of(White), course.index_of(Black)), (0, 1));
    course.bind(0, White, Square::D2);
    course.bind(1, White, Square::C2);
    course.bind(1, Black, Square::D7);
    assert_eq!(course.plays()[0].moving.hands.bound_by, [Square::D2]);
    assert_eq!(course.moving().hands.bound_by, [Square::D7]);
}

#[test]
fn pieces_that_are_set_up_again_were_not_touched_to_be_moved() {
    let mut course = course();
    let stands = course.board().piece_at(Square::E2);
    for piece in [stands, None] {
        let square = Square::E2;
        course.touch(Touch {
            square,
            piece,
            at: START,
        });
    }
    let board = course.board().clone();
    course.set_up_again(&board);
    let touched = &course.moving().hands.touched;
    assert_eq!((touched.len(), touched[0].piece), (1, stands));
    assert!(course.moving().hands.adjusting);
}
