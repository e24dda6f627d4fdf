//! A player who sits elsewhere and plays through a server. The game itself speaks to no server. A
//! guest of the shell reports that player's moves as a person's, and passes on the local player's
//! wishes. The server's clock counts, and only the server ends the game.

use super::notices::{ElsewhereEnd, ElsewhereNotice, ElsewhereWish};
use shakmaty::{CastlingMode, CastlingSide, Color};

use super::Game;
use super::act::Act;
use super::confirmations::Grave;
use super::effect::{Effect, Priority};
use super::phase::Phase;
use super::position::Step;
use super::profile::Sensors;
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Command;
use annexd_laws::{GameResult, ImmediateEnd, Termination};
use annexd_phrases::{Argument, PhraseKey};

/// Before this many plies a server lets a game be aborted, not resigned.
const ABORTED_BEFORE: usize = 2;

/// Plies without a capture or pawn move after which a draw can be claimed (9.3).
const FIFTY_MOVES: u32 = 100;

/// A move in the notation of servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerMove {
    /// From-square and to-square; a castling king goes to its own target square.
    pub uci: String,
    /// The move with a castling king going to its rook's square.
    pub onto_rook: Option<String>,
    /// Whether the clock was pressed for it.
    pub is_pressed: bool,
}

impl ServerMove {
    /// Whether a server that writes this means this move.
    pub fn is(&self, uci: &str) -> bool {
        self.uci == uci || self.onto_rook.as_deref() == Some(uci)
    }
}

impl Game {
    /// Whether the game is played through a server, which then decides.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.profile.side_elsewhere().is_some()
    }

    /// Whether this player's opponent sits elsewhere.
    fn plays_elsewhere(&self, side: Color) -> bool {
        self.profile.side_elsewhere() == Some(!side)
    }

    /// Whether the server is not answering.
    pub(super) const fn is_server_lost(&self) -> bool {
        self.guests.is_server_lost()
    }

    /// The moves made, in the notation of servers.
    pub fn written(&self) -> Vec<ServerMove> {
        let plays = self.course.plays().iter();
        let written = plays.map(|play| {
            let legal = play.before.legal(play.step);
            let uci = legal.map(|it| it.to_uci(CastlingMode::Standard).to_string());
            let onto_rook = match play.step {
                Step::Castling(_) => legal.map(|it| it.to_uci(CastlingMode::Chess960).to_string()),
                Step::Piece { .. } => None,
            };
            ServerMove {
                uci: uci.unwrap_or_else(|| step_in_uci(play.step, play.moving.side)),
                onto_rook,
                is_pressed: play.pressed,
            }
        });
        written.collect()
    }

    /// Takes a report about the server or about the player behind it.
    pub(super) fn elsewhere_tells(&mut self, now: Moment, notice: ElsewhereNotice) {
        let Some(other) = self.profile.side_elsewhere() else {
            return;
        };
        let player = !other;
        if self.scores.is_over() {
            return;
        }
        let number = |seconds: u32| [Argument::Number(seconds)];
        match notice {
            ElsewhereNotice::Lost(seconds) => {
                self.guests.lose_server();
                self.tell(player, PhraseKey::ServerLost, number(seconds));
            }
            ElsewhereNotice::Astray(seconds) => {
                self.guests.lose_server();
                self.tell(player, PhraseKey::ServerAstray, number(seconds));
            }
            ElsewhereNotice::Busy(seconds) => {
                self.tell(player, PhraseKey::ServerBusy, number(seconds));
            }
            ElsewhereNotice::Back => {
                if self.guests.find_server() {
                    self.tell(player, PhraseKey::ServerBack, []);
                }
            }
            ElsewhereNotice::NotLetIn => {
                self.guests.lose_server();
                self.tell(player, PhraseKey::ServerTakesNoKey, []);
            }
            ElsewhereNotice::OpponentGone(seconds) => self.other_is_gone(now, player, seconds),
            ElsewhereNotice::OpponentBack => {
                self.guests.note_gone(false);
                self.docket
                    .confirmations
                    .settle(player, ElsewhereWish::ClaimVictory);
                self.tell(player, PhraseKey::OpponentBack, []);
            }
            ElsewhereNotice::MoveRefused(plies) => {
                self.goes_back_elsewhere(now, plies, Some(PhraseKey::ServerRefusesMove));
            }
            ElsewhereNotice::TakenBack(plies) => self.goes_back_elsewhere(now, plies, None),
            ElsewhereNotice::FirstMoveDue(seconds) => {
                self.tell(player, PhraseKey::FirstMoveDue, number(seconds));
            }
            ElsewhereNotice::OffersDraw => self.offer(other),
            ElsewhereNotice::OfferGone(side) => self.offer_is_gone(player, side),
            ElsewhereNotice::WantsTakeBack => {
                let grave = Grave::Elsewhere(ElsewhereWish::AllowTakeBack);
                self.confirm_first(now, player, grave, false);
            }
            ElsewhereNotice::WantsNoTakeBack => {
                // Otherwise a late "yes" would ask to take back the player's own move.
                if self
                    .docket
                    .confirmations
                    .settle(player, ElsewhereWish::AllowTakeBack)
                {
                    self.tell(player, PhraseKey::OpponentWantsNothingBack, []);
                }
            }
            ElsewhereNotice::TakeBackDeclined => {
                self.tell(player, PhraseKey::TakeBackDeclined, []);
            }
            ElsewhereNotice::WishRefused => self.tell(player, PhraseKey::ServerRefuses, []),
            ElsewhereNotice::Writes(text) => {
                self.tell(player, PhraseKey::OpponentWrites, [Argument::Text(text)]);
            }
            ElsewhereNotice::Over(end) => self.ends_elsewhere(now, end),
        }
    }

    fn other_is_gone(&mut self, now: Moment, player: Color, seconds: Option<u32>) {
        self.guests.note_gone(seconds == Some(0));
        match seconds {
            Some(0) => {
                let grave = Grave::Elsewhere(ElsewhereWish::ClaimVictory);
                self.confirm_first(now, player, grave, false);
            }
            Some(seconds) => {
                let said = [Argument::Number(seconds)];
                self.tell(player, PhraseKey::OpponentGoneFor, said);
            }
            None => self.tell(player, PhraseKey::OpponentGone, []),
        }
    }

    fn offer_is_gone(&mut self, player: Color, side: Color) {
        if self.draw.offered_by() != Some(side) {
            return;
        }
        if side == player {
            return self.decline(!player);
        }
        self.draw.answered_by(player);
        self.tell(player, PhraseKey::OfferGone, []);
    }

    /// Goes back to this many plies. Play goes on at once, as the server's clock does.
    fn goes_back_elsewhere(&mut self, now: Moment, plies: u32, why: Option<PhraseKey>) {
        let player = self.profile.side_elsewhere().map(|other| !other);
        if let (Some(player), Some(key)) = (player, why) {
            self.say(self.private(player), key, [], Priority::Next);
        }
        if plies as usize >= self.course.plays().len() {
            return;
        }
        self.rule(now, Ruling::Restore { plies });
        // The server keeps its own times.
        self.clocks.take_logged();
        if self.phase == Phase::Stopped {
            self.rule(now, Ruling::Restart { clock: None });
        }
        for side in Color::ALL {
            if self.sensors(side) == Sensors::None {
                self.boards.set(side, self.course.board().clone());
            }
        }
    }

    fn ends_elsewhere(&mut self, now: Moment, end: ElsewhereEnd) {
        let won = |side| Some(GameResult::Won(side));
        let (result, reason) = match end {
            ElsewhereEnd::By(termination) => return self.finish(now, termination),
            ElsewhereEnd::Drawn => match self.why_drawn() {
                Some(termination) => return self.finish(now, termination),
                None => (Some(GameResult::Draw), None),
            },
            ElsewhereEnd::Left(side) => (won(!side), Some((PhraseKey::HasLeft, Some(side)))),
            ElsewhereEnd::Aborted => (None, Some((PhraseKey::GameAborted, None))),
            ElsewhereEnd::Won(side) => (won(side), None),
            ElsewhereEnd::Unknown => (None, None),
        };
        if let Some((key, side)) = reason {
            self.table(key, side.map(Argument::Side));
        }
        self.finish_with(now, result, None, "12.9");
    }

    /// Guesses why a game is drawn: the server says only that it is.
    fn why_drawn(&self) -> Option<Termination> {
        if self.draw.offered_by().is_some() {
            return Some(Termination::Agreement);
        }
        let chess = self.course.position().chess()?;
        match laws::immediate_end(chess) {
            ImmediateEnd::Ended(end) if end.result() == Some(GameResult::Draw) => Some(end),
            _ if laws::is_threefold(self.course.position_keys()) => Some(Termination::Threefold),
            _ if self.course.position().setup().halfmoves >= FIFTY_MOVES => {
                Some(Termination::FiftyMoves)
            }
            _ => None,
        }
    }

    /// What has to be confirmed before a command counts. Before the game has begun on the server,
    /// resigning aborts it.
    pub(super) fn grave_of(&self, side: Color, command: Command) -> Grave {
        let elsewhere = self.profile.sides[!side].elsewhere.as_ref();
        let made = elsewhere.map_or(0, |it| it.after as usize) + self.course.plays().len();
        match command {
            Command::Resign if self.plays_elsewhere(side) && made < ABORTED_BEFORE => {
                Grave::Elsewhere(ElsewhereWish::Abort)
            }
            // It is asked once here, and not again as an act.
            Command::ClaimIllegalMove => Grave::Claim(Act::ClaimIllegalMove),
            Command::ClaimNoWinningAttempt => Grave::Claim(Act::ClaimNoWinningAttempt),
            _ => Grave::Command(command),
        }
    }

    /// Takes what the local player wants and only the server can do. Returns whether it was such a
    /// command.
    pub(super) fn wants_elsewhere(&mut self, side: Color, command: Command) -> bool {
        if !self.plays_elsewhere(side) {
            return false;
        }
        match command {
            Command::Accept if self.draw.is_offered_to(side) => {
                self.send(side, ElsewhereWish::AcceptDraw);
            }
            Command::Decline if self.draw.is_offered_to(side) => {
                self.response
                    .push(Effect::Elsewhere(ElsewhereWish::DeclineDraw));
                return false;
            }
            Command::Resign => self.send(side, ElsewhereWish::Resign),
            // A server takes an offer as a claim where a draw may be claimed.
            Command::ClaimRepetition | Command::ClaimFiftyMoves => self.offer(side),
            Command::ClaimTime if self.guests.is_gone() => {
                self.send(side, ElsewhereWish::ClaimVictory);
            }
            Command::ClaimTime => self.tell(side, PhraseKey::ServerDecides, []),
            Command::Arbiter => self.table(PhraseKey::NoArbiter, []),
            _ => return false,
        }
        true
    }

    /// Sends a wish to the server, and says so because the answer may take time.
    pub(super) fn send(&mut self, side: Color, wish: ElsewhereWish) {
        self.response.push(Effect::Elsewhere(wish));
        self.tell(side, PhraseKey::SentToServer, []);
    }

    /// Asks the opponent on the server for a take-back. Returns whether the opponent sits there.
    pub(super) fn wants_back_elsewhere(&mut self, side: Color) -> bool {
        let is_elsewhere = self.plays_elsewhere(side);
        if is_elsewhere {
            self.response
                .push(Effect::Elsewhere(ElsewhereWish::TakeBack));
            self.tell(side, PhraseKey::TakeBackAsked, []);
        }
        is_elsewhere
    }

    /// Tells the server that the player declines what he was asked, if somebody waits for that.
    pub(super) fn refuses_elsewhere(&mut self, grave: &Grave) {
        if matches!(grave, Grave::Elsewhere(ElsewhereWish::AllowTakeBack)) {
            let wish = ElsewhereWish::RefuseTakeBack;
            self.response.push(Effect::Elsewhere(wish));
        }
    }

    /// Refuses rulings that only the server can make. Returns whether this is one of them.
    pub(super) fn is_for_the_server(&mut self, ruling: &Ruling) -> bool {
        let is_ours = matches!(
            ruling,
            Ruling::Start | Ruling::Restart { .. } | Ruling::BoardShows { .. }
        );
        let is_for_it = self.is_elsewhere() && !is_ours;
        if is_for_it {
            self.table(PhraseKey::ServerDecides, []);
        }
        is_for_it
    }
}

/// The step made on the board in UCI notation, legal or not.
fn step_in_uci(step: Step, side: Color) -> String {
    match step {
        Step::Piece {
            from,
            to,
            promotion,
        } => {
            let promotion = promotion.map(|role| role.char().to_string());
            format!("{from}{to}{}", promotion.unwrap_or_default())
        }
        Step::Castling(castling) => {
            let rank = side.fold_wb('1', '8');
            let to = match castling {
                CastlingSide::KingSide => 'g',
                CastlingSide::QueenSide => 'c',
            };
            format!("e{rank}{to}{rank}")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use annexd_laws::notation::{Heard, Said};
    use annexd_laws::persons::{Person, Sides};
    use shakmaty::Position as _;

    use super::super::{ClockKind, Elsewhere, Input, Means, Mode, Origin, Profile};
    use super::*;

    use Color::{Black, White};

    /// A blind White sits here, and Black elsewhere.
    fn game() -> Game {
        let mut profile = Profile {
            mode: Mode::Club,
            arbiter: false,
            clock: ClockKind::Read,
            time_control: "10m".parse().ok(),
            ..Profile::default()
        };
        profile.sides.black.elsewhere = Some(Elsewhere {
            game: "abcd1234".to_owned(),
            after: 0,
            chat: false,
            key_file: None,
        });
        let mut game = Game::new(profile);
        tells(&mut game, Input::Ruling(Ruling::Start));
        game
    }

    /// The phrases that follow, and the wishes sent to the server.
    fn tells(game: &mut Game, input: Input) -> (Vec<PhraseKey>, Vec<ElsewhereWish>) {
        let (mut said, mut wishes) = (Vec::new(), Vec::new());
        for effect in game.handle(Moment::from_ms(1), input) {
            match effect {
                Effect::Say { phrase, .. } => said.push(phrase.key),
                Effect::Elsewhere(wish) => wishes.push(wish),
                _ => {}
            }
        }
        (said, wishes)
    }

    fn told(game: &mut Game, notice: ElsewhereNotice) -> Vec<PhraseKey> {
        tells(game, Input::Elsewhere(notice)).0
    }

    fn types(game: &mut Game, command: Command) -> (Vec<PhraseKey>, Vec<ElsewhereWish>) {
        let origin = Origin::Console(Person::Player(White));
        let heard = Heard::Clear(Said::Command(command));
        tells(game, Input::heard(origin, heard))
    }

    fn plays(game: &mut Game, side: Color, uci: &str) {
        let (mut position, moves) = game.legal_course().unwrap();
        for one in moves {
            position = position.play(one).unwrap();
        }
        let read: shakmaty::uci::UciMove = uci.parse().unwrap();
        let played = read.to_move(&position).unwrap();
        let person = Person::Player(side);
        let said = Heard::Clear(Said::Move((&played).into()));
        tells(game, Input::heard(Origin::Console(person), said));
        let means = Means::Key(person);
        tells(game, Input::Pressed { side, means });
    }

    #[test]
    fn the_servers_word_alone_ends_it() {
        let mut game = game();
        for (side, uci) in [
            (White, "e2e4"),
            (Black, "e7e5"),
            (White, "d1h5"),
            (Black, "b8c6"),
            (White, "f1c4"),
            (Black, "g8f6"),
            (White, "h5f7"),
        ] {
            plays(&mut game, side, uci);
        }
        let written = game.written();
        assert!(written.iter().all(|it| it.is_pressed), "{written:?}");
        assert!(written.last().unwrap().is("h5f7"));
        assert!(game.is_playing() && game.ending().is_none());
        let end = ElsewhereEnd::By(Termination::Checkmate(White));
        told(&mut game, ElsewhereNotice::Over(end));
        let result = game.ending().and_then(|ending| ending.result);
        assert_eq!(result, Some(GameResult::Won(White)));
    }

    #[test]
    fn nothing_is_stopped_or_decided_here() {
        let mut game = game();
        for ruling in [
            Ruling::Stop,
            Ruling::Result(GameResult::Draw),
            Ruling::Annul,
        ] {
            let (said, _) = tells(&mut game, Input::Ruling(ruling));
            assert_eq!(said, [PhraseKey::ServerDecides]);
        }
        for command in [Command::Arbiter, Command::ClaimTime] {
            types(&mut game, command);
        }
        assert!(game.is_playing() && game.last_proposal().is_none());
    }

    #[test]
    fn grave_wishes_are_asked_back_and_sent() {
        let mut game = game();
        let (said, wishes) = types(&mut game, Command::Resign);
        assert_eq!(
            (said.as_slice(), wishes.len()),
            (&[PhraseKey::ConfirmAbort][..], 0)
        );
        assert_eq!(types(&mut game, Command::Yes).1, [ElsewhereWish::Abort]);
        plays(&mut game, White, "e2e4");
        plays(&mut game, Black, "e7e5");
        let (said, _) = types(&mut game, Command::Resign);
        assert_eq!(said, [PhraseKey::ConfirmResign]);
        let (said, wishes) = types(&mut game, Command::Yes);
        assert!(said.contains(&PhraseKey::SentToServer), "{said:?}");
        assert_eq!(wishes, [ElsewhereWish::Resign]);
        assert!(game.ending().is_none());
    }

    #[test]
    fn a_move_goes_back_and_play_goes_on_at_once() {
        let mut game = game();
        plays(&mut game, White, "e2e4");
        let said = told(&mut game, ElsewhereNotice::MoveRefused(0));
        assert_eq!(said.first(), Some(&PhraseKey::ServerRefusesMove));
        assert!(said.contains(&PhraseKey::PlayGoesOn), "{said:?}");
        assert!(game.is_playing() && game.written().is_empty());
        plays(&mut game, White, "d2d4");
        assert!(game.written()[0].is("d2d4"));
        // A move that was never made cannot be taken back.
        told(&mut game, ElsewhereNotice::TakenBack(7));
        assert_eq!(game.written().len(), 1);
    }

    #[test]
    fn who_is_asked_to_let_somebody_take_back_answers_the_server() {
        for (answer, wish) in [
            (Command::Yes, ElsewhereWish::AllowTakeBack),
            (Command::No, ElsewhereWish::RefuseTakeBack),
        ] {
            let mut game = game();
            let said = told(&mut game, ElsewhereNotice::WantsTakeBack);
            assert_eq!(said, [PhraseKey::OpponentWantsBack]);
            assert_eq!(types(&mut game, answer).1, [wish]);
        }
        let mut game = game();
        assert_eq!(told(&mut game, ElsewhereNotice::WantsNoTakeBack), []);
        told(&mut game, ElsewhereNotice::WantsTakeBack);
        let said = told(&mut game, ElsewhereNotice::WantsNoTakeBack);
        assert_eq!(said, [PhraseKey::OpponentWantsNothingBack]);
        assert_eq!(types(&mut game, Command::Yes).1, []);
        let gone = ElsewhereNotice::OpponentGone(Some(0));
        told(&mut game, gone.clone());
        told(&mut game, ElsewhereNotice::OpponentBack);
        assert_eq!(types(&mut game, Command::Yes).1, []);
        assert_eq!(told(&mut game, gone), [PhraseKey::ConfirmVictory]);
        assert_eq!(types(&mut game, Command::No).1, []);
        // The player may change his mind as long as the opponent is away.
        assert_eq!(
            types(&mut game, Command::ClaimTime).1,
            [ElsewhereWish::ClaimVictory]
        );
    }

    #[test]
    fn the_times_are_the_servers_and_known_as_long_as_it_is_there() {
        let mut game = game();
        let left = Sides {
            white: Duration::from_secs(90),
            black: Duration::from_secs(80),
        };
        let running = Some(White);
        tells(&mut game, Input::ClockReads { left, running });
        let later = Moment::from_ms(20_000);
        assert_eq!(game.times(later).black, Duration::from_secs(80));
        assert!(!game.are_times_about(later));
        told(&mut game, ElsewhereNotice::Lost(1));
        assert!(game.are_times_about(later));
        assert_eq!(
            told(&mut game, ElsewhereNotice::Back),
            [PhraseKey::ServerBack]
        );
        assert!(told(&mut game, ElsewhereNotice::Back).is_empty());
    }
}
