//! Cookies. Each holds the token of a session, for its own path only. No script can read it, and no
//! other site can cause it to be sent.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

use crate::Role;

/// The name of a role's cookie. It contains the port, because all ports of a computer share their
/// cookies.
fn name(role: Role, port: u16) -> String {
    format!("annexd-{port}-{}", role.word())
}

/// Returns the cookie that begins a session.
pub(crate) fn begins(role: Role, port: u16, token: &str) -> String {
    let (name, path) = (name(role, port), role.word());
    format!("{name}={token}; Path=/{path}; HttpOnly; SameSite=Strict")
}

/// Returns the cookie that ends a session.
pub(crate) fn ends(role: Role, port: u16) -> String {
    let (name, path) = (name(role, port), role.word());
    format!("{name}=; Path=/{path}; Max-Age=0; HttpOnly; SameSite=Strict")
}

/// Returns the token of the session that a request names.
pub(crate) fn session(headers: &HeaderMap, role: Role, port: u16) -> Option<String> {
    let name = name(role, port);
    let cookies = headers.get_all(COOKIE).into_iter();
    let mut cookies = cookies
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'));
    cookies.find_map(|cookie| {
        let (of, value) = cookie.trim().split_once('=')?;
        (of == name).then(|| value.to_owned())
    })
}
