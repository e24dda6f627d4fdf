//! Bytes from outside are hostile: no codec panics on any of them, and each is in step again
//! within one message.

use annexd::board::{Reading, Readings};
use annexd::moment::Moment;
use annexd::shell::boards::simulate::Rng;
use annexd::shell::boards::{DeviceEvent, Kind, chesslink, cpp, dgt, driver, occupancy};
use shakmaty::{Board, Color, Square};

/// What a board of this kind sends of a placement.
fn message(kind: Kind, readings: &Readings) -> Vec<u8> {
    match kind {
        Kind::Dgt => dgt::Message::Dump(Box::new(*readings)).to_bytes(),
        Kind::Chesslink => chesslink::framed(&chesslink::state_text(readings)),
        Kind::Cpp => format!("state {}\n", cpp::placement_of(readings)).into_bytes(),
        Kind::Occupancy => occupancy::frame_of(readings),
    }
}

/// Random bytes, or messages with bytes changed, lost, doubled and moved.
fn sequence(kind: Kind, rng: &mut Rng, stock: &[Vec<u8>]) -> Vec<u8> {
    if rng.per_mille(300) {
        let length = rng.below(80);
        return (0..length).map(|_| rng.below(256) as u8).collect();
    }
    let mut bytes = stock[rng.below(stock.len() as u64) as usize].clone();
    if kind == Kind::Dgt && rng.per_mille(500) {
        let square = Square::ALL[rng.below(64) as usize];
        let reading = Reading::Piece(Color::White.queen());
        bytes = dgt::Message::Field { square, reading }.to_bytes();
    }
    for _ in 0..rng.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len() as u64) as usize;
        match rng.below(4) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, rng.below(256) as u8),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

fn fuzz(kind: Kind, sequences: u64) {
    let mut rng = Rng::new(kind.baud().into());
    let start = Readings::of(&Board::new());
    let mut other = start;
    other.set(Square::E2, Reading::Empty);
    let whole = [message(kind, &start), message(kind, &other)];
    let mut board = driver(kind);
    let mut expected = whole[1].clone();
    for number in 0..sequences {
        board.received(Moment::START, &sequence(kind, &mut rng, &whole));
        while board.next_write(Moment::from_ms(number * 1000)).is_some() {}
        while board.next_event().is_some() {}
        if number % 16 == 0 {
            // How much the noise may cost each protocol. The first byte of a DGT message and the
            // first letter of a ChessLink state stand nowhere else: the very next is heard. A
            // line of the Chess Peripheral Protocol ends what was cut off, so the one that hits
            // the noise is lost with it. A frame of occupancy is believed when it has come twice.
            let messages = match kind {
                Kind::Dgt | Kind::Chesslink => 1,
                Kind::Cpp | Kind::Occupancy => 2,
            };
            let sent = usize::from(number % 32 == 0);
            expected.clone_from(&whole[sent]);
            let mut heard = Vec::new();
            for _ in 0..messages {
                board.received(Moment::START, &expected);
            }
            while let Some(event) = board.next_event() {
                if let DeviceEvent::Snapshot(readings) = event {
                    heard.push(message(kind, &readings));
                }
            }
            let occupied = kind == Kind::Occupancy && heard.is_empty();
            assert!(
                occupied || heard.contains(&expected),
                "{kind} is out of step after sequence {number}"
            );
        }
    }
}

#[test]
fn no_bytes_upset_a_codec() {
    for kind in Kind::ALL {
        fuzz(kind, 100_000);
    }
}

#[test]
#[ignore = "ten million sequences for each codec: make soak"]
fn no_bytes_upset_a_codec_ten_million_times() {
    for kind in Kind::ALL {
        fuzz(kind, 10_000_000);
    }
}

#[test]
fn no_command_to_a_simulated_board_upsets_it() {
    use annexd::shell::boards::simulate::{Simulation, SimulationSettings};
    for kind in Kind::ALL {
        let mut rng = Rng::new(7);
        let settings = SimulationSettings::new(kind);
        let mut simulation = Simulation::new(settings, shakmaty::Chess::default());
        for number in 0..20_000 {
            let bytes: Vec<u8> = (0..rng.below(20)).map(|_| rng.below(256) as u8).collect();
            simulation.received(Moment::from_ms(number), &bytes);
            simulation.wake(Moment::from_ms(number));
            simulation.take_bytes();
        }
    }
}
