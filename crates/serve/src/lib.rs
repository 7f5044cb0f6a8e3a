//! The workbench: a page in the browser, served on loopback.
//!
//! This crate knows files, sockets and processes, and nothing of what a script means: whatever is asked about one is asked of a
//! child process of the same binary ([`children`]), which can be ended at any time and has limits of its own. So a check that is killed,
//! or a reader that hangs, costs one answer and never the server.
//!
//! [`gate`] decides who may ask at all, [`folder`] which files there are, [`location`] reaches them without following links, [`texts`] holds what was typed and not saved yet, [`runs`] are
//! checks, [`socket`] speaks with one tab of a browser, and [`assets`] are the files of the page.

mod assets;
mod children;
mod connections;
mod folder;
mod gate;
mod location;
mod queries;
mod runs;
mod socket;
mod texts;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use folder::Folder;
use gate::Gate;
use runs::Runs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use texts::Texts;
use tokio::net::TcpListener;

/// Where the page is looked for first, so that bookmarks stay; any other free port if this one is taken.
const USUAL_PORT: u16 = 4747;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder whose scripts are served; nothing outside of it is read.
    pub folder: PathBuf,
    /// The script to begin with, by its path in the folder.
    pub start: Option<String>,
    /// On this port and no other.
    pub port: Option<u16>,
    /// Whether nothing is ever written.
    pub is_read_only: bool,
    /// The binary that answers questions about scripts.
    pub program: PathBuf,
    /// What it calls itself.
    pub version: &'static str,
    /// The ends of names by which scripts are known.
    pub endings: Vec<&'static str>,
    /// How much memory a check may use, if nobody says otherwise.
    pub memory_bytes: Option<u64>,
}

/// What all tabs share.
pub(crate) struct Workbench {
    settings: Settings,
    folder: Folder,
    texts: Texts,
    runs: Runs,
    n_sockets: AtomicUsize,
    /// How many tabs there were so far.
    n_arrived: AtomicU64,
    n_simulators: AtomicUsize,
}

/// Serves until the process ends; its children end with it. The address, with the token, is told when the page can be opened.
///
/// # Errors
/// When the folder cannot be read, or the port is taken.
pub fn serve(settings: Settings, on_ready: impl FnOnce(&str)) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the server: {error}"))?;
    runtime.block_on(serve_for_ever(settings, on_ready))
}

async fn serve_for_ever(settings: Settings, on_ready: impl FnOnce(&str)) -> Result<(), String> {
    let folder = Folder::new(&settings)?;
    let listener = listen(settings.port).await?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let gate = Gate::new(port)?;
    let address = format!("http://127.0.0.1:{port}/#token={}", gate.token());
    let workbench = Arc::new(Workbench {
        runs: Runs::new(),
        texts: Texts::default(),
        folder,
        settings,
        n_sockets: AtomicUsize::new(0),
        n_arrived: AtomicU64::new(0),
        n_simulators: AtomicUsize::new(0),
    });
    let gate = Arc::new(gate);
    let router = Router::new()
        .route("/socket", get(socket::open))
        .with_state(Arc::clone(&workbench))
        .route("/api/alive", get(|| async { "alive" }))
        .fallback(assets::answer)
        .layer(from_fn_with_state(gate, gate::pass));
    on_ready(&address);
    let listener = connections::Bounded::new(listener);
    axum::serve(listener, router).await.map_err(|error| error.to_string())
}

/// Loopback only: there is no option for other addresses.
async fn listen(port: Option<u16>) -> Result<TcpListener, String> {
    let at = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Some(port) = port else {
        return match TcpListener::bind(at(USUAL_PORT)).await {
            Ok(listener) => Ok(listener),
            Err(_) => TcpListener::bind(at(0)).await.map_err(|error| format!("cannot listen on any port: {error}")),
        };
    };
    TcpListener::bind(at(port)).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            format!("port {port} is in use: choose another one, or leave --port out and a free one is taken")
        }
        ErrorKind::PermissionDenied => format!("you may not listen on port {port}: choose one above 1023"),
        _ => format!("cannot listen on port {port}: {error}"),
    })
}
