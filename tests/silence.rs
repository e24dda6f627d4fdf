//! Silent legality: until the Laws allow otherwise, what players hear is the same, word by word
//! and moment by moment, whether a move is legal or not.

use annexd::board::Fact;
use annexd::game::{Act, DeviceApproval, Effect, Game, Input, Means, Profile, Ruling, Sensors};
use annexd::moment::Moment;
use annexd::notation::{Announcement, MoveAnnouncement};
use annexd::persons::{Channel, Person};
use annexd::phrases::Argument;
use proptest::prelude::*;
use shakmaty::{Chess, Color, Position, Role, Square};

/// A game with White blind, started, from a position reached by random legal moves.
fn game(seed: &[u8], board: Sensors) -> Game {
    let mut chess = Chess::default();
    for &byte in seed {
        let moves = chess.legal_moves();
        if moves.is_empty() {
            break;
        }
        chess.play_unchecked(moves[usize::from(byte) % moves.len()]);
    }
    if chess.turn() == Color::Black {
        let moves = chess.legal_moves();
        if let Some(first) = moves.first() {
            chess.play_unchecked(*first);
        }
    }
    let setup = chess.to_setup(shakmaty::EnPassantMode::Legal);
    let mut profile = Profile {
        start: shakmaty::fen::Fen::try_from_setup(setup).ok(),
        time_control: "90m+30s".parse().ok(),
        device: Some(DeviceApproval {
            by: "arbiter".to_owned(),
            scope: "the game".to_owned(),
        }),
        ..Profile::default()
    };
    profile.sides.white.board = board;
    let mut game = Game::new(profile);
    game.handle(Moment::START, Input::Ruling(Ruling::Start));
    game
}

/// Everything that players can hear or see of one effect, with the names of the squares and
/// pieces of this announcement taken out.
fn heard(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Say {
            channel: Channel::Arbiter | Channel::Assistant(_),
            ..
        }
        | Effect::Propose { .. } => None,
        Effect::Say {
            channel,
            phrase,
            priority,
            ..
        } => {
            let arguments: Vec<String> = phrase
                .arguments
                .iter()
                .map(|argument| match argument {
                    Argument::Move(_) => "move".to_owned(),
                    other => format!("{other:?}"),
                })
                .collect();
            Some(format!(
                "{channel} {:?} {arguments:?} {priority:?}",
                phrase.key
            ))
        }
        other => Some(format!("{other:?}")),
    }
}

/// Plays one announcement, placed as announced, and pressed: what is heard, moment by moment.
fn played(mut game: Game, said: &Announcement, from: Square, to: Square) -> Vec<(u64, String)> {
    let white = Person::Player(Color::White);
    let mut heard_so_far = Vec::new();
    let senses = game.profile().sides.white.board != Sensors::None;
    let mut steps = vec![(
        1000,
        Input::Act {
            person: white,
            act: Act::Announce(said.clone()),
        },
    )];
    if senses {
        for (at, square) in [(2000, to), (2500, from)] {
            if at == 2500 || game.placement(Color::White).piece_at(square).is_some() {
                let fact = Fact::Lifted {
                    square,
                    piece: None,
                };
                steps.push((
                    at,
                    Input::Board {
                        board: Color::White,
                        fact,
                    },
                ));
            }
        }
        let fact = Fact::Placed {
            square: to,
            piece: None,
        };
        steps.push((
            3000,
            Input::Board {
                board: Color::White,
                fact,
            },
        ));
    }
    steps.push((
        4000,
        Input::Pressed {
            side: Color::White,
            means: Means::Key(white),
        },
    ));
    for (at, input) in steps {
        for effect in game.handle(Moment::from_ms(at), input) {
            heard_so_far.extend(heard(&effect).map(|text| (at, text)));
        }
    }
    heard_so_far.extend(
        game.deadline()
            .map(|due| (due.as_ms(), "deadline".to_owned())),
    );
    heard_so_far
}

fn squares() -> impl Strategy<Value = Square> {
    (0u32..64).prop_map(Square::new)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A legal move and any other move of the same form sound the same. Moves that end the game
    /// are left out: there the Laws allow otherwise (5.1.1).
    #[test]
    fn legal_and_illegal_announcements_sound_the_same(
        seed in prop::collection::vec(any::<u8>(), 0..40),
        choice in any::<prop::sample::Index>(),
        to in squares(),
        with_sensors in any::<bool>(),
    ) {
        let board = if with_sensors { Sensors::Occupancy } else { Sensors::None };
        let start = game(&seed, board);
        prop_assume!(start.turn() == Color::White);
        let position = start.position().clone();
        let setup = start.profile().start.clone().unwrap().into_setup();
        let Ok(chess) = <Chess as shakmaty::FromSetup>::from_setup(
            setup, shakmaty::CastlingMode::Standard) else { return Ok(()) };
        let quiet: Vec<_> = chess.legal_moves().into_iter().filter(|legal| {
            let mut after = chess.clone();
            after.play_unchecked(*legal);
            !legal.is_castle() && !legal.is_capture() && legal.promotion().is_none()
                && !after.is_game_over()
        }).collect();
        prop_assume!(!quiet.is_empty());
        let legal = quiet[choice.index(quiet.len())];
        let (Some(from), legal_to) = (legal.from(), legal.to()) else { return Ok(()) };
        // Another square that is empty too, so that the form of both moves is the same.
        prop_assume!(position.piece_at(to).is_none());
        let last_rank = legal.role() == Role::Pawn && to.rank() == shakmaty::Rank::Eighth;
        // A pawn that goes aslant to an empty square has the form of en passant, legal or not.
        let is_aslant = legal.role() == Role::Pawn && to.file() != from.file();
        prop_assume!(!last_rank && !is_aslant);
        let say = |to| Announcement::Move(MoveAnnouncement {
            piece: Some(legal.role()), from: Some(from), to,
            capture: false, promotion: None, mark: None,
        });
        let one = played(start.clone(), &say(legal_to), from, legal_to);
        let other = played(start, &say(to), from, to);
        prop_assert_eq!(one, other);
    }

    /// Castling sounds the same whether it is allowed or not, and so do short forms.
    #[test]
    fn castling_and_short_forms_sound_the_same_everywhere(
        seed in prop::collection::vec(any::<u8>(), 0..40),
        king_side in any::<bool>(),
        role in 0usize..6,
        to in squares(),
    ) {
        let start = game(&seed, Sensors::None);
        prop_assume!(start.turn() == Color::White);
        let castling = Announcement::of_castling(shakmaty::CastlingSide::from_king_side(king_side));
        let words = played(start.clone(), &castling, Square::E1, Square::G1);
        let always: Vec<&str> = words.iter().map(|(_, text)| text.split(' ').next().unwrap())
            .collect();
        let over = words.iter().any(|(_, text)| text.contains("Play"));
        prop_assert!(!over && always.first() == Some(&"TABLE"), "{words:?}");
        // A short form asks for its origin by the number of such pieces, and by nothing else.
        let piece = Role::ALL[role];
        let last_rank = piece == Role::Pawn && to.rank() == shakmaty::Rank::Eighth;
        prop_assume!(!last_rank);
        let short = Announcement::Move(MoveAnnouncement {
            piece: Some(piece), from: None, to, capture: false, promotion: None, mark: None,
        });
        let pieces = start.position().by_color(Color::White) & start.position().by_role(piece);
        let words = played(start, &short, Square::E2, to);
        let asked = words.iter().any(|(_, text)| text.contains("FromWhere"));
        prop_assert_eq!(asked, pieces.count() != 1);
    }
}
