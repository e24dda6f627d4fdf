//! Stands between the table and the server on a thread of its own: hears what both say, and does
//! what brings them together.

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

use super::net::{Answer, Came, Net, Stream, What};
use super::pace::{Pace, when_busy};
use super::progress::{Deed, Progress, View};
use super::wire::{Event, Request};

/// How long nothing is to be done at most.
const LONG: Duration = Duration::from_secs(3600);

/// A line that came twice or late is nothing to tell; what is still wrong after so long a wait is.
const SECONDS_DOUBTED: u32 = 2;

/// What the table wants.
#[derive(Debug)]
pub(super) enum Order {
    /// This is said or done for whoever sits elsewhere.
    Say(Input),
    /// The game stands so, with these moves where all of it is chess.
    See(View, Option<(Chess, Vec<Move>)>),
    /// The player wants this of the server.
    Want(ElsewhereWish),
}

/// Whoever stands there.
pub(super) struct Worker {
    net: Net,
    reports: Reports,
    progress: Progress,
    game: String,
    /// Who sits at the table.
    player: Color,
    course: Option<(Chess, Vec<Move>)>,
    came: (Sender<Came>, Receiver<Came>),
    stream: Option<Stream>,
    /// How many streams and requests there were.
    numbers: u64,
    /// What is to be asked, and whether the first of it is asked just now.
    requests: VecDeque<Request>,
    asked: Option<u64>,
    pace: Pace,
    /// Since when the server is there.
    here_since: Option<Instant>,
    /// The pace at which a request is asked again.
    asking: Pace,
    /// The pace at which the stream is opened again because of what was written.
    doubts: Pace,
    /// When the stream is opened again, and when the first request is asked again.
    opens_at: Option<Instant>,
    asks_at: Option<Instant>,
    /// Until when the server is to be left alone.
    rests_until: Option<Instant>,
    /// Whether the server was told to be lost.
    is_lost: bool,
    /// Whether nothing more is tried: the key is not taken.
    is_shut_out: bool,
}

/// Begins to stand between a table and the server.
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
                let deeds = self.progress.sees(view);
                self.do_all(deeds);
            }
            Order::Want(wish) => {
                let request = self.progress.wants(wish);
                self.requests.push_back(request);
            }
        }
    }

    fn comes(&mut self, came: Came) {
        let is_of_stream = self.stream.as_ref().is_some_and(|it| it.number == came.of);
        match came.what {
            What::Wrote(event) if is_of_stream => {
                if matches!(event, Event::Whole(_)) {
                    self.is_here();
                }
                let is_state = matches!(event, Event::State(_));
                let deeds = self.progress.hears(event);
                if is_state && !deeds.contains(&Deed::OpenAgain) {
                    self.doubts.succeeds();
                }
                self.do_all(deeds);
            }
            What::Ended(answer) if is_of_stream => {
                self.stream = None;
                self.stream_ended(answer);
            }
            What::Ended(answer) if self.asked == Some(came.of) => {
                self.asked = None;
                self.is_answered(answer);
            }
            // It comes from a stream that was given up.
            What::Opened | What::Wrote(_) | What::Ended(_) => {}
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

    /// The stream is opened again in a while. It is told each time, and why.
    fn open_later(&mut self, why: impl FnOnce(u32) -> ElsewhereNotice) {
        self.is_lost = true;
        if let Some(since) = self.here_since.take() {
            self.pace.ends(since.elapsed());
        }
        let seconds = self.pace.fails();
        self.tell(why(seconds));
        self.opens_at = Some(Instant::now() + self.pace.time(seconds));
    }

    /// It is left alone altogether, as it wants.
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

    /// One thing is asked at a time, and nothing before its time.
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
                let deeds = self.progress.is_refused(&request);
                self.do_all(deeds);
            }
            Answer::Lost => {
                // Whether a move has arrived only the server knows.
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

    fn do_all(&mut self, deeds: Vec<Deed>) {
        for deed in deeds {
            match deed {
                Deed::Tell(notice) => self.tell(notice),
                Deed::ReadClock(left, running) => {
                    self.report(Input::ClockReads { left, running });
                }
                Deed::Start => {
                    self.report(Input::Ruling(Ruling::Start));
                    // Where something hinders it, his yes begins it.
                    self.report(Input::Program(ProgramNotice::Ready));
                }
                Deed::GoOn => self.report(Input::Ruling(Ruling::Restart { clock: None })),
                Deed::Play(side, uci) => self.play(side, &uci),
                Deed::Ask(request) => self.requests.push_back(request),
                Deed::OpenAgain => self.open_again(),
            }
        }
    }

    /// What was written cannot be: all of it is asked for again.
    fn open_again(&mut self) {
        self.stream = None;
        let seconds = self.doubts.fails();
        if seconds > SECONDS_DOUBTED {
            self.is_lost = true;
            self.tell(ElsewhereNotice::Astray(seconds));
        }
        self.opens_at = Some(Instant::now() + self.doubts.time(seconds));
    }

    /// A move of the server is announced at the table. The seat presses for whoever sits elsewhere;
    /// the player's own was made at another place.
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

/// A move as the server writes it, after these.
fn read((start, moves): &(Chess, Vec<Move>), uci: &str) -> Option<Move> {
    let mut position = start.clone();
    for one in moves {
        position = position.play(*one).ok()?;
    }
    let read = UciMove::from_ascii(uci.as_bytes()).ok()?;
    read.to_move(&position).ok()
}
