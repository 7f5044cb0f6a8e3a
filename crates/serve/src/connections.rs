//! Connections: their number, and the time that each may stay without a request.
//!
//! A connection is unauthenticated until a request on it has the token. There are [`MAX_UNAUTHENTICATED`] places for
//! unauthenticated connections. Further ones enter a reserve: a request with the token is served, others are refused,
//! and the connection that has waited longest in the reserve is closed for the next one. So connections that send
//! nothing cannot lock out a holder of the token.

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use limits::input::workbench::{
    FIRST_REQUEST, IDLE_AUTHENTICATED, IDLE_UNAUTHENTICATED, MAX_AUTHENTICATED, MAX_RESERVE, MAX_UNAUTHENTICATED,
};
use std::collections::VecDeque;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{Instant, Sleep, sleep_until};

/// Listener that counts connections.
pub struct Bounded {
    listener: TcpListener,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    n_strangers: usize,
    n_holders: usize,
    /// Connections in the reserve by number, the oldest first, with the senders that close them.
    reserve: VecDeque<(u64, oneshot::Sender<()>)>,
    next: u64,
}

/// Status of a connection.
#[derive(Clone, Copy)]
enum Standing {
    Stranger,
    Reserve(u64),
    Holder,
}

impl Counts {
    /// Admits a new connection; for the reserve, with the signal that closes it.
    fn arrive(&mut self) -> (Standing, Option<oneshot::Receiver<()>>) {
        if self.n_strangers < MAX_UNAUTHENTICATED {
            self.n_strangers += 1;
            return (Standing::Stranger, None);
        }
        if self.reserve.len() == MAX_RESERVE
            && let Some((_, end)) = self.reserve.pop_front()
        {
            // It may have closed already.
            let _ = end.send(());
        }
        let (end, ended) = oneshot::channel();
        self.next += 1;
        self.reserve.push_back((self.next, end));
        (Standing::Reserve(self.next), Some(ended))
    }

    fn leave(&mut self, standing: Standing) {
        match standing {
            Standing::Stranger => self.n_strangers -= 1,
            Standing::Holder => self.n_holders -= 1,
            Standing::Reserve(number) => self.reserve.retain(|(other, _)| *other != number),
        }
    }
}

impl Bounded {
    /// Listener without connections.
    pub fn new(listener: TcpListener) -> Bounded {
        Bounded { listener, counts: Arc::default() }
    }
}

impl Listener for Bounded {
    type Io = Counted;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Counted, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Messages are small and latency matters, so they are not coalesced.
        let _ = stream.set_nodelay(true);
        let (standing, ended) = lock(&self.counts).arrive();
        let deadline = Instant::now() + FIRST_REQUEST;
        let state = Mutex::new(State { standing, deadline: Some(deadline) });
        let visitor = Visitor(Arc::new(Visit { counts: Arc::clone(&self.counts), state }));
        (Counted { stream, visitor, ended, alarm: Box::pin(sleep_until(deadline)) }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Connection of a request.
#[derive(Clone)]
pub struct Visitor(Arc<Visit>);

struct Visit {
    counts: Arc<Mutex<Counts>>,
    state: Mutex<State>,
}

struct State {
    standing: Standing,
    /// Time at which the connection is closed, unless a request arrives.
    deadline: Option<Instant>,
}

impl Connected<IncomingStream<'_, Bounded>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, Bounded>) -> Visitor {
        stream.io().visitor.clone()
    }
}

impl Visitor {
    /// Records a request; false if there are too many connections of its kind to answer it.
    pub fn admit(&self, knows_token: bool) -> bool {
        let (mut counts, mut state) = (lock(&self.0.counts), lock(&self.0.state));
        if knows_token && !matches!(state.standing, Standing::Holder) && counts.n_holders < MAX_AUTHENTICATED {
            counts.leave(state.standing);
            counts.n_holders += 1;
            state.standing = Standing::Holder;
        }
        let (idle, is_admitted) = match state.standing {
            Standing::Holder => (IDLE_AUTHENTICATED, true),
            Standing::Stranger => (IDLE_UNAUTHENTICATED, true),
            Standing::Reserve(_) => (FIRST_REQUEST, false),
        };
        state.deadline = Some(Instant::now() + idle);
        is_admitted
    }

    /// Removes the deadline of a connection that became a socket.
    pub fn stay(&self) {
        lock(&self.0.state).deadline = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nothing panics while it counts connections")
}

/// Connection that frees its place when it is dropped, and is closed when no request arrives.
pub struct Counted {
    stream: TcpStream,
    visitor: Visitor,
    ended: Option<oneshot::Receiver<()>>,
    alarm: Pin<Box<Sleep>>,
}

impl Counted {
    /// Error after the connection's deadline, for pending operations.
    fn still_waits<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let too_late = Poll::Ready(Err(ErrorKind::TimedOut.into()));
        if let Some(ended) = &mut self.ended
            && let Poll::Ready(end) = Pin::new(ended).poll(context)
        {
            self.ended = None;
            // A dropped sender means that the connection has left the reserve.
            if end.is_ok() {
                return too_late;
            }
        }
        let Some(deadline) = lock(&self.visitor.0.state).deadline else { return Poll::Pending };
        if self.alarm.deadline() != deadline {
            self.alarm.as_mut().reset(deadline);
        }
        if self.alarm.as_mut().poll(context).is_ready() { too_late } else { Poll::Pending }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let standing = lock(&self.visitor.0.state).standing;
        lock(&self.visitor.0.counts).leave(standing);
    }
}

impl AsyncRead for Counted {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, into) {
            Poll::Pending => self.still_waits(context),
            ready => ready,
        }
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Pending => self.still_waits(context),
            ready => ready,
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
