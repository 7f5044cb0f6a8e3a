//! Access control.
//!
//! Pages of other sites in the same browser can send requests to loopback, and other host names can resolve to it: so
//! the `Host` and `Origin` headers must be the server's own. Other users of the machine can connect, but do not know
//! the token.

use crate::connections::Visitor;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use limits::input::workbench::MAX_BODY;
use std::sync::Arc;

/// Expected hosts, origins and token of requests.
pub struct Gate {
    hosts: [String; 2],
    origins: [String; 2],
    sockets: String,
    token: String,
}

impl Gate {
    /// Gate with a new token from the randomness of the system.
    pub fn new(port: u16) -> Result<Gate, String> {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Ok(Gate {
            origins: hosts.each_ref().map(|host| format!("http://{host}")),
            sockets: hosts.each_ref().map(|host| format!("ws://{host}")).join(" "),
            hosts,
            token: random_hex()?,
        })
    }

    /// Token that authenticates requests.
    pub fn token(&self) -> &str {
        &self.token
    }

    fn judge(&self, request: &Request) -> Result<(), (StatusCode, &'static str)> {
        let headers = request.headers();
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        if !host.is_some_and(|host| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))) {
            return Err((StatusCode::MISDIRECTED_REQUEST, "this server is 127.0.0.1 and nothing else"));
        }
        if let Some(origin) = headers.get(header::ORIGIN)
            && !origin.to_str().is_ok_and(|origin| self.origins.iter().any(|known| known == origin))
        {
            return Err((StatusCode::FORBIDDEN, "pages of other sites may not ask"));
        }
        let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > MAX_BODY as u64) {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, "this is too large"));
        }
        if request.method() != Method::GET {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "there is nothing to send here"));
        }
        let path = request.uri().path();
        let is_open = path != "/socket" && !path.starts_with("/api");
        if !is_open && !self.knows_token(headers) {
            return Err((StatusCode::UNAUTHORIZED, "open the address that `tracehound serve` printed, with its token"));
        }
        Ok(())
    }

    /// Whether the token is in its header, or among the protocols of a socket, since pages cannot set headers on
    /// sockets.
    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
        let protocols = headers.get(header::SEC_WEBSOCKET_PROTOCOL).and_then(|value| value.to_str().ok());
        let mut offered =
            protocols.into_iter().flat_map(|all| all.split(',')).filter_map(|word| word.trim().strip_prefix("token."));
        bearer.into_iter().any(|word| same(word, &self.token)) || offered.any(|word| same(word, &self.token))
    }
}

/// Constant-time comparison.
fn same(left: &str, right: &str) -> bool {
    let differences = left.bytes().zip(right.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
    left.len() == right.len() && differences == 0
}

/// 128 random bits.
pub fn random_hex() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system has no randomness: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Middleware that refuses unauthorized requests, and sets the security headers of responses.
pub async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let judged = gate.judge(&request);
    let visitor = request.extensions().get::<ConnectInfo<Visitor>>();
    let knows_token = judged.is_ok() && gate.knows_token(request.headers());
    let is_admitted = visitor.is_some_and(|ConnectInfo(visitor)| visitor.admit(knows_token));
    let mut response = match judged {
        _ if !is_admitted => {
            let close = [(header::CONNECTION, "close")];
            (StatusCode::SERVICE_UNAVAILABLE, close, "too many connections are open").into_response()
        }
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let nonce = headers.remove(NONCE).and_then(|nonce| Some(format!(" 'nonce-{}'", nonce.to_str().ok()?)));
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'{}; img-src 'self' blob: data:; connect-src 'self' {}; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        nonce.unwrap_or_default(),
        gate.sockets
    );
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Internal header by which the page announces the nonce of its style sheets; not sent.
pub const NONCE: &str = "x-nonce";
