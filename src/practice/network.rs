//! The only place that uses the internet. Only `annexd-practice model fetch` comes here.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use ureq::http::StatusCode;

use annexd::phrases::Sentence;
use annexd::shell::error::Result;
use annexd::shell::hearing::model::unwritable;
use annexd::{error, sentence};

/// How long to wait for a connection, and for more bytes.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many times a broken connection is resumed.
const ATTEMPTS: usize = 5;

/// Fetches `size` bytes into `file`. It resumes where an earlier attempt ended.
pub(crate) fn fetch(
    address: &str,
    file: &Path,
    size: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<()> {
    if !is_trusted(address) {
        return Err(error!(Usage, AddressNotHttps, address = address));
    }
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_recv_body(Some(PATIENCE * 120))
        .http_status_as_error(false)
        .build()
        .into();
    let mut reason = sentence!(AsItIs);
    for _ in 0..ATTEMPTS {
        let there = fs::metadata(file).map_or(0, |metadata| metadata.len());
        if there == size {
            return Ok(());
        }
        match go_on(&agent, address, file, size, progress)? {
            None => return Ok(()),
            Some(broken) => reason = broken,
        }
    }
    let there = fs::metadata(file).map_or(0, |metadata| metadata.len());
    Err(error!(
        Missing,
        DownloadBrokeOff,
        address = address,
        there = there,
        size = size,
        why = reason
    ))
}

/// Returns whether an address is HTTPS or on this machine.
fn is_trusted(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://127.0.0.1:")
}

/// Makes one attempt. The error says why it ended early.
fn go_on(
    agent: &ureq::Agent,
    address: &str,
    file: &Path,
    size: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<Sentence>> {
    let there = fs::metadata(file).map_or(0, |metadata| metadata.len());
    let there = if there > size { 0 } else { there };
    let request = agent
        .get(address)
        .header("Range", format!("bytes={there}-"));
    let mut response = match request.call() {
        Ok(response) => response,
        Err(error) => return Ok(Some(sentence!(AsItIs, text = error.to_string()))),
    };
    let goes_on = response.status() == StatusCode::PARTIAL_CONTENT;
    if !goes_on && response.status() != StatusCode::OK {
        return Ok(Some(sentence!(
            ServerAnswered,
            answer = response.status().to_string()
        )));
    }
    let mut written = if goes_on { there } else { 0 };
    let mut output = OpenOptions::new()
        .create(true)
        .write(true)
        .append(goes_on && there > 0)
        .truncate(!(goes_on && there > 0))
        .open(file)
        .map_err(|error| unwritable(file, &error))?;
    let mut body = response.body_mut().as_reader();
    let mut piece = [0; 64 * 1024];
    loop {
        let count = match body.read(&mut piece) {
            Ok(0) if written == size => return Ok(None),
            Ok(0) => return Ok(Some(sentence!(ConnectionClosed))),
            Ok(count) => count,
            Err(error) => return Ok(Some(sentence!(AsItIs, text = error.to_string()))),
        };
        written += count as u64;
        if written > size {
            return Err(error!(
                BadInput,
                DownloadTooLong,
                address = address,
                size = size
            ));
        }
        let bytes = piece.get(..count).unwrap_or_default();
        output
            .write_all(bytes)
            .map_err(|error| unwritable(file, &error))?;
        progress(written);
    }
}
