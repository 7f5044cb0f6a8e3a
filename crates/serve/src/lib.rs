//! The workbench: a page in the browser, served on loopback.
//!
//! The server handles files, sockets and processes, and does not interpret scripts: every query about a script goes to
//! a child process of the same binary ([`children`]), which can be killed at any time and has its own limits. So a
//! check that is killed, or a parser that hangs, costs one answer and never the server. [`worker`] runs in such a
//! child; no other module uses it.
//!
//! [`gate`] controls access, [`folder`] lists the files, [`location`] opens them without following links, [`texts`]
//! holds unsaved edits, [`runs`] schedules checks, [`socket`] is the connection of one browser tab, and [`assets`] are
//! the files of the page.

mod assets;
mod children;
mod connections;
mod folder;
mod gate;
mod location;
mod outbox;
mod queries;
mod runs;
mod socket;
mod texts;
pub mod worker;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use folder::Folder;
use gate::Gate;
use limits::input::workbench::BROWSER_START;
use queries::Pool;
use runs::Runs;
use std::any::Any;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex};
use texts::Texts;
use tokio::net::TcpListener;

/// Preferred port, so that bookmarks stay valid; any other free port if this one is taken.
const USUAL_PORT: u16 = 4747;

/// Settings of the server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folder whose scripts are served; nothing outside of it is read.
    pub folder: PathBuf,
    /// Script to open first, by its path in the folder.
    pub start: Option<String>,
    /// Port to use exclusively.
    pub port: Option<u16>,
    /// Whether writing is disabled.
    pub is_read_only: bool,
    /// Binary that the child processes run.
    pub program: PathBuf,
    /// Version of the tool.
    pub version: &'static str,
    /// File name extensions of scripts.
    pub endings: Vec<&'static str>,
    /// Default memory limit of a check.
    pub memory_bytes: Option<u64>,
}

/// State shared by all tabs.
pub(crate) struct Workbench {
    settings: Settings,
    folder: Folder,
    texts: Texts,
    runs: Runs,
    n_sockets: AtomicUsize,
    /// Number of tabs connected so far.
    n_arrived: AtomicU64,
    pool: Pool,
    /// Value kept until the first tab is connected.
    opening: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Workbench {
    /// Keeps a value until a tab is connected, or for a limited time.
    fn until_opened(self: &Arc<Workbench>, kept: Box<dyn Any + Send>) {
        *self.opening.lock().expect("nothing panics while it holds this") = Some(kept);
        let workbench = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(BROWSER_START).await;
            workbench.opened();
        });
    }

    /// Drops the value kept for opening the page.
    fn opened(&self) {
        *self.opening.lock().expect("nothing panics while it holds this") = None;
    }
}

/// Serves until the process ends; its children end with it. `on_ready` receives the address, with the token, when the
/// page can be opened. Its result is kept until a tab is connected, or for a minute.
///
/// # Errors
/// When the folder cannot be read, or the port is taken.
pub fn serve<T: Send + 'static>(settings: Settings, on_ready: impl FnOnce(&str) -> T) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the server: {error}"))?;
    runtime.block_on(serve_for_ever(settings, on_ready))
}

async fn serve_for_ever<T: Send + 'static>(settings: Settings, on_ready: impl FnOnce(&str) -> T) -> Result<(), String> {
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
        pool: Pool::default(),
        opening: Mutex::default(),
    });
    let gate = Arc::new(gate);
    let router = Router::new()
        .route("/socket", get(socket::open))
        .with_state(Arc::clone(&workbench))
        .route("/api/alive", get(|| async { "alive" }))
        .fallback(assets::answer)
        .layer(from_fn_with_state(gate, gate::pass));
    workbench.until_opened(Box::new(on_ready(&address)));
    let listener = connections::Bounded::new(listener);
    let service = router.into_make_service_with_connect_info::<connections::Visitor>();
    axum::serve(listener, service).await.map_err(|error| error.to_string())
}

/// Binds a loopback address only: there is no option for other addresses.
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
