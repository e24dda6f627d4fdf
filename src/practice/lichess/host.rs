//! Carries out the lobby's orders: sends requests, waits, and reports the results.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use annexd::error;
use annexd::phrases::{Argument, Phrase, PhraseKey};
use annexd::set_up::{AfterReply, Reply};
use annexd::shell::error::Result;
use annexd::shell::practice::elsewhere::{Meeting, Met};

use super::guest;
use super::lobby::{Asked, Fail, Lobby, LobbyAction, control};
use super::net::{Answer, Net, NetEvent, NetReport, Stream};
use super::pace::{Pace, when_busy};
use super::wire::{Event, Going, Request, Whole};

/// The address at which a game can be seen.
const SITE: &str = "https://lichess.org/";

/// The longest time without an event.
const LONG: Duration = Duration::from_secs(3600);

/// The end of the waiting.
pub(super) fn over() -> AfterReply {
    AfterReply {
        is_done: true,
        ..AfterReply::default()
    }
}

/// Carries out the orders of a lobby.
pub(super) struct Host {
    net: Net,
    meeting: Meeting,
    lobby: Lobby,
    tells: Sender<AfterReply>,
    came: (Sender<NetReport>, Receiver<NetReport>),
    numbers: u64,
    events: Option<Stream>,
    search: Option<Stream>,
    asked: Option<(u64, Asked, Request)>,
    waits: Vec<(Instant, Asked, Option<Request>)>,
    /// Until when no request may be sent.
    rests_until: Option<Instant>,
    paces: [Pace; 4],
    /// Since when each stream is open.
    open_since: [Option<Instant>; 4],
}

/// How a step ends the waiting.
enum End {
    Met(Going),
    Left(Option<Fail>),
}

impl Host {
    pub(super) fn new(net: Net, meeting: Meeting, tells: Sender<AfterReply>) -> Self {
        Self {
            paces: [net.pace(); 4],
            net,
            lobby: Lobby::new(meeting.clone()),
            meeting,
            tells,
            came: unbounded(),
            numbers: 0,
            events: None,
            search: None,
            asked: None,
            waits: Vec::new(),
            rests_until: None,
            open_since: [None; 4],
        }
    }

    /// Waits for an opponent. `None` if the player left.
    pub(super) fn work(mut self, replies: &Receiver<Reply>) -> Result<Option<Met>> {
        let came = self.came.1.clone();
        let mut actions = self.lobby.begin();
        loop {
            match self.do_all(std::mem::take(&mut actions)) {
                Some(End::Met(going)) => return self.sit_down(going, replies),
                Some(End::Left(None)) => return Ok(None),
                Some(End::Left(Some(why))) => return Err(self.error(why)),
                None => {}
            }
            let due = self.waits.iter().map(|(at, ..)| *at).min();
            let patience = due.map_or(LONG, |at| at.saturating_duration_since(Instant::now()));
            select! {
                recv(came) -> came => if let Ok(came) = came {
                    actions = self.comes(came);
                },
                recv(replies) -> reply => match reply {
                    Ok(reply) => actions = self.lobby.answered(&reply),
                    Err(_) => return Ok(None),
                },
                default(patience) => actions = self.on_wait_over(),
            }
        }
    }

    fn error(&self, why: Fail) -> annexd::shell::error::Error {
        match why {
            Fail::NotLetIn => error!(Usage, ServerKeyNotTaken),
            Fail::NoSuchPlayer => {
                let name = self.meeting.friend.clone().unwrap_or_default();
                error!(Usage, NoSuchPlayerElsewhere, name = name)
            }
        }
    }

    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn do_all(&mut self, actions: Vec<LobbyAction>) -> Option<End> {
        for action in actions {
            match action {
                LobbyAction::Say(phrase) => self.say(phrase),
                LobbyAction::Ask(request) => self.begin(asked_by(&request), request),
                LobbyAction::Listen => self.begin(Asked::Events, Request::Events),
                LobbyAction::Search(request) => self.begin(Asked::Search, request),
                LobbyAction::Again(asked, units) => self.wait(asked, units),
                LobbyAction::Meet(going) => return Some(End::Met(going)),
                LobbyAction::Leave(why) => return Some(End::Left(why)),
            }
        }
        None
    }

    fn say(&self, phrase: Phrase) {
        // A receiver that has gone gets nothing more.
        let _ = self.tells.send(AfterReply {
            says: vec![phrase],
            ..AfterReply::default()
        });
    }

    /// Sends a request, or keeps it while no request may be sent.
    fn begin(&mut self, asked: Asked, request: Request) {
        self.rests_until.take_if(|until| *until <= Instant::now());
        if let Some(until) = self.rests_until {
            return self.waits.push((until, asked, Some(request)));
        }
        let number = self.next_number();
        match asked {
            Asked::Events => self.events = Some(self.net.open(request, number, &self.came.0)),
            Asked::Search => self.search = Some(self.net.open(request, number, &self.came.0)),
            Asked::Account | Asked::Another => {
                self.net.ask(request.clone(), number, &self.came.0);
                self.asked = Some((number, asked, request));
            }
        }
    }

    fn wait(&mut self, asked: Asked, units: Option<u32>) {
        let pace = &mut self.paces[asked as usize];
        let wait = units.unwrap_or_else(|| pace.fails());
        let at = Instant::now() + pace.time(wait);
        if units.is_none() {
            self.say(Lobby::lost(wait));
        }
        let request = self.asked.take().map(|(_, _, request)| request);
        self.waits
            .push((at, asked, request.filter(|_| asked == Asked::Another)));
    }

    fn on_wait_over(&mut self) -> Vec<LobbyAction> {
        let now = Instant::now();
        let Some(place) = self.waits.iter().position(|(at, ..)| *at <= now) else {
            return Vec::new();
        };
        let (_, asked, request) = self.waits.swap_remove(place);
        match (asked, request) {
            (Asked::Account, _) => vec![LobbyAction::Ask(Request::Account)],
            (Asked::Events, _) => vec![LobbyAction::Listen],
            (Asked::Search, Some(request)) => vec![LobbyAction::Search(request)],
            (Asked::Search, None) => self.lobby.on_wait_over(),
            (Asked::Another, request) => request.map(LobbyAction::Ask).into_iter().collect(),
        }
    }

    fn comes(&mut self, came: NetReport) -> Vec<LobbyAction> {
        let is = |stream: &Option<Stream>| stream.as_ref().is_some_and(|it| it.number == came.of);
        let is_asked = self
            .asked
            .as_ref()
            .is_some_and(|(number, ..)| *number == came.of);
        let asked = match () {
            () if is(&self.events) => Asked::Events,
            () if is(&self.search) => Asked::Search,
            () if is_asked => self
                .asked
                .as_ref()
                .map_or(Asked::Another, |(_, asked, _)| *asked),
            () => return Vec::new(),
        };
        match came.what {
            NetEvent::Opened => {
                self.open_since[asked as usize] = Some(Instant::now());
                match asked {
                    Asked::Events => self.lobby.on_stream_open(),
                    _ => Vec::new(),
                }
            }
            NetEvent::Wrote(event) => self.lobby.on_event(event),
            NetEvent::Ended(answer) => {
                if let Answer::Busy(wait) = answer {
                    let rest = self.paces[asked as usize].time(when_busy(wait));
                    self.rests_until = Some(Instant::now() + rest);
                }
                let pace = &mut self.paces[asked as usize];
                match self.open_since[asked as usize].take() {
                    Some(since) => pace.ends(since.elapsed()),
                    None if asked == Asked::Another && answer_is_done(&answer) => pace.succeeds(),
                    None => {}
                }
                match asked {
                    Asked::Events => self.events = None,
                    Asked::Search => self.search = None,
                    Asked::Account | Asked::Another if answer_is_done(&answer) => self.asked = None,
                    Asked::Account | Asked::Another => {}
                }
                self.lobby.ended(asked, answer)
            }
        }
    }

    /// Takes up a game that was found: reads all of it once, and sets up the table for it.
    fn sit_down(mut self, going: Going, replies: &Receiver<Reply>) -> Result<Option<Met>> {
        (self.events, self.search) = (None, None);
        let came = self.came.1.clone();
        let mut pace = self.net.pace();
        let mut stream = None;
        let mut opens_at = Some(Instant::now());
        loop {
            if opens_at.is_some_and(|at| at <= Instant::now()) {
                opens_at = None;
                let number = self.next_number();
                let request = Request::Game(going.id.clone());
                stream = Some(self.net.open(request, number, &self.came.0));
            }
            let patience = opens_at.map_or(LONG, |at| at.saturating_duration_since(Instant::now()));
            let came = select! {
                recv(came) -> came => came.ok(),
                recv(replies) -> reply => match reply {
                    Ok(_) => continue,
                    Err(_) => return Ok(None),
                },
                default(patience) => continue,
            };
            let is_of_it =
                |came: &NetReport| stream.as_ref().is_some_and(|it| it.number == came.of);
            let Some(came) = came.filter(is_of_it) else {
                continue;
            };
            match came.what {
                NetEvent::Wrote(Event::Whole(whole)) => {
                    return self.meets(&going, &whole).map(Some);
                }
                NetEvent::Wrote(_) | NetEvent::Opened => {}
                NetEvent::Ended(Answer::NotLetIn) => return Err(self.error(Fail::NotLetIn)),
                NetEvent::Ended(answer) => {
                    let seconds = match answer {
                        Answer::Busy(wait) => when_busy(wait),
                        _ => pace.fails(),
                    };
                    self.say(Lobby::lost(seconds));
                    opens_at = Some(Instant::now() + pace.time(seconds));
                }
            }
        }
    }

    fn meets(&self, going: &Going, whole: &Whole) -> Result<Met> {
        let other = whole.names[!going.side].clone();
        let not_played = || error!(Usage, GameElsewhereNotPlayed, name = other.as_str());
        let clock = whole.clock.filter(|_| whole.is_usual_chess);
        let time = clock.and_then(|(time, bonus)| control(time.as_secs(), bonus.as_secs()));
        let time = time.ok_or_else(not_played)?;
        let start = start_of(whole).ok_or_else(not_played)?;
        let said = [Argument::Side(going.side), Argument::Text(other.clone())];
        self.say(Phrase::new(PhraseKey::LobbyBegins, said));
        Ok(Met {
            side: going.side,
            names: whole.names.clone(),
            time,
            game: going.id.clone(),
            site: format!("{SITE}{}", going.id),
            start,
            after: u32::try_from(whole.state.moves.len()).unwrap_or(u32::MAX),
            guest: guest(self.net.clone()),
        })
    }
}

const fn asked_by(request: &Request) -> Asked {
    match request {
        Request::Account => Asked::Account,
        _ => Asked::Another,
    }
}

const fn answer_is_done(answer: &Answer) -> bool {
    matches!(answer, Answer::Done(_))
}

/// Returns the position from which a game continues here. The inner `None` is the usual position.
fn start_of(whole: &Whole) -> Option<Option<Fen>> {
    if whole.start.is_none() && whole.state.moves.is_empty() {
        return Some(None);
    }
    let mut position = match &whole.start {
        Some(fen) => {
            let fen: Fen = fen.parse().ok()?;
            fen.into_position::<Chess>(CastlingMode::Standard).ok()?
        }
        None => Chess::default(),
    };
    for written in &whole.state.moves {
        let read = UciMove::from_ascii(written.as_bytes()).ok()?;
        position = position.clone().play(read.to_move(&position).ok()?).ok()?;
    }
    Some(Some(Fen::from_position(&position, EnPassantMode::Legal)))
}
