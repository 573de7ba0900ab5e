//! A typed client of the relay, over HTTP and WebSockets.
//!
//! A [`Client`] calls operations:
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use assent_relay_api::operations::accounts::Me;
//! use assent_relay_client::{Client, Credentials};
//!
//! let client = Client::new("https://relay.example", Credentials::bearer("…".to_owned()))?;
//! let account = client.call::<Me>(&(), &(), &()).await?;
//! println!("{}", account.display_name);
//! # Ok(())
//! # }
//! ```
//!
//! An [`EventStream`] receives events and sends messages. It reconnects by itself:
//!
//! ```no_run
//! # use assent_relay_api::socket::MessageSend;
//! # async fn example(
//! #     agent_id: assent_ids::AgentId,
//! #     message: MessageSend,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! use assent_relay_client::{Client, ConnectOptions, Credentials, SocketRole, StreamEvent};
//! use futures_util::StreamExt as _;
//!
//! let client = Client::new("https://relay.example", Credentials::bearer("hsk_…".to_owned()))?;
//! let mut events = client.event_stream(ConnectOptions::new(SocketRole::Agent(agent_id)));
//! let handle = events.handle();
//! let sender = handle.clone();
//! tokio::spawn(async move { sender.send(message).await });
//! while let Some(event) = events.next().await {
//!     match event? {
//!         StreamEvent::Event(event) => {
//!             println!("{:?}", event.body);
//!             handle.acknowledge(event.event_id);
//!         }
//!         StreamEvent::Skipped { first, last } => eprintln!("{first} to {last} were deleted"),
//!         StreamEvent::Disconnected { error, .. } => eprintln!("{error}"),
//!         _ => {}
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Invariant: a stream yields every event once and in its order, and sends a message under the same id until it has an
//! answer.

mod admin_socket;
mod advice;
mod base_url;
mod client;
mod connect_options;
mod connection;
mod credentials;
mod error;
mod event_stream;
mod retries;
mod stream_error;
mod transport;
mod web;

pub use assent_outbound::Roots;
pub use base_url::{BaseUrl, BaseUrlError};
pub use client::{Answer, Client, ClientOptions};
pub use connect_options::{ConnectOptions, SocketRole};
pub use credentials::Credentials;
pub use error::{ClientError, Refusal};
pub use event_stream::{EventStream, EventStreamHandle, SendError, StreamEvent};
pub use retries::Retries;
pub use stream_error::StreamError;
