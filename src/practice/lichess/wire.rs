//! The part of the board API of lichess.org that a game needs: reads lines, and makes requests.
//! Pure.

use std::time::Duration;

use annexd::persons::Sides;
use serde_json::Value;
use shakmaty::Color;

/// How many letters are kept of a name, and of a text that somebody writes.
const NAME_MAX: usize = 40;
const TEXT_MAX: usize = 200;

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// A game of this player is being played.
    GameGoesOn(Going),
    /// Somebody sends a challenge.
    Challenge(Challenge),
    /// The challenge with this id is no longer open.
    Withdrawn(String),
    /// A challenge was declined. The text is the server's id of the person it was for.
    Declined(String),
    /// The whole of a game.
    Whole(Box<Whole>),
    /// The state of a game.
    State(ServerState),
    /// The other player has gone, with the seconds until the game can be claimed; or he is back.
    Gone { is_gone: bool, seconds: Option<u32> },
    /// Somebody writes something to the players.
    Writes { by: String, text: String },
    /// Lines that do not matter here.
    Talk,
    /// A line that the server never writes.
    Nonsense,
}

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Going {
    pub(super) id: String,
    pub(super) side: Color,
    /// Whether it can be played from here.
    pub(super) is_for_boards: bool,
}

/// A challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Challenge {
    pub(super) id: String,
    /// The challenger: the server's id, and his name.
    pub(super) by: String,
    pub(super) name: String,
    /// Whether it is standard chess with a clock.
    pub(super) is_playable: bool,
    pub(super) is_rated: bool,
    /// The time and the increment.
    pub(super) clock: Option<(Duration, Duration)>,
}

/// The whole of a game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Whole {
    /// The players: the server's ids, and their names.
    pub(super) ids: Sides<String>,
    pub(super) names: Sides<String>,
    /// The time and the increment.
    pub(super) clock: Option<(Duration, Duration)>,
    /// The starting position, if it is not the usual one.
    pub(super) start: Option<String>,
    pub(super) is_usual_chess: bool,
    pub(super) state: ServerState,
}

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerState {
    pub(super) moves: Vec<String>,
    pub(super) left: Sides<Duration>,
    pub(super) status: String,
    pub(super) winner: Option<Color>,
    pub(super) offers_draw: Sides<bool>,
    pub(super) wants_back: Sides<bool>,
    /// How many seconds are left for the first move.
    pub(super) first_move_in: Option<u32>,
}

/// Returns the meaning of a line that is not empty.
pub(super) fn read(line: &str) -> Event {
    let Ok(value) = serde_json::from_str::<Value>(line) else {
        return Event::Nonsense;
    };
    let found = match text(&value, "/type") {
        Some("gameStart") => going(&value).map(Event::GameGoesOn),
        Some("challenge") => challenge(&value).map(Event::Challenge),
        Some("challengeCanceled") => id(&value, "/challenge/id").map(Event::Withdrawn),
        Some("challengeDeclined") => {
            text(&value, "/challenge/destUser/id").map(|by| Event::Declined(by.to_owned()))
        }
        Some("gameFull") => whole(&value).map(|it| Event::Whole(Box::new(it))),
        Some("gameState") => state(&value).map(Event::State),
        Some("opponentGone") => flag(&value, "/gone").map(|is_gone| Event::Gone {
            is_gone,
            seconds: number(&value, "/claimWinInSeconds"),
        }),
        Some("chatLine") => writes(&value),
        Some(_) => Some(Event::Talk),
        // A challenge that is kept open ends with one word.
        None => match (text(&value, "/done"), value.is_object()) {
            (_, true) => Some(Event::Talk),
            (_, false) => None,
        },
    };
    found.unwrap_or(Event::Nonsense)
}

fn text<'a>(value: &'a Value, place: &str) -> Option<&'a str> {
    value.pointer(place)?.as_str()
}

fn flag(value: &Value, place: &str) -> Option<bool> {
    value.pointer(place)?.as_bool()
}

fn number(value: &Value, place: &str) -> Option<u32> {
    u32::try_from(value.pointer(place)?.as_u64()?).ok()
}

fn millis(value: &Value, place: &str) -> Option<Duration> {
    let millis = value.pointer(place)?.as_i64()?;
    Some(Duration::from_millis(u64::try_from(millis).unwrap_or(0)))
}

/// Returns whether a text can be part of an address without changing what is asked for.
pub(super) fn is_id(text: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    !text.is_empty() && text.len() <= NAME_MAX && text.chars().all(is_plain)
}

fn id(value: &Value, place: &str) -> Option<String> {
    Some(text(value, place)?.to_owned()).filter(|id| is_id(id))
}

/// Returns a text of somebody for reading aloud, shortened and without control characters.
pub(super) fn plain(text: &str, most: usize) -> String {
    let letters = text.chars().filter(|it| !it.is_control());
    letters.take(most).collect::<String>().trim().to_owned()
}

fn name(value: &Value, place: &str) -> String {
    plain(text(value, place).unwrap_or_default(), NAME_MAX)
}

/// Returns the name of a player. The server's own chess program has a level, and a player who is
/// not logged in has no name.
fn called(value: &Value, side: Color) -> String {
    let name = name(value, &format!("/{side}/name"));
    match number(value, &format!("/{side}/aiLevel")) {
        _ if !name.is_empty() => name,
        Some(level) => format!("Stockfish {level}"),
        None => "Anonymous".to_owned(),
    }
}

fn color(value: &Value, place: &str) -> Option<Color> {
    match text(value, place)? {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

fn going(value: &Value) -> Option<Going> {
    let game = id(value, "/game/gameId").or_else(|| id(value, "/game/id"))?;
    let is_slow = text(value, "/game/speed") == Some("correspondence");
    Some(Going {
        id: game,
        side: color(value, "/game/color")?,
        is_for_boards: flag(value, "/game/compat/board").unwrap_or(true) && !is_slow,
    })
}

fn challenge(value: &Value) -> Option<Challenge> {
    let is_usual = matches!(
        text(value, "/challenge/variant/key"),
        Some("standard" | "fromPosition")
    );
    let time = value.pointer("/challenge/timeControl/limit");
    let time = time.and_then(Value::as_u64).map(Duration::from_secs);
    let bonus = value.pointer("/challenge/timeControl/increment");
    let bonus = bonus.and_then(Value::as_u64).map(Duration::from_secs);
    let clock = time.zip(bonus);
    let is_for_boards = flag(value, "/compat/board").unwrap_or(true);
    Some(Challenge {
        id: id(value, "/challenge/id")?,
        by: text(value, "/challenge/challenger/id")?.to_owned(),
        name: name(value, "/challenge/challenger/name"),
        is_playable: is_usual && is_for_boards && clock.is_some(),
        is_rated: flag(value, "/challenge/rated").unwrap_or(false),
        clock,
    })
}

fn whole(value: &Value) -> Option<Whole> {
    let is_usual_chess = matches!(
        text(value, "/variant/key"),
        Some("standard" | "fromPosition")
    );
    let of = |side: Color, what: &str| format!("/{side}/{what}");
    Some(Whole {
        ids: Sides::from_fn(|side| text(value, &of(side, "id")).unwrap_or_default().to_owned()),
        names: Sides::from_fn(|side| called(value, side)),
        clock: millis(value, "/clock/initial").zip(millis(value, "/clock/increment")),
        start: text(value, "/initialFen")
            .filter(|fen| *fen != "startpos")
            .map(str::to_owned),
        is_usual_chess,
        state: state(value.pointer("/state")?)?,
    })
}

fn state(value: &Value) -> Option<ServerState> {
    let moves = text(value, "/moves")?.split_whitespace();
    let is_move = |it: &str| it.len() <= 5 && it.bytes().all(|it| it.is_ascii_alphanumeric());
    let moves: Vec<String> = moves.map(str::to_owned).collect();
    let both = |white: &str, black: &str| Sides {
        white: flag(value, white).unwrap_or(false),
        black: flag(value, black).unwrap_or(false),
    };
    let state = ServerState {
        left: Sides {
            white: millis(value, "/wtime")?,
            black: millis(value, "/btime")?,
        },
        status: text(value, "/status")?.to_owned(),
        winner: color(value, "/winner"),
        offers_draw: both("/wdraw", "/bdraw"),
        wants_back: both("/wtakeback", "/btakeback"),
        first_move_in: first_move_in(value),
        moves,
    };
    state.moves.iter().all(|it| is_move(it)).then_some(state)
}

/// Returns the seconds left for the first move. Before both have moved, a game is aborted if
/// somebody takes too long.
fn first_move_in(value: &Value) -> Option<u32> {
    let whole = millis(value, "/expiration/millisToMove")?;
    let gone = millis(value, "/expiration/idleMillis").unwrap_or_default();
    u32::try_from(whole.saturating_sub(gone).as_secs()).ok()
}

fn writes(value: &Value) -> Option<Event> {
    if text(value, "/room")? != "player" {
        return Some(Event::Talk);
    }
    let (by, text) = (name(value, "/username"), text(value, "/text")?);
    let text = plain(text, TEXT_MAX);
    Some(match text.is_empty() {
        true => Event::Talk,
        false => Event::Writes { by, text },
    })
}

/// Returns the server's reason for a refusal.
pub(super) fn reason(body: &str) -> String {
    let value = serde_json::from_str::<Value>(body).unwrap_or_default();
    plain(text(&value, "/error").unwrap_or_default(), TEXT_MAX)
}

/// Returns whether the server itself has written this. A page of a network in between is no JSON
/// object.
pub(super) fn is_answer(body: &str) -> bool {
    serde_json::from_str::<Value>(body).is_ok_and(|it| it.is_object())
}

/// Returns the server's id and name of this player.
pub(super) fn account(body: &str) -> Option<(String, String)> {
    let value = serde_json::from_str::<Value>(body).ok()?;
    let own = text(&value, "/id")?.to_owned();
    let name = name(&value, "/username");
    Some((own, name))
}

/// A request to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Account,
    /// The events of this player.
    Events,
    /// The events of a game.
    Game(String),
    Seek(Vec<(&'static str, String)>),
    Challenge(String, Vec<(&'static str, String)>),
    AcceptChallenge(String),
    DeclineChallenge(String),
    Move {
        game: String,
        uci: String,
        offers_draw: bool,
    },
    /// Offers or accepts a draw, or declines one.
    Draw(String, bool),
    TakeBack(String, bool),
    Resign(String),
    Abort(String),
    ClaimVictory(String),
}

impl Request {
    /// The path of the request.
    pub(super) fn path(&self) -> String {
        let yes = |is_yes: bool| if is_yes { "yes" } else { "no" };
        match self {
            Self::Account => "/api/account".to_owned(),
            Self::Events => "/api/stream/event".to_owned(),
            Self::Game(game) => format!("/api/board/game/stream/{game}"),
            Self::Seek(_) => "/api/board/seek".to_owned(),
            Self::Challenge(name, _) => format!("/api/challenge/{name}"),
            Self::AcceptChallenge(id) => format!("/api/challenge/{id}/accept"),
            Self::DeclineChallenge(id) => format!("/api/challenge/{id}/decline"),
            Self::Move {
                game,
                uci,
                offers_draw,
            } => {
                let offer = if *offers_draw {
                    "?offeringDraw=true"
                } else {
                    ""
                };
                format!("/api/board/game/{game}/move/{uci}{offer}")
            }
            Self::Draw(game, is_yes) => format!("/api/board/game/{game}/draw/{}", yes(*is_yes)),
            Self::TakeBack(game, is_yes) => {
                format!("/api/board/game/{game}/takeback/{}", yes(*is_yes))
            }
            Self::Resign(game) => format!("/api/board/game/{game}/resign"),
            Self::Abort(game) => format!("/api/board/game/{game}/abort"),
            Self::ClaimVictory(game) => format!("/api/board/game/{game}/claim-victory"),
        }
    }

    /// Returns whether it only reads.
    pub(super) const fn is_question(&self) -> bool {
        matches!(self, Self::Account | Self::Events | Self::Game(_))
    }

    /// The form that is sent with it.
    pub(super) fn form(&self) -> &[(&'static str, String)] {
        match self {
            Self::Seek(form) | Self::Challenge(_, form) => form,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests;
