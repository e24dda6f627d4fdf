//! One game in two places: its state on the server, its state at the table, and what brings both
//! into agreement. Pure: it knows no time and no network.

use std::time::Duration;

use annexd::game::{ElsewhereEnd, ElsewhereNotice, ElsewhereWish, ServerMove};
use annexd::laws::Termination;
use annexd::persons::Sides;
use shakmaty::Color;

use super::wire::{Event, Request, ServerState};

/// How many moves are made before a clock runs on the server.
const UNCLOCKED: usize = 2;

/// An order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ProgressAction {
    /// Tell the game something.
    Tell(ElsewhereNotice),
    /// Give the game the times.
    ReadClock(Sides<Duration>, Option<Color>),
    /// Begin the game.
    Start,
    /// Continue a stopped game, because the server's clock runs.
    GoOn,
    /// Announce and make at the table a move that was played on the server.
    Play(Color, String),
    /// Send a request to the server.
    Ask(Request),
    /// Read the whole game again, because what the server has written is doubtful.
    OpenAgain,
}

/// What the table waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Awaits {
    /// It was not looked at yet.
    #[default]
    Unknown,
    /// The start.
    Start,
    /// Nothing, until somebody continues the game.
    Nothing,
    /// A move of the person elsewhere, after so many moves.
    Move(usize),
    /// Something else.
    Another,
}

/// The state of the game at the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct View {
    pub(super) awaits: Awaits,
    pub(super) written: Vec<ServerMove>,
    /// Whether the player's draw offer is open.
    pub(super) offers_draw: bool,
    pub(super) is_over: bool,
}

/// Both places.
#[derive(Debug)]
pub(super) struct Progress {
    game: String,
    player: Color,
    /// Who had the move when the game was taken up here, and after how many moves.
    first: Color,
    after: usize,
    hears_chat: bool,
    /// The server's name for the other player.
    other_name: String,
    server: Option<ServerState>,
    view: View,
    has_started: bool,
    /// After how many moves at the table the next one was announced there.
    played: Option<usize>,
    /// After how many moves the player's move was sent.
    sent: Option<usize>,
    /// After how many moves the server has refused it.
    refused: Option<usize>,
    /// To how many moves the table is told to go back.
    goes_back_to: Option<usize>,
    /// Whether moves that only the table has were taken back on the server.
    is_taken_back: bool,
    has_sent_offer: bool,
    /// Whether the player knows how much time he has for his first move.
    knows_first_move: bool,
    is_over: bool,
}

impl Progress {
    /// Makes a game of which neither place is known yet.
    pub(super) fn new(game: String, player: Color, first: Color, after: usize, chat: bool) -> Self {
        Self {
            game,
            player,
            first,
            after,
            hears_chat: chat,
            other_name: String::new(),
            server: None,
            view: View::default(),
            has_started: false,
            played: None,
            sent: None,
            refused: None,
            goes_back_to: None,
            is_taken_back: false,
            has_sent_offer: false,
            knows_first_move: false,
            is_over: false,
        }
    }

    /// Returns whether the server has ended the game.
    pub(super) fn has_ended(&self) -> bool {
        self.is_over || self.server.as_ref().is_some_and(|it| !is_going(it))
    }

    /// Handles an event of the server.
    pub(super) fn on_event(&mut self, event: Event) -> Vec<ProgressAction> {
        match event {
            Event::Whole(whole) => {
                self.other_name.clone_from(&whole.names[!self.player]);
                // Moves that were on their way are in it, or did not arrive.
                (self.sent, self.played) = (None, None);
                self.stands(whole.state, true)
            }
            Event::State(state) => self.stands(state, false),
            Event::Gone { is_gone, seconds } => vec![ProgressAction::Tell(match is_gone {
                true => ElsewhereNotice::OpponentGone(seconds),
                false => ElsewhereNotice::OpponentBack,
            })],
            // The server itself writes there too.
            Event::Writes { by, text } if self.hears_chat && by == self.other_name => {
                vec![ProgressAction::Tell(ElsewhereNotice::Writes(text))]
            }
            _ => Vec::new(),
        }
    }

    fn stands(&mut self, state: ServerState, is_whole: bool) -> Vec<ProgressAction> {
        if self.is_over {
            return Vec::new();
        }
        let (mut offers_draw, mut wants_back) = (Sides::default(), Sides::default());
        if let Some(before) = &self.server {
            (offers_draw, wants_back) = (before.offers_draw, before.wants_back);
            // Fewer moves than before mean a move taken back, or a line that came twice.
            let goes_back = !state.moves.starts_with(&before.moves);
            let is_wanted = wants_back.white || wants_back.black;
            if goes_back && !is_wanted && !is_whole {
                return vec![ProgressAction::OpenAgain];
            }
            if goes_back {
                wants_back = Sides::default();
                self.is_taken_back = self.after + self.view.written.len() > state.moves.len();
            }
        }
        let mut actions = Vec::new();
        let (own, other) = (self.player, !self.player);
        if is_going(&state) {
            let now = state.offers_draw;
            for side in [own, other] {
                if offers_draw[side] && !now[side] {
                    actions.push(ProgressAction::Tell(ElsewhereNotice::OfferGone(side)));
                }
            }
            if now[other] && !offers_draw[other] {
                actions.push(ProgressAction::Tell(ElsewhereNotice::OffersDraw));
            }
            if state.wants_back[other] && !wants_back[other] {
                actions.push(ProgressAction::Tell(ElsewhereNotice::WantsTakeBack));
            }
            if wants_back[other] && !state.wants_back[other] {
                actions.push(ProgressAction::Tell(ElsewhereNotice::WantsNoTakeBack));
            }
            let seconds = state
                .first_move_in
                .filter(|_| self.mover(state.moves.len()) == own && !self.knows_first_move);
            if let Some(seconds) = seconds {
                self.knows_first_move = true;
                actions.push(ProgressAction::Tell(ElsewhereNotice::FirstMoveDue(seconds)));
            }
            if wants_back[own] && !state.wants_back[own] {
                actions.push(ProgressAction::Tell(ElsewhereNotice::TakeBackDeclined));
            }
        }
        actions.push(ProgressAction::ReadClock(state.left, self.running(&state)));
        self.server = Some(state);
        actions.extend(self.agree());
        actions
    }

    /// Returns whose clock runs on the server.
    fn running(&self, state: &ServerState) -> Option<Color> {
        let runs = is_going(state) && state.moves.len() >= UNCLOCKED;
        runs.then(|| self.mover(state.moves.len()))
    }

    /// Returns who makes the move after so many on the server.
    fn mover(&self, moves: usize) -> Color {
        let is_first = moves % 2 == self.after % 2;
        if is_first { self.first } else { !self.first }
    }

    /// Handles a state of the game at the table.
    pub(super) fn on_view(&mut self, view: View) -> Vec<ProgressAction> {
        if view == self.view {
            return Vec::new();
        }
        if view.awaits != self.view.awaits {
            self.played = None;
        }
        let stands_newly = view.awaits == Awaits::Nothing && self.view.awaits != Awaits::Nothing;
        self.view = view;
        let mut actions = self.agree();
        if stands_newly && !self.is_over {
            actions.push(ProgressAction::GoOn);
        }
        actions
    }

    /// Returns what brings both places into agreement.
    fn agree(&mut self) -> Vec<ProgressAction> {
        let Some(server) = self.server.clone() else {
            return Vec::new();
        };
        if self.is_over || self.view.is_over || self.view.awaits == Awaits::Unknown {
            return Vec::new();
        }
        if self.view.awaits == Awaits::Start {
            if std::mem::replace(&mut self.has_started, true) {
                return Vec::new();
            }
            let running = self.running(&server);
            return vec![
                ProgressAction::Start,
                ProgressAction::ReadClock(server.left, running),
            ];
        }
        let made = server.moves.get(self.after..).unwrap_or_default();
        let written = std::mem::take(&mut self.view.written);
        let both = written.iter().zip(made);
        let common = both.take_while(|(here, there)| here.is(there)).count();
        let mut actions = self.bring_together(&server, made, &written, common);
        let is_sent = written.len() == common;
        if !self.view.offers_draw {
            self.has_sent_offer = false;
        } else if is_sent && is_going(&server) && !self.has_sent_offer {
            self.has_sent_offer = true;
            actions.push(ProgressAction::Ask(Request::Draw(self.game.clone(), true)));
        }
        let is_complete = common == made.len() || self.view.awaits == Awaits::Nothing;
        if !is_going(&server) && is_complete {
            self.is_over = true;
            if written.len() > common && self.goes_back_to.is_none() {
                let plies = u32::try_from(common).unwrap_or(u32::MAX);
                actions.push(ProgressAction::Tell(ElsewhereNotice::TakenBack(plies)));
            }
            let end = end_of(&server, self.mover(server.moves.len()));
            actions.push(ProgressAction::Tell(ElsewhereNotice::Over(end)));
        }
        self.view.written = written;
        actions
    }

    fn bring_together(
        &mut self,
        server: &ServerState,
        made: &[String],
        written: &[ServerMove],
        common: usize,
    ) -> Vec<ProgressAction> {
        if written.len() == common {
            (self.goes_back_to, self.is_taken_back) = (None, false);
        } else if self.goes_back_to.is_some() {
            // It is on its way.
            return Vec::new();
        }
        let plies = u32::try_from(common).unwrap_or(u32::MAX);
        let mover = self.mover(self.after + common);
        let Some(here) = written.get(common) else {
            let awaits = self.view.awaits == Awaits::Move(common) || mover == self.player;
            let Some(there) = made.get(common).filter(|_| awaits) else {
                return Vec::new();
            };
            let is_new = self.played.replace(common) != Some(common);
            return match is_new {
                true => vec![ProgressAction::Play(mover, there.clone())],
                false => Vec::new(),
            };
        };
        let is_ahead = common + 1 == written.len() && common == made.len();
        let is_on_its_way = is_ahead && mover == self.player && !self.is_taken_back;
        if !is_on_its_way {
            self.goes_back_to = Some(common);
            (self.sent, self.refused, self.played) = (None, None, None);
            return vec![ProgressAction::Tell(ElsewhereNotice::TakenBack(plies))];
        }
        if !is_going(server) {
            return Vec::new();
        }
        if self.refused.take() == Some(common) {
            self.goes_back_to = Some(common);
            return vec![ProgressAction::Tell(ElsewhereNotice::MoveRefused(plies))];
        }
        if !here.is_pressed || self.sent == Some(common) {
            return Vec::new();
        }
        self.sent = Some(common);
        let offers_draw = self.view.offers_draw && !self.has_sent_offer;
        self.has_sent_offer |= offers_draw;
        vec![ProgressAction::Ask(Request::Move {
            game: self.game.clone(),
            uci: here.uci.clone(),
            offers_draw,
        })]
    }

    /// Returns the request for a wish of the player.
    pub(super) fn wants(&self, wish: ElsewhereWish) -> Request {
        let game = self.game.clone();
        match wish {
            ElsewhereWish::AcceptDraw => Request::Draw(game, true),
            ElsewhereWish::DeclineDraw => Request::Draw(game, false),
            ElsewhereWish::Resign => Request::Resign(game),
            ElsewhereWish::Abort => Request::Abort(game),
            ElsewhereWish::TakeBack | ElsewhereWish::AllowTakeBack => Request::TakeBack(game, true),
            ElsewhereWish::RefuseTakeBack => Request::TakeBack(game, false),
            ElsewhereWish::ClaimVictory => Request::ClaimVictory(game),
        }
    }

    /// Handles a refusal of the server. For a move it asks whether the move is there, because it
    /// may have been sent twice.
    pub(super) fn is_refused(&mut self, request: &Request) -> Vec<ProgressAction> {
        if self.has_ended() {
            return Vec::new();
        }
        match request {
            Request::Move { .. } => {
                self.refused = self.sent.take();
                vec![ProgressAction::OpenAgain]
            }
            _ => vec![ProgressAction::Tell(ElsewhereNotice::WishRefused)],
        }
    }
}

fn is_going(state: &ServerState) -> bool {
    matches!(state.status.as_str(), "created" | "started")
}

/// Returns how a game has ended. `on_move` is the player who had the move.
fn end_of(state: &ServerState, on_move: Color) -> ElsewhereEnd {
    use ElsewhereEnd::{Aborted, By, Drawn, Left, Unknown, Won};

    match (state.status.as_str(), state.winner) {
        ("mate", Some(winner)) => By(Termination::Checkmate(winner)),
        ("resign", Some(winner)) => By(Termination::Resignation(!winner)),
        ("stalemate", _) => By(Termination::Stalemate),
        ("outoftime", Some(winner)) => By(Termination::FlagFall(!winner)),
        ("outoftime", None) => By(Termination::FlagFallDrawn(on_move)),
        ("timeout", Some(winner)) => Left(!winner),
        ("noStart", Some(winner)) => By(Termination::Default(!winner)),
        ("draw" | "timeout" | "insufficientMaterialClaim", None) => Drawn,
        ("aborted" | "noStart", None) => Aborted,
        (_, Some(winner)) => Won(winner),
        (_, None) => Unknown,
    }
}

#[cfg(test)]
mod tests;
