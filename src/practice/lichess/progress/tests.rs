//! Both places, in and out of agreement.

use std::time::Duration;

use super::super::wire::Whole;
use super::*;

use Color::{Black, White};
use ElsewhereNotice as Notice;

fn state(moves: &str) -> ServerState {
    ServerState {
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        left: Sides::from_fn(|_| Duration::from_secs(600)),
        status: "started".to_owned(),
        winner: None,
        offers_draw: Sides::default(),
        wants_back: Sides::default(),
        first_move_in: None,
    }
}

fn whole(moves: &str) -> Event {
    Event::Whole(Box::new(Whole {
        ids: Sides::default(),
        names: Sides {
            white: "Anna".to_owned(),
            black: "Bert".to_owned(),
        },
        clock: None,
        start: None,
        is_usual_chess: true,
        state: state(moves),
    }))
}

/// A table with these moves, the last of them pressed. It waits for the other player or not.
fn view(moves: &str) -> View {
    let written = moves.split_whitespace().map(|uci| ServerMove {
        uci: uci.to_owned(),
        onto_rook: None,
        is_pressed: true,
    });
    let written: Vec<ServerMove> = written.collect();
    View {
        awaits: match written.len() % 2 {
            0 => Awaits::Another,
            _ => Awaits::Move(written.len()),
        },
        written,
        offers_draw: false,
        is_over: false,
    }
}

/// White sits here, and both places have these moves.
fn at(moves: &str) -> Progress {
    let mut progress = Progress::new("abcd1234".to_owned(), White, White, 0, false);
    progress.on_view(view(moves));
    progress.on_event(whole(moves));
    progress
}

/// Returns the orders without those about the clock.
fn actions(all: Vec<ProgressAction>) -> Vec<ProgressAction> {
    let is_clock = |action: &ProgressAction| matches!(action, ProgressAction::ReadClock(..));
    all.into_iter().filter(|action| !is_clock(action)).collect()
}

fn moves(uci: &str, offers_draw: bool) -> ProgressAction {
    ProgressAction::Ask(Request::Move {
        game: "abcd1234".to_owned(),
        uci: uci.to_owned(),
        offers_draw,
    })
}

fn played(uci: &str) -> ProgressAction {
    ProgressAction::Play(Black, uci.to_owned())
}

#[test]
fn a_move_goes_there_once_and_the_reply_comes_here_once() {
    let mut game = at("");
    let mut unpressed = view("e2e4");
    unpressed.written[0].is_pressed = false;
    assert_eq!(game.on_view(unpressed), []);
    assert_eq!(game.on_view(view("e2e4")), [moves("e2e4", false)]);
    assert_eq!(actions(game.on_event(Event::State(state("")))), []);
    assert_eq!(actions(game.on_event(Event::State(state("e2e4")))), []);
    assert_eq!(
        actions(game.on_event(Event::State(state("e2e4 e7e5")))),
        [played("e7e5")]
    );
    assert_eq!(actions(game.on_event(Event::State(state("e2e4 e7e5")))), []);
    assert_eq!(game.on_view(view("e2e4 e7e5")), []);
    for event in [Event::Talk, Event::Nonsense] {
        assert_eq!(game.on_event(event), []);
    }
}

#[test]
fn the_clock_is_that_of_the_server() {
    let running = |moves: &str| {
        let mut game = at("");
        let read = game.on_event(Event::State(state(moves)));
        read.into_iter().find_map(|action| match action {
            ProgressAction::ReadClock(left, running) => Some((left.white, running)),
            _ => None,
        })
    };
    let left = Duration::from_secs(600);
    assert_eq!(running("e2e4"), Some((left, None)));
    assert_eq!(running("e2e4 e7e5"), Some((left, Some(White))));
    assert_eq!(running("e2e4 e7e5 g1f3"), Some((left, Some(Black))));
    // A game that was taken up after three moves.
    let game = Progress::new(String::new(), White, Black, 3, false);
    assert_eq!((game.mover(3), game.mover(4)), (Black, White));
}

#[test]
fn a_move_of_which_nobody_knows_whether_it_arrived_is_sent_again_only_if_not() {
    let mut game = at("");
    game.on_view(view("e2e4"));
    assert_eq!(actions(game.on_event(whole("e2e4"))), []);
    let mut game = at("");
    game.on_view(view("e2e4"));
    assert_eq!(actions(game.on_event(whole(""))), [moves("e2e4", false)]);
}

#[test]
fn a_move_is_refused_only_if_it_does_not_stand_there() {
    let refused = |stands: &str| {
        let mut game = at("");
        let sent = game.on_view(view("a1a5"));
        let [ProgressAction::Ask(request)] = sent.as_slice() else {
            panic!("{sent:?}");
        };
        assert_eq!(game.is_refused(request), [ProgressAction::OpenAgain]);
        actions(game.on_event(whole(stands)))
    };
    assert_eq!(refused("a1a5"), []);
    assert_eq!(refused(""), [ProgressAction::Tell(Notice::MoveRefused(0))]);
}

#[test]
fn fewer_moves_are_a_takeback_only_where_one_was_wanted() {
    let mut game = at("e2e4 e7e5");
    assert_eq!(
        game.on_event(Event::State(state("e2e4"))),
        [ProgressAction::OpenAgain]
    );
    assert_eq!(actions(game.on_event(whole("e2e4 e7e5"))), []);
    let mut wanted = state("e2e4 e7e5");
    wanted.wants_back.black = true;
    let asked = [ProgressAction::Tell(Notice::WantsTakeBack)];
    assert_eq!(actions(game.on_event(Event::State(wanted))), asked);
    let taken = [ProgressAction::Tell(Notice::TakenBack(1))];
    assert_eq!(actions(game.on_event(Event::State(state("e2e4")))), taken);
    // It is told once, and then the same move can come again.
    assert_eq!(actions(game.on_event(Event::State(state("e2e4")))), []);
    assert_eq!(game.on_view(view("e2e4")), []);
    assert_eq!(
        actions(game.on_event(Event::State(state("e2e4 e7e5")))),
        [played("e7e5")]
    );
}

#[test]
fn the_own_move_goes_back_before_the_other_one_has_replied() {
    for is_lost_meanwhile in [false, true] {
        let mut game = at("e2e4 e7e5");
        assert_eq!(game.on_view(view("e2e4 e7e5 g1f3")), [moves("g1f3", false)]);
        let mut wanted = state("e2e4 e7e5 g1f3");
        wanted.wants_back.white = true;
        assert_eq!(actions(game.on_event(Event::State(wanted))), []);
        let stands = match is_lost_meanwhile {
            false => Event::State(state("e2e4 e7e5")),
            true => whole("e2e4 e7e5"),
        };
        let taken = [ProgressAction::Tell(Notice::TakenBack(2))];
        assert_eq!(actions(game.on_event(stands)), taken);
        assert_eq!(game.on_view(view("e2e4 e7e5")), []);
        // Another move is sent there, or the same one again.
        assert_eq!(game.on_view(view("e2e4 e7e5 g1f3")), [moves("g1f3", false)]);
    }
}

#[test]
fn a_wish_that_is_given_up_is_told() {
    let mut game = at("e2e4");
    let mut wanted = state("e2e4");
    wanted.wants_back.black = true;
    game.on_event(Event::State(wanted));
    let given_up = [ProgressAction::Tell(Notice::WantsNoTakeBack)];
    assert_eq!(
        actions(game.on_event(Event::State(state("e2e4")))),
        given_up
    );
}

#[test]
fn another_game_than_ours_goes_back_to_where_both_agree() {
    let mut game = at("e2e4 e7e5");
    let taken = [ProgressAction::Tell(Notice::TakenBack(1))];
    assert_eq!(actions(game.on_event(whole("e2e4 c7c5"))), taken);
    assert_eq!(game.on_view(view("e2e4")), [played("c7c5")]);
}

#[test]
fn own_moves_made_at_another_place_are_made_here() {
    let mut game = at("");
    let own = ProgressAction::Play(White, "e2e4".to_owned());
    assert_eq!(actions(game.on_event(Event::State(state("e2e4")))), [own]);
}

#[test]
fn offers_go_with_the_move_or_alone_and_end() {
    let mut game = at("");
    let offering = View {
        offers_draw: true,
        ..view("e2e4")
    };
    assert_eq!(game.on_view(offering.clone()), [moves("e2e4", true)]);
    let mut offered = state("e2e4");
    offered.offers_draw.white = true;
    assert_eq!(actions(game.on_event(Event::State(offered))), []);
    let gone = [ProgressAction::Tell(Notice::OfferGone(White))];
    assert_eq!(actions(game.on_event(Event::State(state("e2e4")))), gone);
    game.on_view(view("e2e4"));
    let alone = ProgressAction::Ask(Request::Draw("abcd1234".to_owned(), true));
    assert_eq!(game.on_view(offering), [alone]);
    let mut offered = state("e2e4 e7e5");
    offered.offers_draw.black = true;
    let heard = actions(game.on_event(Event::State(offered)));
    assert_eq!(
        heard,
        [ProgressAction::Tell(Notice::OffersDraw), played("e7e5")]
    );
}

#[test]
fn a_game_ends_once_and_after_its_last_move() {
    let mut game = at("f2f3 e7e5 g2g4");
    let mut mate = state("f2f3 e7e5 g2g4 d8h4");
    (mate.status, mate.winner) = ("mate".to_owned(), Some(Black));
    assert_eq!(
        actions(game.on_event(Event::State(mate.clone()))),
        [played("d8h4")]
    );
    let end = Notice::Over(ElsewhereEnd::By(Termination::Checkmate(Black)));
    assert_eq!(
        game.on_view(view("f2f3 e7e5 g2g4 d8h4")),
        [ProgressAction::Tell(end)]
    );
    assert_eq!(game.on_event(Event::State(mate)), []);
    // A move that did not arrive before the end is struck out.
    let mut game = at("e2e4 e7e5");
    game.on_view(view("e2e4 e7e5 g1f3"));
    let mut lost = state("e2e4 e7e5");
    (lost.status, lost.winner) = ("outoftime".to_owned(), Some(Black));
    let end = Notice::Over(ElsewhereEnd::By(Termination::FlagFall(White)));
    let told = [
        ProgressAction::Tell(Notice::TakenBack(2)),
        ProgressAction::Tell(end),
    ];
    assert_eq!(actions(game.on_event(Event::State(lost))), told);
}

#[test]
fn every_end_has_its_words() {
    use ElsewhereEnd::{Aborted, By, Drawn, Left, Unknown, Won};

    for (status, winner, end) in [
        ("resign", Some(White), By(Termination::Resignation(Black))),
        ("stalemate", None, By(Termination::Stalemate)),
        ("outoftime", None, By(Termination::FlagFallDrawn(White))),
        ("timeout", Some(White), Left(Black)),
        ("draw", None, Drawn),
        ("aborted", None, Aborted),
        ("noStart", Some(Black), By(Termination::Default(White))),
        ("cheat", Some(White), Won(White)),
        ("something new", None, Unknown),
    ] {
        let mut state = state("");
        (state.status, state.winner) = (status.to_owned(), winner);
        assert_eq!(end_of(&state, White), end, "{status}");
        assert!(!is_going(&state), "{status}");
    }
}

#[test]
fn how_long_the_first_move_may_take_is_told_once_and_to_whom_it_concerns() {
    let due = |moves: &str, game: &mut Progress| {
        let mut state = state(moves);
        state.first_move_in = Some(20);
        actions(game.on_event(Event::State(state)))
    };
    let mut game = at("");
    let told = [ProgressAction::Tell(Notice::FirstMoveDue(20))];
    assert_eq!(due("", &mut game), told);
    assert_eq!(due("", &mut game), []);
    let mut game = at("e2e4");
    assert_eq!(due("e2e4", &mut game), []);
}

#[test]
fn an_absent_opponent_is_told_and_chat_only_if_wanted() {
    let mut game = at("");
    let gone = |is_gone, seconds| Event::Gone { is_gone, seconds };
    let told = |notice| vec![ProgressAction::Tell(notice)];
    let heard = game.on_event(gone(true, Some(8)));
    assert_eq!(heard, told(Notice::OpponentGone(Some(8))));
    assert_eq!(game.on_event(gone(false, None)), told(Notice::OpponentBack));
    let writes = |by: &str| Event::Writes {
        by: by.to_owned(),
        text: "hello".to_owned(),
    };
    assert_eq!(game.on_event(writes("Bert")), []);
    let mut game = Progress::new(String::new(), White, White, 0, true);
    game.on_event(whole(""));
    assert_eq!(game.on_event(writes("Anna")), []);
    assert_eq!(
        game.on_event(writes("Bert")),
        told(Notice::Writes("hello".to_owned()))
    );
}
