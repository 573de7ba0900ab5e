//! A relay with a write-behind buffer gives the same answers as one without.

mod world;

use assent_protocol::a2h::MsgSubtype;
use proptest::{prelude::*, test_runner::TestRunner};
use tokio::runtime::Builder;

use self::world::{Cast, World};

/// A message that a party sends.
#[derive(Clone, Debug)]
struct Letter {
    sender: usize,
    conversation: usize,
    /// The sender's name for it; few, so that some come again.
    name: u8,
    content: Text,
    subtype: MsgSubtype,
}

#[derive(Clone, Copy, Debug)]
enum Text {
    This,
    That,
    Long,
}

#[derive(Clone, Debug)]
enum Step {
    /// Messages that are sent at the same moment.
    Send(Vec<Letter>),
    Acknowledge {
        party: usize,
        event: u64,
    },
    /// A person leaves the group, or comes back.
    Move {
        is_in: bool,
    },
    /// A relation is suspended, or restored.
    Relate {
        is_active: bool,
    },
    /// A party gets an event other than a message.
    Tell(usize),
    /// A party reads its events.
    Look(usize),
    Wait(u64),
    /// The power goes. The relay goes on with what is on the disk.
    Crash,
}

fn letter() -> impl Strategy<Value = Letter> {
    let text = prop_oneof![8 => Just(Text::This), 2 => Just(Text::That), 1 => Just(Text::Long)];
    let subtype = prop_oneof![3 => Just(MsgSubtype::Text), 1 => Just(MsgSubtype::ArtifactToolCall)];
    (0..world::PARTIES, 0..world::CONVERSATIONS, 0_u8..12, text, subtype).prop_map(
        |(sender, conversation, name, content, subtype)| Letter {
            sender,
            conversation,
            name,
            content,
            subtype,
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    let party = || 0..world::PARTIES;
    prop_oneof![
        8 => prop::collection::vec(letter(), 1..6).prop_map(Step::Send),
        2 => (party(), 1_u64..12).prop_map(|(party, event)| Step::Acknowledge { party, event }),
        1 => any::<bool>().prop_map(|is_in| Step::Move { is_in }),
        1 => any::<bool>().prop_map(|is_active| Step::Relate { is_active }),
        1 => party().prop_map(Step::Tell),
        1 => party().prop_map(Step::Look),
        1 => (0_u64..1500).prop_map(Step::Wait),
        1 => Just(Step::Crash),
    ]
}

#[test]
fn a_buffer_changes_no_answer() {
    let mut runner = TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(96)
    });
    let walked = runner.run(&prop::collection::vec(step(), 1..40), |steps| {
        // One thread: the order of requests is the same in both worlds.
        let tokio = Builder::new_current_thread().enable_all().build().unwrap();
        tokio.block_on(async {
            let cast = Cast::new();
            let mut with_buffer = World::new(cast.clone(), true).await;
            let mut without = World::new(cast, false).await;
            for step in &steps {
                let (seen, wanted) = (with_buffer.take(step).await, without.take(step).await);
                prop_assert_eq!(seen, wanted, "{:?}", step);
            }
            for (seen, wanted) in with_buffer.tables().await.iter().zip(&without.tables().await) {
                prop_assert_eq!(seen, wanted);
            }
            Ok(())
        })
    });
    walked.unwrap();
}

fn letter_named(name: u8) -> Letter {
    let (content, subtype) = (Text::This, MsgSubtype::Text);
    Letter { sender: 0, conversation: 0, name, content, subtype }
}

#[tokio::test]
async fn unread_messages_wait_in_the_buffer_and_survive_there() {
    let mut world = World::new(Cast::new(), true).await;
    let letters = (0..3).map(letter_named).collect();
    let sent = world.take(&Step::Send(letters)).await;
    assert_eq!(sent, ["new 1", "new 2", "new 3"]);
    assert_eq!(world.written_down(), 3);
    world.take(&Step::Crash).await;
    assert_eq!(world.written_down(), 0);
    let again = world.take(&Step::Send(vec![letter_named(1), letter_named(3)])).await;
    assert_eq!(again, ["again 2", "new 4"]);
}

#[tokio::test]
async fn a_read_finds_all_messages_in_their_tables() {
    let mut world = World::new(Cast::new(), true).await;
    world.take(&Step::Send(vec![letter_named(0)])).await;
    assert_eq!(world.take(&Step::Look(0)).await, ["1 message.ack"]);
    assert_eq!(world.written_down(), 0);
}

#[tokio::test]
async fn a_long_message_does_not_go_through_the_buffer() {
    let mut world = World::new(Cast::new(), true).await;
    let long = |name| Letter { content: Text::Long, ..letter_named(name) };
    world.take(&Step::Send(vec![long(0)])).await;
    assert_eq!(world.written_down(), 0);
    world.take(&Step::Send(vec![letter_named(1), long(2)])).await;
    assert_eq!(world.written_down(), 0);
}

#[tokio::test]
async fn a_full_buffer_is_flushed_without_a_read() {
    let world = World::new(Cast::new(), true).await;
    let mut names = (0_u8..=255).cycle();
    let mut most = 0;
    for round in 0..12 {
        // Under other names every time, by another sender of the same conversation each second round.
        let many = |name| Letter { sender: round % 2, conversation: 1, ..letter_named(name) };
        world.send_under(round, names.by_ref().take(256).map(many).collect()).await;
        most = most.max(world.written_down());
        if world.written_down() == 0 {
            break;
        }
    }
    assert!(most > 256, "{most}");
    assert_eq!(world.written_down(), 0, "never flushed");
}

#[tokio::test]
async fn what_could_not_be_written_down_was_not_accepted_and_can_be_sent_again() {
    let mut world = World::new(Cast::new(), true).await;
    world.take(&Step::Send(vec![letter_named(0)])).await;
    world.meddle(
        "CREATE TRIGGER broken BEFORE INSERT ON unfiled BEGIN SELECT RAISE(ABORT, 'x'); END",
    );
    let refused = world.take(&Step::Send(vec![letter_named(1), letter_named(2)])).await;
    assert_eq!(refused, ["INTERNAL_ERROR", "INTERNAL_ERROR"]);
    world.meddle("DROP TRIGGER broken");
    let sent = world.take(&Step::Send((0..3).map(letter_named).collect())).await;
    assert_eq!(sent, ["again 1", "new 2", "new 3"]);
    assert_eq!(world.written_down(), 3);
    let expected = ["1 message.ack", "2 message.ack", "3 message.ack"];
    assert_eq!(world.take(&Step::Look(0)).await, expected);
}

#[tokio::test]
async fn what_cannot_be_flushed_stays_stored_until_it_can() {
    let mut world = World::new(Cast::new(), true).await;
    world.take(&Step::Send(vec![letter_named(0)])).await;
    world.meddle(
        "CREATE TRIGGER broken BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'x'); END",
    );
    let tell = world.relay.store.write(world.telling(0)).await;
    assert!(tell.is_err());
    assert_eq!(world.take(&Step::Send(vec![letter_named(1)])).await, ["new 2"]);
    world.meddle("DROP TRIGGER broken");
    world.relay.store.write(world.telling(0)).await.unwrap();
    let expected = ["1 message.ack", "2 message.ack", "3 agent.telemetry"];
    assert_eq!(world.take(&Step::Look(0)).await, expected);
}
