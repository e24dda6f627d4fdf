//! Fetching from a server on this machine that misbehaves in every way.

use annexd::shell::error::{Error, ErrorKind};
use std::io::{BufRead, BufReader, Cursor, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;

use super::*;

/// How the server answers.
#[derive(Clone, Copy)]
enum Manner {
    /// The whole file, or the requested range.
    Whole,
    /// It closes the connection half-way the first time.
    CutOffOnce,
    /// It closes the connection after some bytes every time, and does not support ranges.
    AlwaysCutOff,
    /// It answers with an error.
    Refusing,
}

fn serve(file: Vec<u8>, manner: Manner) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/model.zip", listener.local_addr().unwrap());
    thread::spawn(move || {
        for (count, stream) in listener.incoming().flatten().enumerate() {
            answer(stream, &file, manner, count);
        }
    });
    address
}

fn answer(mut stream: TcpStream, file: &[u8], manner: Manner, count: usize) {
    let mut start = 0;
    for line in BufReader::new(stream.try_clone().unwrap()).lines() {
        let line = line.unwrap_or_default().to_lowercase();
        if let Some(range) = line.strip_prefix("range: bytes=") {
            start = range.trim_end_matches('-').parse().unwrap_or(0);
        }
        if line.is_empty() {
            break;
        }
    }
    let (status, start, end) = match manner {
        Manner::Refusing => ("500 Broken", 0, 0),
        Manner::AlwaysCutOff => ("200 OK", 0, file.len() / 3),
        Manner::CutOffOnce if count == 0 => ("206 Partial", start, file.len() / 2),
        _ => ("206 Partial", start, file.len()),
    };
    let length = file.len() - start;
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&file[start..end]);
}

fn archive(names: &[&str]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&[b'x'; 5_000]).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn entry(address: String, file: &[u8]) -> Entry {
    Entry {
        name: "small".to_owned(),
        language: "de".to_owned(),
        address,
        size: file.len() as u64,
        sha256: hex(file),
        licence: String::new(),
        note: String::new(),
    }
}

fn fetched(entry: &Entry, shelf: &Path) -> Result<()> {
    install(entry, shelf, &mut |_| (), &|_| Ok(()))
}

#[test]
fn a_whole_archive_and_one_cut_off_once_arrive() {
    for manner in [Manner::Whole, Manner::CutOffOnce] {
        let shelf = tempfile::tempdir().unwrap();
        let file = archive(&["top/am/final.mdl", "top/conf/mfcc.conf"]);
        fetched(&entry(serve(file.clone(), manner), &file), shelf.path()).unwrap();
        let folder = shelf.path().join("small");
        assert_eq!(fs::read(folder.join("am/final.mdl")).unwrap().len(), 5_000);
        let sums = fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
        assert_eq!(sums.lines().count(), 2);
        assert!(!shelf.path().join("small.part").exists());
    }
}

#[test]
fn what_came_of_an_attempt_is_taken_up_by_the_next() {
    let shelf = tempfile::tempdir().unwrap();
    let file = archive(&["top/a"]);
    fs::write(shelf.path().join("small.part"), &file[..100]).unwrap();
    let mut first = None;
    let wanted = entry(serve(file.clone(), Manner::Whole), &file);
    let mut progress = |bytes| {
        first.get_or_insert(bytes);
    };
    install(&wanted, shelf.path(), &mut progress, &|_| Ok(())).unwrap();
    assert!(first.unwrap() > 100);
}

#[track_caller]
fn check_refused(wanted: &Entry, kind: ErrorKind, expected: &str) {
    let shelf = tempfile::tempdir().unwrap();
    let error = fetched(wanted, shelf.path()).unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(expected), "{error}");
    assert!(!shelf.path().join("small").exists());
    assert!(!shelf.path().join("small.new").exists());
}

#[test]
fn a_server_that_dies_or_refuses_is_named() {
    let file = archive(&["top/a"]);
    let dying = entry(serve(file.clone(), Manner::AlwaysCutOff), &file);
    check_refused(&dying, ErrorKind::Missing, "broke off after");
    let refusing = entry(serve(file.clone(), Manner::Refusing), &file);
    check_refused(&refusing, ErrorKind::Missing, "500");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_named() {
    let shelf = tempfile::tempdir().unwrap();
    let file = archive(&["top/a"]);
    std::os::unix::fs::symlink("/dev/full", shelf.path().join("small.part")).unwrap();
    let wanted = entry(serve(file.clone(), Manner::Whole), &file);
    let error = fetched(&wanted, shelf.path()).unwrap_err();
    assert!(error.message.contains("small.part"), "{error}");
    assert!(error.message.contains("No space left"), "{error}");
    assert!(!shelf.path().join("small").exists());
}

#[test]
fn a_wrong_sum_a_longer_file_and_a_plain_address_are_refused() {
    let file = archive(&["top/a"]);
    let address = serve(file.clone(), Manner::Whole);
    let mut wrong = entry(address.clone(), &file);
    wrong.sha256 = "0".repeat(64);
    check_refused(&wrong, ErrorKind::BadInput, "not the file it should be");
    let mut longer = entry(address, &file);
    longer.size -= 10;
    check_refused(&longer, ErrorKind::BadInput, "longer than");
    let plain = entry("http://example.org/model.zip".to_owned(), &file);
    check_refused(&plain, ErrorKind::Usage, "https");
}

#[test]
fn an_archive_that_reaches_out_of_its_folder_is_refused() {
    for name in ["../evil", "/evil", "top/../../evil", "top\\..\\evil"] {
        let file = archive(&["top/a", name]);
        let wanted = entry(serve(file.clone(), Manner::Whole), &file);
        check_refused(&wanted, ErrorKind::BadInput, "leads out of it");
    }
    let file = b"this is no archive".to_vec();
    let wanted = entry(serve(file.clone(), Manner::Whole), &file);
    check_refused(&wanted, ErrorKind::BadInput, "was not unpacked");
}

#[test]
fn a_model_that_fails_its_trial_is_not_kept() {
    let shelf = tempfile::tempdir().unwrap();
    let file = archive(&["top/a"]);
    let wanted = entry(serve(file.clone(), Manner::Whole), &file);
    let refuse = |_: &Path| Err(Error::new(ErrorKind::BadInput, "it crashes"));
    install(&wanted, shelf.path(), &mut |_| (), &refuse).unwrap_err();
    assert!(!shelf.path().join("small").exists());
    assert!(shelf.path().join("small.part").exists());
}
