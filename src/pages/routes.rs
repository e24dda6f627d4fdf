//! The requests and their answers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, FromRequest as _, Path, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, LOCATION,
    ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Extension, Form, Router};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::connections::Connection;
use crate::html::BODY_MAX;
use crate::html::{self, Asked, Sent};
use crate::role_pages::Inner;
use crate::sessions::{Known, alike};
use crate::words::Words;
use crate::{Role, Visitor, cookies, live};

/// How long a form may take to arrive.
const BODY: Duration = Duration::from_secs(10);

/// How long a page without the script waits for the result of a press.
const SETTLES: Duration = Duration::from_millis(300);

/// How long a visitor who enters waits until there is something to see.
const BEGINS: Duration = Duration::from_secs(5);

/// Allows only what this program serves: no inline script, no style, no frame, no other site.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// A sheet to print has its style inside, and no script. The split word is no code.
const SHEET_POLICY: &str = concat!(
    "default-src 'none'; style-src 'uns",
    "afe-inline'; sandbox; frame-ancestors 'none'"
);

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

const ICON: &str = concat!(
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><path fill=\"#f1dfc0\" ",
    "d=\"M0 0h4v4H0z\"/><path fill=\"#7b4b1c\" d=\"M2 0h2v2H2zM0 2h2v2H0z\"/></svg>",
);

type InnerState = State<Arc<Inner>>;
type Fields = HashMap<String, String>;

/// Returns the router with all addresses.
pub(crate) fn router(inner: Arc<Inner>) -> Router {
    Router::new()
        .route("/", get(entrance))
        .route("/enter", post(enter))
        .route("/style.css", get(|| text("text/css", STYLE)))
        .route("/icon.svg", get(|| text("image/svg+xml", ICON)))
        .route("/script.js", get(|| text("text/javascript", SCRIPT)))
        .route("/{role}", get(page))
        .route("/{role}/do", post(act))
        .route("/{role}/live", get(changes))
        .route("/{role}/leave", post(leave))
        .route("/{role}/file/{name}", get(file))
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn_with_state(Arc::clone(&inner), guard))
        .with_state(inner)
}

/// Refuses requests that do not come from a page of this program. Marks every answer so that it is
/// neither stored nor shown inside another page.
async fn guard(State(inner): InnerState, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let is_here = |name: HeaderName| headers.get(name).is_some_and(|it| inner.is_here(it));
    let has_other_origin = headers.contains_key(ORIGIN) && !is_here(ORIGIN);
    // Another name for this address belongs to another site, which must not read this one.
    let mut response = if !is_here(HOST) || has_other_origin {
        StatusCode::FORBIDDEN.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "same-origin"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

impl Inner {
    /// Returns whether a host or an origin is the served address.
    fn is_here(&self, value: &HeaderValue) -> bool {
        let value = value.to_str().unwrap_or_default();
        let host = value.strip_prefix("http://").unwrap_or(value);
        let local = ["127.0.0.1", "localhost", "[::1]"].into_iter();
        let mut local = local.map(|name| format!("{name}:{}", self.address.port()));
        host == self.address.to_string()
            || self.address.ip().is_loopback() && local.any(|name| name == host)
    }

    /// Returns the session of a request, if the visitor has entered.
    fn known(&self, headers: &HeaderMap, role: Role) -> Option<Known> {
        let token = cookies::session(headers, role, self.address.port())?;
        self.sessions.known(role, &token)
    }

    /// Asks the host on a thread that may wait.
    async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        what: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Option<T> {
        let inner = Arc::clone(self);
        spawn_blocking(move || what(&inner)).await.ok()
    }
}

async fn text(kind: &'static str, text: &'static str) -> Response {
    let kind = format!("{kind}; charset=utf-8");
    ([(CONTENT_TYPE, kind)], text).into_response()
}

async fn nothing() -> StatusCode {
    StatusCode::NOT_FOUND
}

async fn entrance(State(inner): InnerState, Query(asked): Query<Fields>) -> Response {
    offered(&inner, asked, None).await
}

/// Returns the entrance, with the result of the last attempt.
async fn offered(inner: &Arc<Inner>, asked: Fields, refused: Option<String>) -> Response {
    let status = match refused {
        Some(_) => StatusCode::FORBIDDEN,
        None => StatusCode::OK,
    };
    let html = inner.ask(move |inner| {
        let of = |name: &str| asked.get(name).cloned().unwrap_or_default();
        let words = inner.host.words(&of("language"));
        let places = inner.host.places(&words.language);
        let languages = inner.host.languages();
        let role = Role::from_word(&of("role"));
        let chosen = places.iter().find(|place| Some(place.role) == role);
        let code = of("code");
        html::entrance(
            &words,
            &places,
            chosen,
            &languages,
            &code,
            refused.as_deref(),
        )
    });
    match html.await {
        Some(html) => (status, Html(html.into_string())).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn fields(request: Request) -> Option<Fields> {
    let form = timeout(BODY, Form::<Fields>::from_request(request, &()));
    form.await.ok()?.ok().map(|Form(fields)| fields)
}

async fn enter(
    State(inner): InnerState,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
) -> Response {
    let Some(mut asked) = fields(request).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let of = |asked: &mut Fields, name: &str| asked.remove(name).unwrap_or_default();
    let Some(role) = asked.get("role").and_then(|role| Role::from_word(role)) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let language = asked.get("language").cloned().unwrap_or_default();
    // A visitor who waits for his turn with a PIN must not occupy a thread that others need.
    let Some(ticket) = inner.entrance.admit(&connection.from) else {
        let of = move |inner: &Inner| inner.host.words(&language).of("too_many_enter").to_owned();
        let why = inner.ask(of).await;
        return offered(&inner, asked, why).await;
    };
    let visitor = Visitor {
        from: connection.from.clone(),
        role,
        code: asked.get("code").cloned().unwrap_or_default(),
        pin: of(&mut asked, "pin"),
        again: of(&mut asked, "again"),
        language: language.clone(),
    };
    let entered = inner.ask(move |inner| {
        // The thread is occupied until this is done, even if the visitor has gone meanwhile.
        let _ticket = ticket;
        inner.host.enter(visitor)?;
        let token = inner.host.token();
        let language = inner.host.words(&language).language.clone();
        let forms = inner.host.token();
        inner.sessions.begin(role, token.clone(), forms, language);
        Ok::<_, String>(token)
    });
    let mut changes = inner.changes();
    match entered.await {
        Some(Ok(token)) => {
            // The page begins when there is something to see.
            let is_there = |_: &u64| !inner.view(role).state.is_empty();
            let _ = timeout(BEGINS, changes.wait_for(is_there)).await;
            let cookie = cookies::begins(role, inner.address.port(), &token);
            let to = format!("/{}", role.word());
            (
                StatusCode::SEE_OTHER,
                [(LOCATION, to), (SET_COOKIE, cookie)],
            )
                .into_response()
        }
        Some(Err(why)) => offered(&inner, asked, Some(why)).await,
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Returns the role of an address and its session, or the answer to send instead.
fn guest(
    inner: &Inner,
    headers: &HeaderMap,
    role: &str,
    connection: &Connection,
) -> Result<(Role, Known), Box<Response>> {
    let role =
        Role::from_word(role).ok_or_else(|| Box::new(StatusCode::NOT_FOUND.into_response()))?;
    let known = inner.known(headers, role).ok_or_else(|| {
        let to = format!("/?role={}", role.word());
        Box::new((StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response())
    })?;
    connection.is_of(role);
    Ok((role, known))
}

async fn page(
    State(inner): InnerState,
    Extension(connection): Extension<Arc<Connection>>,
    Path(role): Path<String>,
    Query(asked): Query<Fields>,
    headers: HeaderMap,
) -> Response {
    let (role, known) = match guest(&inner, &headers, &role, &connection) {
        Ok(guest) => guest,
        Err(answer) => return *answer,
    };
    let html = inner.ask(move |inner| {
        let words = inner.host.words(&known.language);
        let once = inner.host.token();
        let sent = Sent {
            role,
            words: &words,
            forms: &known.forms,
            once: &once,
        };
        let of = |name: &str| asked.get(name).cloned().unwrap_or_default();
        let asked = Asked {
            from: of("from"),
            to: of("to"),
            board: of("board"),
            label: of("label"),
            note: of("note"),
        };
        let log = inner.log_after(role, 0);
        html::page(&sent, &inner.view(role), &log, &asked).into_string()
    });
    match html.await {
        Some(html) => Html(html).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Handles a press. A page with the script gets no new page, one without gets its page again.
async fn act(
    State(inner): InnerState,
    Extension(connection): Extension<Arc<Connection>>,
    Path(role): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let (role, known) = match guest(&inner, &headers, &role, &connection) {
        Ok(guest) => guest,
        Err(answer) => return *answer,
    };
    let has_script = headers.contains_key("x-annexd");
    let Some(asked) = fields(request).await else {
        // A sheet may be too large, or a network too slow. The page stays usable.
        let why = move |inner: &Inner| inner.host.words(&known.language).page.unread.clone();
        let note = inner.ask(why).await.unwrap_or_default();
        return answered(role, has_script, &note);
    };
    let of = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default();
    if !alike(of("form"), &known.forms) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let line = html::filled(&asked);
    let press = format!("{} {line}", of("once"));
    let mut note = String::new();
    if !line.is_empty() && inner.sessions.is_new(role, &known.token, &press) {
        let mut changes = inner.changes();
        let taken = inner.ask(move |inner| inner.host.take(role, &line)).await;
        note = taken.and_then(Result::err).unwrap_or_default();
        if !has_script && note.is_empty() {
            let _ = timeout(SETTLES, changes.changed()).await;
        }
    }
    answered(role, has_script, &note)
}

/// Returns the answer to a press: empty, or why it was refused.
fn answered(role: Role, has_script: bool, note: &str) -> Response {
    match (has_script, note.is_empty()) {
        (true, true) => StatusCode::NO_CONTENT.into_response(),
        (true, false) => (StatusCode::CONFLICT, note.to_owned()).into_response(),
        (false, _) => {
            let note = html::escaped(note);
            let to = format!("/{}?note={note}", role.word());
            (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()
        }
    }
}

async fn changes(
    State(inner): InnerState,
    Extension(connection): Extension<Arc<Connection>>,
    Path(role): Path<String>,
    Query(asked): Query<Fields>,
    headers: HeaderMap,
) -> Response {
    let Some((role, known)) = guest(&inner, &headers, &role, &connection).ok() else {
        // This ends the page's connection permanently, and tells it so.
        return StatusCode::NO_CONTENT.into_response();
    };
    let last = headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let last = last.or_else(|| asked.get("log").map(String::as_str));
    let last = last.and_then(|it| it.parse().ok()).unwrap_or_default();
    let language = known.language.clone();
    let words: Option<Arc<Words>> = inner.ask(move |it| it.host.words(&language)).await;
    match words {
        Some(words) => live::events(inner, role, known, words, last).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn leave(
    State(inner): InnerState,
    Extension(connection): Extension<Arc<Connection>>,
    Path(role): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let (role, known) = match guest(&inner, &headers, &role, &connection) {
        Ok(guest) => guest,
        Err(answer) => return *answer,
    };
    let asked = fields(request).await.unwrap_or_default();
    let form = asked.get("form").map(String::as_str).unwrap_or_default();
    if !alike(form, &known.forms) {
        return StatusCode::FORBIDDEN.into_response();
    }
    inner.sessions.end(role, &known.token);
    let cookie = cookies::ends(role, inner.address.port());
    let to = "/".to_owned();
    (
        StatusCode::SEE_OTHER,
        [(LOCATION, to), (SET_COOKIE, cookie)],
    )
        .into_response()
}

async fn file(
    State(inner): InnerState,
    Extension(connection): Extension<Arc<Connection>>,
    Path((role, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let (role, _) = match guest(&inner, &headers, &role, &connection) {
        Ok(guest) => guest,
        Err(answer) => return *answer,
    };
    let view = inner.view(role);
    let Some(file) = view.files.iter().find(|file| file.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // A sheet is opened for printing. Any other file is downloaded.
    let (how, policy) = match file.is_sheet() {
        true => ("inline", SHEET_POLICY),
        false => ("attachment", POLICY),
    };
    let headers = [
        (CONTENT_TYPE, format!("{}; charset=utf-8", file.kind)),
        (
            CONTENT_DISPOSITION,
            format!("{how}; filename=\"{}\"", file.name),
        ),
        (CONTENT_SECURITY_POLICY, policy.to_owned()),
    ];
    (headers, file.text.clone()).into_response()
}
