//! Silent legality: until the Laws allow otherwise, what players hear is the same, word by word
//! and moment by moment, whether a move is legal or not.

use annexd::board::Fact;
use annexd::game::{
    Act, Command, DeviceApproval, Effect, Game, Heard, Input, Means, Origin, Profile, Ruling, Said,
    Sensors,
};
use annexd::laws::{ImmediateEnd, immediate_end};
use annexd::moment::Moment;
use annexd::notation::{Announcement, MoveAnnouncement};
use annexd::persons::{Channel, Person};
use annexd::phrases::Argument;
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, FromSetup, Move, Piece, Position, PositionError,
    Role, Setup, Square,
};

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
        start: Fen::try_from_setup(setup).ok(),
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
        | Effect::Propose { .. }
        | Effect::Explain(_) => None,
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
        let Ok(chess) = <Chess as FromSetup>::from_setup(
            setup, CastlingMode::Standard) else { return Ok(()) };
        let ends = |legal: &Move| {
            let mut after = chess.clone();
            after.play_unchecked(*legal);
            after.is_game_over()
        };
        let quiet: Vec<_> = chess.legal_moves().into_iter().filter(|legal| {
            !legal.is_castle() && !legal.is_capture() && legal.promotion().is_none()
                && !ends(legal)
        }).collect();
        prop_assume!(!quiet.is_empty());
        let legal = quiet[choice.index(quiet.len())];
        let (Some(from), legal_to) = (legal.from(), legal.to()) else { return Ok(()) };
        // Another square that is empty too, so that the form of both moves is the same.
        prop_assume!(position.piece_at(to).is_none());
        // It may be where another legal move goes.
        let is_there = |it: &Move| it.from() == Some(from) && it.to() == to;
        prop_assume!(!chess.legal_moves().iter().any(|it| is_there(it) && ends(it)));
        let last_rank = legal.role() == Role::Pawn && to.rank() == shakmaty::Rank::Eighth;
        // A pawn that goes aslant to an empty square has the form of en passant, legal or not.
        let is_aslant = legal.role() == Role::Pawn && to.file() != from.file();
        prop_assume!(!last_rank && !is_aslant);
        let say = |to| Announcement::Move(MoveAnnouncement {
            piece: Some(legal.role()), from: Some(from), to,
            capture: false, promotion: None, mark: None,
        });
        // A king's two squares towards his rook are castling, whose rook stands on the board too.
        let is_castling = |said: &Announcement| match said {
            Announcement::Move(said) => said.castles_as_king().is_some(),
            Announcement::Castling(_) => true,
        };
        prop_assume!(!is_castling(&say(to)));
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
        let castling = Announcement::of_castling(CastlingSide::from_king_side(king_side));
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

/// How a move is announced and by whom it is played, besides what it is.
#[derive(Clone, Copy, Debug)]
struct Manner {
    board: Sensors,
    both_blind: bool,
    by_voice: bool,
    says_origin: bool,
    says_capture: bool,
    /// The recogniser heard two readings that are close: both are asked.
    unclear: bool,
    repeats_wrong: bool,
    /// He corrects what he has said, and says the same again.
    corrects: bool,
    /// Whether there is an arbiter.
    arbiter: bool,
    /// What both ask or offer by key while the move is on its way.
    asks: Command,
}

fn manners() -> impl Strategy<Value = Manner> {
    let boards = prop::sample::select(vec![Sensors::None, Sensors::Occupancy, Sensors::Pieces]);
    let asks = prop::sample::select(vec![
        Command::Time,
        Command::TimeInFull,
        Command::Why,
        Command::Shorter,
        Command::Longer,
        Command::Moves,
        Command::LastMove,
        Command::Turn,
        Command::Repeat,
        Command::ReadScore,
        Command::OpenOffer,
        Command::OfferDraw,
        Command::Adjust,
        Command::Help,
        Command::Stop,
        Command::ClaimRepetition,
        Command::ClaimFiftyMoves,
        Command::Arbiter,
    ]);
    (boards, any::<[bool; 8]>(), asks).prop_map(|(board, flags, asks)| Manner {
        board,
        both_blind: flags[0],
        by_voice: flags[1],
        says_origin: flags[2],
        says_capture: flags[3],
        unclear: flags[4],
        repeats_wrong: flags[5],
        corrects: flags[6],
        arbiter: flags[7],
        asks,
    })
}

/// A game from any placement, legal or not, with White to move.
fn game_from(setup: &Setup, manner: Manner) -> Game {
    let mut profile = Profile {
        start: Fen::try_from_setup(setup.clone()).ok(),
        time_control: "90m+30s".parse().ok(),
        device: Some(DeviceApproval {
            by: "arbiter".to_owned(),
            scope: "the game".to_owned(),
        }),
        ..Profile::default()
    };
    profile.arbiter = manner.arbiter;
    profile.sides.white.board = manner.board;
    profile.sides.black.visually_disabled = manner.both_blind;
    profile.sides.black.ear = manner.both_blind;
    let mut game = Game::new(profile);
    game.handle(Moment::START, Input::Ruling(Ruling::Start));
    game
}

/// Somebody asks, offers or claims by key.
fn asks(person: Person, command: Command) -> Input {
    Input::heard(
        Origin::Console(person),
        Heard::Clear(Said::Command(command)),
    )
}

/// Everything that players hear and see of one whole move, word by word and moment by moment, to
/// the next deadline; `hands` are the squares that White's hands leave and come to, in order.
fn everything(mut game: Game, said: &Announcement, manner: Manner, hands: &[Fact]) -> Vec<String> {
    let [white, black] = Color::ALL.map(Person::Player);
    let voice = |heard| Input::heard(Origin::Microphone(Some(Color::White)), heard);
    let mut steps = Vec::new();
    if manner.unclear {
        let other = Announcement::of_move(Role::Queen, Square::D1, Square::H5);
        let readings = vec![Said::Move(said.clone()), Said::Move(other)];
        steps.push((500, voice(Heard::Unclear(readings))));
    }
    steps.push(if manner.by_voice {
        (1000, voice(Heard::Clear(Said::Move(said.clone()))))
    } else {
        let act = Act::Announce(said.clone());
        (1000, Input::Act { person: white, act })
    });
    let asked_by = |person| asks(person, manner.asks);
    // A claim or a call stops play: only one who has made his move asks for that.
    let stops = matches!(
        manner.asks,
        Command::ClaimRepetition | Command::ClaimFiftyMoves | Command::Arbiter
    );
    if !stops {
        steps.push((1200, asked_by(white)));
    }
    if manner.corrects {
        let act = Act::Correct(Some(said.clone()));
        steps.push((1300, Input::Act { person: white, act }));
    }
    let board = Color::White;
    if manner.board == Sensors::None {
        let act = Act::Moved;
        steps.push((1500, Input::Act { person: white, act }));
    } else {
        for (number, fact) in hands.iter().enumerate() {
            let fact = fact.clone();
            steps.push((2000 + 100 * number as u64, Input::Board { board, fact }));
        }
    }
    let repeated = if manner.repeats_wrong {
        Announcement::of_move(Role::Queen, Square::D1, Square::H5)
    } else {
        said.clone()
    };
    let act = Act::Repeat(repeated);
    steps.push((3000, Input::Act { person: black, act }));
    let means = Means::Key(white);
    let side = Color::White;
    steps.push((4000, Input::Pressed { side, means }));
    steps.push((4500, asked_by(black)));
    let mut all = Vec::new();
    for (at, input) in steps {
        for effect in game.handle(Moment::from_ms(at), input) {
            let is_players = !matches!(
                effect,
                Effect::Propose { .. }
                    | Effect::Explain(_)
                    | Effect::Say {
                        channel: Channel::Arbiter | Channel::Assistant(_),
                        ..
                    }
            );
            // Utterances are numbered across all channels; the numbers are heard by nobody.
            all.extend(is_players.then(|| match effect {
                Effect::Say {
                    channel,
                    phrase,
                    priority,
                    ..
                } => format!("{at} {channel} {phrase:?} {priority:?}"),
                other => format!("{at} {other:?}"),
            }));
        }
        all.push(format!("{at} due {:?}", game.deadline()));
    }
    all
}

/// What hands do on the board for a move that is made as announced.
fn hands_for(setup: &Setup, legal: Move) -> Vec<Fact> {
    let lifted = |square| Fact::Lifted {
        square,
        piece: None,
    };
    let placed = |square, role| Fact::Placed {
        square,
        piece: Some(Piece {
            color: Color::White,
            role,
        }),
    };
    let (from, to) = (legal.from().unwrap_or(legal.to()), legal.to());
    match legal {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            vec![
                lifted(king),
                lifted(rook),
                placed(side.king_to(Color::White), Role::King),
                placed(side.rook_to(Color::White), Role::Rook),
            ]
        }
        Move::EnPassant { from, to } => vec![
            lifted(Square::from_coords(to.file(), from.rank())),
            lifted(from),
            placed(to, Role::Pawn),
        ],
        _ => {
            let mut facts = Vec::new();
            if setup.board.piece_at(to).is_some() {
                facts.push(lifted(to));
            }
            facts.push(lifted(from));
            facts.push(placed(to, legal.promotion().unwrap_or(legal.role())));
            facts
        }
    }
}

/// Whether the Laws let everybody hear it at once: the move ends the game (5.1.1, 5.2).
fn ends_the_game(setup: &Setup, legal: Move) -> bool {
    let mode = CastlingMode::Standard;
    // A piece too many, as the twin may have, keeps nobody from mating with it.
    let chess = <Chess as FromSetup>::from_setup(setup.clone(), mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square);
    let Ok(mut chess) = chess else {
        return false;
    };
    let is_legal = chess.is_legal(legal);
    if is_legal {
        chess.play_unchecked(legal);
    }
    is_legal && matches!(immediate_end(&chess), ImmediateEnd::Ended(_))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// The same words and hands sound the same on a board where the move is legal and on one that
    /// differs only in what makes it illegal: a pin, a check, a right that was lost, a piece
    /// elsewhere. Captures, castling, promotions, en passant and short forms are among them.
    #[test]
    fn the_same_words_sound_the_same_where_they_are_legal_and_where_not(
        seed in prop::collection::vec(any::<u8>(), 0..60),
        choice in any::<prop::sample::Index>(),
        prefers_special in any::<bool>(),
        intruder in (0usize..4, squares()),
        loses_rights in any::<bool>(),
        manner in manners(),
    ) {
        let mut chess = Chess::default();
        for &byte in &seed {
            let moves = chess.legal_moves();
            if moves.is_empty() {
                break;
            }
            chess.play_unchecked(moves[usize::from(byte) % moves.len()]);
        }
        let mut setup = chess.to_setup(shakmaty::EnPassantMode::Legal);
        if setup.turn == Color::Black {
            setup.turn = Color::White;
            setup.ep_square = None;
        }
        let Ok(chess) = <Chess as FromSetup>::from_setup(setup.clone(), CastlingMode::Standard)
        else { return Ok(()) };
        let moves = chess.legal_moves();
        let special: Vec<Move> = moves.iter().copied().filter(|legal| {
            legal.is_castle() || legal.is_capture() || legal.promotion().is_some()
        }).collect();
        let from = if prefers_special && !special.is_empty() { &special[..] } else { &moves[..] };
        prop_assume!(!from.is_empty());
        let legal = from[choice.index(from.len())];
        let said = match legal.castling_side() {
            Some(side) => Announcement::of_castling(side),
            None => Announcement::Move(MoveAnnouncement {
                piece: Some(legal.role()),
                from: legal.from().filter(|_| manner.says_origin),
                to: legal.to(),
                capture: legal.is_capture() && manner.says_capture,
                promotion: legal.promotion(),
                mark: None,
            }),
        };
        // The twin: one more piece of Black where nobody stands and nothing of the move happens.
        let hands = hands_for(&setup, legal);
        let (kind, square) = intruder;
        let mut twin = setup.clone();
        let handled = hands.iter().any(|fact| match fact {
            Fact::Lifted { square: at, .. } | Fact::Placed { square: at, .. } => *at == square,
            Fact::Settled(_) => false,
        });
        if !handled && twin.board.piece_at(square).is_none() {
            let role = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight][kind];
            twin.board.set_piece_at(square, Piece { color: Color::Black, role });
        }
        if loses_rights {
            twin.castling_rights = shakmaty::Bitboard::EMPTY;
            twin.ep_square = None;
        }
        prop_assume!(!ends_the_game(&setup, legal) && !ends_the_game(&twin, legal));
        let one = everything(game_from(&setup, manner), &said, manner, &hands);
        let other = everything(game_from(&twin, manner), &said, manner, &hands);
        prop_assert_eq!(one, other, "{:?} on {}", legal, twin.board);
    }
}
