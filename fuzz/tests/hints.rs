//! Any bytes through the reader of the best moves of a shard, as they are and with checksums that are right: what is read
//! is written and read back unchanged.

use texam::run::ShardHints;

use crate::database::with_checksums;

crate::target!("hints", check, 200, 2000);

fn check(bytes: &[u8]) {
    check_hints(bytes);
    check_hints(&with_checksums(bytes));
}

fn check_hints(bytes: &[u8]) {
    match ShardHints::read(bytes) {
        Ok(read) => {
            let mut written = Vec::new();
            read.head.write(&mut written, &read.hints).expect("memory can be written");
            assert_eq!(ShardHints::read(&written[..]).expect("what was written is read"), read);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
