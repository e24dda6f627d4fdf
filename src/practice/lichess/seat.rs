//! The seat of a person elsewhere. It sees the game after each event, does what he would do at the
//! table, and tells his server the rest.

use std::sync::Mutex;

use crossbeam_channel::Sender;
use shakmaty::{Color, Position as _};

use annexd::game::{Command, Effect, Game, Heard, Input, Means, Origin, Phase, Said, Wish};
use annexd::moment::Moment;
use annexd::persons::Person;
use annexd::shell::practice::Guest;
use annexd::shell::table::Outlet;
use annexd::shell::table::inbox::Reports;

use super::net::Net;
use super::progress::{Awaits, Progress, View};
use super::worker::{self, Order};

/// A person elsewhere who waits for a table.
pub(super) struct Elsewhere(pub(super) Mutex<Option<Net>>);

impl std::fmt::Debug for Elsewhere {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Elsewhere")
    }
}

impl Guest for Elsewhere {
    fn sit_down(&self, game: &Game, reports: &Reports) -> Box<dyn Outlet> {
        let net = self.0.lock().ok().and_then(|mut net| net.take());
        let side = game.profile().side_elsewhere().unwrap_or(Color::Black);
        let terms = game.profile().sides[side].elsewhere.clone();
        let orders = net.zip(terms).map(|(net, terms)| {
            let first = game
                .legal_course()
                .map_or(Color::White, |(start, _)| start.turn());
            let after = usize::try_from(terms.after).unwrap_or(0);
            let progress = Progress::new(terms.game.clone(), !side, first, after, terms.chat);
            worker::begin(net, (terms.game, !side), progress, reports.clone())
        });
        Box::new(Seat {
            side,
            orders,
            wish: Wish::Nothing,
            view: None,
        })
    }
}

/// The seat.
struct Seat {
    side: Color,
    /// `None` if he was seated twice.
    orders: Option<Sender<Order>>,
    /// His last wish. The same wish again was carried out already.
    wish: Wish,
    view: Option<View>,
}

impl Seat {
    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }

    fn say(&self, said: Said) {
        let origin = Origin::Console(Person::Player(self.side));
        self.order(Order::Say(Input::heard(origin, Heard::Clear(said))));
    }

    fn act(&self, wish: &Wish) {
        match wish {
            Wish::Answer(_, true) => self.say(Said::Command(Command::Yes)),
            Wish::Answer(_, false) => self.say(Said::Command(Command::No)),
            Wish::Repeat(_, words) | Wish::SayAgain(_, words) => {
                self.say(Said::Move(words.clone()));
            }
            Wish::Press(_) => self.order(Order::Say(Input::Pressed {
                side: self.side,
                means: Means::Key(Person::Player(self.side)),
            })),
            Wish::Nothing | Wish::Wait | Wish::AnswerOffer(_) | Wish::Move(_) | Wish::LetSay(_) => {
            }
        }
    }
}

fn view(game: &Game, side: Color, wish: &Wish) -> View {
    View {
        awaits: match (wish, game.phase()) {
            (_, Phase::BeforePlay) => Awaits::Start,
            (Wish::Wait, _) => Awaits::Nothing,
            (Wish::Move(plies), _) => Awaits::Move(*plies),
            _ => Awaits::Another,
        },
        written: game.written(),
        offers_draw: game.offered_by() == Some(!side),
        is_over: game.phase() == Phase::Ended,
    }
}

impl Outlet for Seat {
    fn carry_out(&mut self, _: Moment, _: &Game, effect: &Effect) -> bool {
        if let Effect::Elsewhere(wish) = effect {
            self.order(Order::Want(*wish));
        }
        false
    }

    fn look(&mut self, _: Moment, game: &Game) {
        // His clock runs elsewhere, so nobody waits for what is still being said.
        let wish = game.wish_of(self.side, true, false);
        if wish != self.wish {
            self.act(&wish);
        }
        let view = view(game, self.side, &wish);
        self.wish = wish;
        if self.view.as_ref() != Some(&view) {
            self.order(Order::See(view.clone(), game.legal_course()));
            self.view = Some(view);
        }
    }
}
