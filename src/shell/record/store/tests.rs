//! The store after a kill and after a power failure.

use std::fs::File;

use super::*;
use crate::journal::{Body, Broken};
use crate::moment::Moment;

fn note(number: u64) -> Entry {
    Entry {
        seq: 0,
        at: Moment::from_ms(number),
        wall_ms: number,
        body: Body::Note(format!("remark number {number}")),
    }
}

fn with_game(test: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    test(&folder.path().join("game.annexd"));
}

#[test]
fn what_was_appended_is_there_after_resuming() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        store.append(&mut [note(1), note(2)]).unwrap();
        store.write_heartbeat(Moment::from_ms(70), 170, 0);
        drop(store);
        let (mut store, entries) = Store::resume(path).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(store.last_heartbeat(), Some((Moment::from_ms(70), 170)));
        store.append(&mut [note(3)]).unwrap();
        assert_eq!(read(path).unwrap().entries[2].seq, 3);
    });
}

#[test]
fn the_log_is_joined_while_the_game_is_written() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        let begun = path.metadata().unwrap().len();
        let mut number = 0;
        while path.metadata().unwrap().len() == begun {
            store.append(&mut [note(number)]).unwrap();
            number += 1;
            assert!(number < 20_000, "the log is never joined");
        }
        drop(store);
        let record = read(path).unwrap();
        assert_eq!(record.entries.len() as u64, number);
        assert_eq!((record.broken, record.cut_off), (None, None));
    });
}

#[cfg(unix)]
#[test]
fn a_game_that_cannot_be_begun_leaves_its_name_free() {
    with_game(|path| {
        // A folder in place of the heartbeat file makes the last step of creating a game fail.
        fs::create_dir(heartbeat::path_of(path)).unwrap();
        assert!(Store::create(path).is_err());
        let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "only that folder");
        fs::remove_dir(heartbeat::path_of(path)).unwrap();
        assert!(Store::create(path).is_ok());
    });
}

#[test]
fn what_was_killed_before_its_first_entry_leaves_its_name_free() {
    let whole = tempfile::tempdir().unwrap();
    let made = whole.path().join("game.annexd");
    let store = Store::create(&made).unwrap();
    let log = fs::read(seal::log_of(&made)).unwrap();
    let tables = fs::read(&made).unwrap();
    drop(store);
    for (main, log) in [(&[][..], &[][..]), (&tables, &log), (&tables, &[])] {
        with_game(|path| {
            fs::write(path, main).unwrap();
            fs::write(seal::log_of(path), log).unwrap();
            assert!(is_unbegun(path));
            // A heartbeat before the first entry does not belong to the next game.
            let mut heartbeat = HeartbeatFile::take(path).unwrap();
            heartbeat.write(Moment::from_ms(90_000), 1, &Chain::new(), 3);
            assert_eq!(Store::create(path).err().unwrap().kind, ErrorKind::Usage);
            drop(heartbeat);
            let mut store = Store::create(path).unwrap();
            assert_eq!(store.last_heartbeat(), None);
            store.append(&mut [note(1)]).unwrap();
            drop(store);
            assert_eq!(Store::create(path).err().unwrap().kind, ErrorKind::Usage);
            let record = read(path).unwrap();
            assert_eq!((record.entries.len(), record.waiting), (1, 0));
            assert_eq!(heartbeat::faults(path), []);
        });
    }
}

#[test]
fn of_many_that_take_a_name_at_once_one_has_it() {
    for is_left in [false, true] {
        with_game(|path| {
            if is_left {
                fs::write(path, "").unwrap();
            }
            let start = std::sync::Barrier::new(8);
            let taken = std::thread::scope(|scope| {
                let all: Vec<_> = (0..8)
                    .map(|number| {
                        let start = &start;
                        scope.spawn(move || {
                            start.wait();
                            let mut store = Store::create(path).ok()?;
                            store.append(&mut [note(number)]).unwrap();
                            Some(store)
                        })
                    })
                    .collect();
                let made = all.into_iter().filter_map(|it| it.join().unwrap());
                made.collect::<Vec<_>>()
            });
            assert_eq!(taken.len(), 1);
            drop(taken);
            let record = read(path).unwrap();
            assert_eq!((record.entries.len(), record.broken), (1, None));
        });
    }
}

#[test]
fn nobody_else_can_read_or_play_a_game_that_is_played() {
    with_game(|path| {
        let _store = Store::create(path).unwrap();
        let error = Store::resume(path).err().unwrap();
        assert_eq!(error.kind, ErrorKind::DeviceBusy);
        #[cfg(unix)]
        for file in fs::read_dir(path.parent().unwrap()).unwrap() {
            let file = file.unwrap();
            let mode =
                std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions());
            assert_eq!(mode & 0o077, 0, "{:?}", file.path());
        }
    });
}

#[test]
fn a_full_disk_keeps_nothing_of_a_commit_and_the_next_try_works() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        store.append(&mut [note(1)]).unwrap();
        store.limit(0).unwrap();
        let mut many: Vec<Entry> = (2..500).map(note).collect();
        let error = store.append(&mut many).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unwritable);
        assert_eq!(read(path).unwrap().entries.len(), 1);
        store.limit(1 << 30).unwrap();
        store.append(&mut many).unwrap();
        let record = read(path).unwrap();
        assert_eq!((record.entries.len(), record.broken), (499, None));
    });
}

#[test]
fn a_changed_byte_is_found_and_its_entry_named() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        store
            .append(&mut (1..20).map(note).collect::<Vec<_>>())
            .unwrap();
        drop(store);
        let mut bytes = fs::read(path).unwrap();
        let needle = b"remark number 7";
        let place = bytes
            .windows(needle.len())
            .position(|window| window == needle)
            .unwrap();
        bytes[place] = b'R';
        fs::write(path, bytes).unwrap();
        let record = read(path).unwrap();
        assert_eq!(record.broken, Some(Broken::Changed { seq: 7 }));
        assert_eq!(record.entries.len(), 6);
    });
}

#[test]
fn a_torn_log_loses_nothing_but_its_end() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        for number in 1..=30 {
            store.append(&mut [note(number)]).unwrap();
        }
        let log_of = |path: &Path| {
            let mut log = path.as_os_str().to_owned();
            log.push("-wal");
            PathBuf::from(log)
        };
        let (main, log) = (fs::read(path).unwrap(), fs::read(log_of(path)).unwrap());
        let mut most = 0;
        for cut in (0..=log.len()).step_by(1013).chain([log.len()]) {
            for is_zeroed in [false, true] {
                let torn = path.with_file_name(format!("torn{cut}{is_zeroed}.annexd"));
                let mut left = log[..cut].to_vec();
                if is_zeroed {
                    // Pages that were never synced may come back as zeros.
                    left.resize(log.len(), 0);
                }
                fs::write(&torn, &main).unwrap();
                fs::write(log_of(&torn), left).unwrap();
                if let Ok(record) = read(&torn) {
                    assert_eq!(record.broken, None, "cut at {cut}");
                    assert!(record.entries.len() >= most, "cut at {cut}");
                    most = record.entries.len();
                } else {
                    assert_eq!(most, 0, "cut at {cut}");
                }
            }
        }
        assert_eq!(most, 30);
    });
}

#[test]
fn reading_a_damaged_log_leaves_it_as_it_is() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        for number in 1..=12 {
            store.append(&mut [note(number)]).unwrap();
            store.write_heartbeat(Moment::from_ms(number * 100), number, 0);
        }
        let left = path.with_file_name("left.annexd");
        fs::copy(path, &left).unwrap();
        fs::copy(heartbeat::path_of(path), heartbeat::path_of(&left)).unwrap();
        let mut log = fs::read(seal::log_of(path)).unwrap();
        let middle = log.len() / 2;
        log[middle] ^= 1;
        fs::write(seal::log_of(&left), &log).unwrap();
        for _ in 0..2 {
            assert!(read(&left).unwrap().cut_off.is_some());
            assert_eq!(fs::read(seal::log_of(&left)).unwrap(), log);
        }
        drop(Store::resume(&left).unwrap());
        assert_eq!(fs::read(left.with_extension("damaged-wal")).unwrap(), log);
    });
}

#[test]
fn no_file_at_all_and_no_game_are_said_so() {
    with_game(|path| {
        let error = read(path).err().unwrap();
        assert_eq!(error.kind, ErrorKind::BadInput);
        fs::write(path, "1. e4 e5").unwrap();
        let error = read(path).err().unwrap();
        assert!(error.message.contains("not a game of annexd"), "{error}");
    });
}

#[test]
fn a_log_that_is_cut_while_entries_are_written_is_noticed() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        store.append(&mut [note(1)]).unwrap();
        let log = File::options()
            .write(true)
            .open(seal::log_of(path))
            .unwrap();
        let length = log.metadata().unwrap().len();
        log.set_len(0).unwrap();
        log.set_len(length).unwrap();
        let error = store.append(&mut [note(2)]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unwritable);
        drop(log);
        // Windows removes no file that is open elsewhere. What was written is held until then.
        let reader = Connection::open(path).unwrap();
        if cfg!(windows) {
            store.append(&mut [note(2)]).unwrap_err();
            assert_eq!(store.everything().len(), 1);
        }
        drop(reader);
        store.append(&mut [note(2)]).unwrap();
        drop(store);
        assert_eq!(read(path).unwrap().entries.len(), 2);
    });
}

#[test]
fn no_garbage_makes_the_reader_panic() {
    with_game(|path| {
        let mut store = Store::create(path).unwrap();
        store
            .append(&mut (1..40).map(note).collect::<Vec<_>>())
            .unwrap();
        drop(store);
        let whole = fs::read(path).unwrap();
        for step in 0..whole.len() / 97 {
            let mut bytes = whole.clone();
            bytes[step * 97] ^= 0xff;
            fs::write(path, &bytes).unwrap();
            if let Ok(record) = read(path) {
                assert!(record.entries.len() <= 39);
            }
        }
    });
}
