//! Connects the table and the server, on a thread of its own. It listens to both, and does what
//! brings them into agreement.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position as _};

use annexd::game::{
    ElsewhereNotice, ElsewhereWish, Heard, Input, Means, Origin, ProgramNotice, Ruling, Said,
};
use annexd::notation::Announcement;
use annexd::persons::Person;
use annexd::shell::table::Report;
use annexd::shell::table::inbox::Reports;

use super::net::{Answer, Net, NetEvent, NetReport, Stream};
use super::pace::{Pace, when_busy};
use super::progress::{Progress, ProgressAction, View};
use super::wire::{Event, Request};

/// The longest time without anything to do.
const LONG: Duration = Duration::from_secs(3600);

/// How many seconds of waiting a doubt may last before it is told. A line that came twice or late
/// is no news.
const SECONDS_DOUBTED: u32 = 2;

/// An order of the table.
#[derive(Debug)]
pub(super) enum Order {
    /// Say or do something for the person elsewhere.
    Say(Input),
    /// The state of the game, with its moves if all of them are legal chess.
    See(View, Option<(Chess, Vec<Move>)>),
    /// A wish of the player, for the server.
    Want(ElsewhereWish),
}

/// The worker between table and server.
pub(super) struct Worker {
    net: Net,
    reports: Reports,
    progress: Progress,
    game: String,
    /// The side of the player at the table.
    player: Color,
    course: Option<(Chess, Vec<Move>)>,
    came: (Sender<NetReport>, Receiver<NetReport>),
    stream: Option<Stream>,
    /// How many streams and requests there were.
    numbers: u64,
    /// The requests to send, and whether the first of them is being sent.
    requests: VecDeque<Request>,
    asked: Option<u64>,
    pace: Pace,
    /// Since when the server is connected.
    here_since: Option<Instant>,
    /// The pace at which a request is repeated.
    asking: Pace,
    /// The pace at which the stream is reopened because of doubtful lines.
    doubts: Pace,
    /// When the stream is reopened, and when the first request is repeated.
    opens_at: Option<Instant>,
    asks_at: Option<Instant>,
    /// Until when no request may be sent.
    rests_until: Option<Instant>,
    /// Whether the loss of the server was told.
    is_lost: bool,
    /// Whether nothing more is tried, because the server refuses the key.
    is_shut_out: bool,
}

/// Starts a worker between a table and the server. Returns the sender for its orders.
pub(super) fn begin(
    net: Net,
    (game, player): (String, Color),
    progress: Progress,
    reports: Reports,
) -> Sender<Order> {
    let (orders, obeyed) = unbounded();
    let worker = Worker {
        pace: net.pace(),
        here_since: None,
        asking: net.pace(),
        doubts: net.pace(),
        net,
        reports,
        progress,
        game,
        player,
        course: None,
        came: unbounded(),
        stream: None,
        numbers: 0,
        requests: VecDeque::new(),
        asked: None,
        opens_at: Some(Instant::now()),
        asks_at: None,
        rests_until: None,
        is_lost: false,
        is_shut_out: false,
    };
    std::thread::spawn(move || worker.work(&obeyed));
    orders
}

impl Worker {
    fn work(mut self, orders: &Receiver<Order>) {
        let came = self.came.1.clone();
        loop {
            self.mind_the_time();
            let wake = [self.opens_at, self.asks_at].into_iter().flatten().min();
            let patience = wake.map_or(LONG, |at| at.saturating_duration_since(Instant::now()));
            select! {
                recv(orders) -> order => match order {
                    Ok(order) => self.obey(order),
                    Err(_) => return,
                },
                recv(came) -> came => {
                    if let Ok(came) = came {
                        self.comes(came);
                    }
                }
                default(patience) => {}
            }
        }
    }

    fn mind_the_time(&mut self) {
        let now = Instant::now();
        self.rests_until.take_if(|until| *until <= now);
        if let Some(until) = self.rests_until {
            self.opens_at = self.opens_at.map(|at| at.max(until));
            self.asks_at = Some(self.asks_at.map_or(until, |at| at.max(until)));
        }
        if self.opens_at.is_some_and(|at| at <= now) {
            self.opens_at = None;
            self.open();
        }
        if self.asks_at.is_some_and(|at| at <= now) {
            self.asks_at = None;
        }
        self.ask_next();
    }

    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn open(&mut self) {
        let number = self.next_number();
        let request = Request::Game(self.game.clone());
        self.stream = Some(self.net.open(request, number, &self.came.0));
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Say(input) => self.report(input),
            Order::See(view, course) => {
                self.course = course;
                let actions = self.progress.on_view(view);
                self.do_all(actions);
            }
            Order::Want(wish) => {
                let request = self.progress.wants(wish);
                self.requests.push_back(request);
            }
        }
    }

    fn comes(&mut self, came: NetReport) {
        let is_of_stream = self.stream.as_ref().is_some_and(|it| it.number == came.of);
        match came.what {
            NetEvent::Wrote(event) if is_of_stream => {
                if matches!(event, Event::Whole(_)) {
                    self.is_here();
                }
                let is_state = matches!(event, Event::State(_));
                let actions = self.progress.on_event(event);
                if is_state && !actions.contains(&ProgressAction::OpenAgain) {
                    self.doubts.succeeds();
                }
                self.do_all(actions);
            }
            NetEvent::Ended(answer) if is_of_stream => {
                self.stream = None;
                self.stream_ended(answer);
            }
            NetEvent::Ended(answer) if self.asked == Some(came.of) => {
                self.asked = None;
                self.is_answered(answer);
            }
            // It comes from a stream that was abandoned.
            NetEvent::Opened | NetEvent::Wrote(_) | NetEvent::Ended(_) => {}
        }
    }

    fn is_here(&mut self) {
        self.here_since = Some(Instant::now());
        if std::mem::take(&mut self.is_lost) {
            self.tell(ElsewhereNotice::Back);
        }
    }

    fn stream_ended(&mut self, answer: Answer) {
        if self.progress.has_ended() {
            return;
        }
        match answer {
            Answer::NotLetIn => self.is_not_let_in(),
            Answer::Busy(wait) => self.is_busy(wait),
            Answer::Unknown => self.open_later(ElsewhereNotice::Astray),
            Answer::Done(_) | Answer::Lost | Answer::Refused(_) => {
                self.open_later(ElsewhereNotice::Lost);
            }
        }
    }

    /// Reopens the stream after a while. That is told each time, with the reason.
    fn open_later(&mut self, why: impl FnOnce(u32) -> ElsewhereNotice) {
        self.is_lost = true;
        if let Some(since) = self.here_since.take() {
            self.pace.ends(since.elapsed());
        }
        let seconds = self.pace.fails();
        self.tell(why(seconds));
        self.opens_at = Some(Instant::now() + self.pace.time(seconds));
    }

    /// Leaves the server alone, as it has asked.
    fn is_busy(&mut self, wait: Option<u32>) {
        let seconds = when_busy(wait);
        self.tell(ElsewhereNotice::Busy(seconds));
        let until = Instant::now() + self.pace.time(seconds);
        self.rests_until = Some(until);
        if self.stream.is_none() {
            self.opens_at = Some(until);
        }
    }

    fn is_not_let_in(&mut self) {
        if !std::mem::replace(&mut self.is_shut_out, true) {
            self.tell(ElsewhereNotice::NotLetIn);
        }
        self.requests.clear();
        self.stream = None;
        (self.opens_at, self.asks_at) = (None, None);
    }

    /// Sends the next request. Only one is sent at a time, and none before its time.
    fn ask_next(&mut self) {
        if self.asked.is_some() || self.asks_at.is_some() || self.is_shut_out {
            return;
        }
        if self.progress.has_ended() {
            self.requests.clear();
        }
        let Some(request) = self.requests.front().cloned() else {
            return;
        };
        let number = self.next_number();
        self.asked = Some(number);
        self.net.ask(request, number, &self.came.0);
    }

    fn is_answered(&mut self, answer: Answer) {
        let Some(request) = self.requests.front().cloned() else {
            return;
        };
        match answer {
            Answer::Done(_) => {
                self.requests.pop_front();
                self.asking.succeeds();
            }
            Answer::NotLetIn => self.is_not_let_in(),
            Answer::Busy(wait) => self.is_busy(wait),
            Answer::Unknown | Answer::Refused(_) => {
                self.requests.pop_front();
                self.asking.succeeds();
                let actions = self.progress.is_refused(&request);
                self.do_all(actions);
            }
            Answer::Lost => {
                // Only the server knows whether a move has arrived.
                if matches!(request, Request::Move { .. }) {
                    self.requests.pop_front();
                    self.stream = None;
                }
                self.is_lost = true;
                let seconds = self.asking.fails();
                self.tell(ElsewhereNotice::Lost(seconds));
                self.asks_at = Some(Instant::now() + self.asking.time(seconds));
                if self.stream.is_none() {
                    self.opens_at = self.asks_at;
                }
            }
        }
    }

    fn do_all(&mut self, actions: Vec<ProgressAction>) {
        for action in actions {
            match action {
                ProgressAction::Tell(notice) => self.tell(notice),
                ProgressAction::ReadClock(left, running) => {
                    self.report(Input::ClockReads { left, running });
                }
                ProgressAction::Start => {
                    self.report(Input::Ruling(Ruling::Start));
                    // If something prevents it, his yes begins the game.
                    self.report(Input::Program(ProgramNotice::Ready));
                }
                ProgressAction::GoOn => self.report(Input::Ruling(Ruling::Restart { clock: None })),
                ProgressAction::Play(side, uci) => self.play(side, &uci),
                ProgressAction::Ask(request) => self.requests.push_back(request),
                ProgressAction::OpenAgain => self.open_again(),
            }
        }
    }

    /// Reads the whole game again, because what was written cannot be true.
    fn open_again(&mut self) {
        self.stream = None;
        let seconds = self.doubts.fails();
        if seconds > SECONDS_DOUBTED {
            self.is_lost = true;
            self.tell(ElsewhereNotice::Astray(seconds));
        }
        self.opens_at = Some(Instant::now() + self.doubts.time(seconds));
    }

    /// Announces a move of the server at the table. The seat presses for the person elsewhere. The
    /// player's own moves were made at another place.
    fn play(&mut self, side: Color, uci: &str) {
        let Some(played) = self.course.as_ref().and_then(|course| read(course, uci)) else {
            return self.open_again();
        };
        let person = Person::Player(side);
        let said = Heard::Clear(Said::Move(Announcement::from(&played)));
        self.report(Input::heard(Origin::Console(person), said));
        if side == self.player {
            self.report(Input::Pressed {
                side,
                means: Means::Key(person),
            });
        }
    }

    fn tell(&self, notice: ElsewhereNotice) {
        self.report(Input::Elsewhere(notice));
    }

    fn report(&self, input: Input) {
        let _ = self.reports.send(Report::Input(input));
    }
}

/// Reads a move as the server writes it, after these moves.
fn read((start, moves): &(Chess, Vec<Move>), uci: &str) -> Option<Move> {
    let mut position = start.clone();
    for one in moves {
        position = position.play(*one).ok()?;
    }
    let read = UciMove::from_ascii(uci.as_bytes()).ok()?;
    read.to_move(&position).ok()
}
