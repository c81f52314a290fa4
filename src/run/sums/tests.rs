use std::fs;

use texam_fit::{Fit, Job, ObjectiveName, Observer, Pass, Shards};

use super::*;
use crate::run::{Holdout, RunSpec, Training};

/// The sums over a shard of some of the shipped games at one ply, written to a file.
fn written(path: &Path, shard: Shard) -> SumsHead {
    written_for(path, shard, RunSpec::default().with("min-support", "0").unwrap())
}

/// The same for a run with these options.
fn written_for(path: &Path, shard: Shard, spec: RunSpec) -> SumsHead {
    let spec = RunSpec { every: 900, holdout: Holdout::None, ..spec }.with("depth", "1").unwrap();
    let start = RunWeights::own(Weights::start()).unwrap();
    let mut training = Training::read(&spec, &start, shard, &mut |_| {}).unwrap();
    let header = Header { games: "a.pgn".to_string(), digest: "d".to_string(), ..training.header().clone() };
    let mut source = training.source(&spec, &start, spec.sampling(), &|_| true, None);
    let (method, plan) = (spec.method(), spec.plan().unwrap());
    let sums = ShardSums::search(&mut *source, method.objective(), start.model(), &plan).unwrap().unwrap();
    let head = SumsHead::new(&header, shard, &start, &start.model().values());
    let mut bytes = Vec::new();
    write(&mut bytes, &head, &sums).unwrap();
    fs::write(path, bytes).unwrap();
    head
}

#[test]
fn sums_come_back_and_every_cut_and_every_changed_byte_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sums");
    let head = written(&path, Shard::new(2, 3).unwrap());
    assert!(head.header.positions[0] > 5);
    let file = SumsFile::open(&path).unwrap();
    file.sums().unwrap();
    assert_eq!(file.head, head);
    assert_eq!(par::digest(&head.weights().unwrap()), par::digest(&Weights::start()));
    let whole = fs::read(&path).unwrap();
    let refused = |bytes: &[u8], what: String| {
        fs::write(&path, bytes).unwrap();
        let error = SumsFile::open(&path).err().unwrap_or_else(|| panic!("{what}")).to_string();
        assert!(error.contains("sums"), "{what}: {error}");
    };
    for at in (0..whole.len()).step_by(whole.len() / 200) {
        refused(&whole[..at], format!("cut at {at}"));
        let mut changed = whole.clone();
        changed[at] ^= 1;
        refused(&changed, format!("changed at {at}"));
    }
    refused(&[&whole[..], b"x"].concat(), "longer".to_string());
    refused(b"", "empty".to_string());
    assert!(SumsFile::open(folder.path()).err().unwrap().to_string().contains("a folder"));
}

#[test]
fn shards_that_are_missing_doubled_or_foreign_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |number: u32| folder.path().join(format!("sums-{number}"));
    (1..=3).for_each(|number| drop(written(&path(number), Shard::new(number, 3).unwrap())));
    let open = |numbers: &[u32]| -> Vec<SumsFile> {
        numbers.iter().map(|&number| SumsFile::open(&path(number)).unwrap()).collect()
    };
    let files = open(&[1, 2, 3]);
    let all = check_whole(&files).unwrap();
    let sum: u64 = files.iter().map(|file| file.head.header.positions[0]).sum();
    assert_eq!(all.header.positions, [sum, 0]);
    let error = |files: &[SumsFile]| check_whole(files).unwrap_err().to_string();
    assert!(error(&[]).contains("none"));
    assert!(error(&files[1..]).contains("none of 1/3"), "{}", error(&files[1..]));
    let mut doubled = open(&[1, 2, 2]);
    doubled[2].path = PathBuf::from("again");
    let doubled = error(&doubled);
    assert!(doubled.contains("again") && doubled.contains("2/3 also in") && doubled.contains("sums-2"));
    type Change<'a> = (&'a str, &'a dyn Fn(&mut SumsHead));
    let changes: [Change; 8] = [
        ("versions of texam", &|head| head.header.version.push('1')),
        ("games", &|head| head.header.digest.push('1')),
        ("paths of the games", &|head| head.header.games.push('1')),
        ("options (--every)", &|head| change_every(head)),
        ("start weights", &|head| head.start.push('1')),
        ("weights of the pass", &|head| head.weights.push('1')),
        ("numbers of shards", &|head| head.shard = Shard::new(3, 4).unwrap()),
        ("counts of games", &|head| head.header.decisive += 1),
    ];
    for (what, change) in changes {
        let mut files = open(&[1, 2, 3]);
        change(&mut files[2].head);
        let error = error(&files);
        assert!(error.contains(&format!("other {what} than in")) && error.contains("sums-3"), "{error}");
    }
}

fn change_every(head: &mut SumsHead) {
    let every = head.header.options.iter_mut().find(|(name, _)| name == "every").unwrap();
    every.1.push('1');
}

/// Takes every pass as it is.
struct Silent;

impl Observer for Silent {
    fn measured(&self, _: &Pass, _: Option<&Fit>) -> texam_fit::Result<()> {
        Ok(())
    }
}

#[test]
fn sums_that_were_made_up_are_an_error_or_other_weights_but_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sums");
    let start = RunWeights::own(Weights::start()).unwrap();
    for objective in [ObjectiveName::Force, ObjectiveName::Softmax] {
        let spec =
            RunSpec { objective, iterations: 1, ..RunSpec::default() }.with("min-support", "0").unwrap();
        let (method, plan) = (spec.method(), spec.plan().unwrap());
        written_for(&path, Shard::ALL, spec);
        let length = fs::metadata(&path).unwrap().len();
        let mut reader = BlockReader::new(File::open(&path).unwrap(), &FORMAT).unwrap();
        let mut blocks = Vec::new();
        while reader.place().byte < length {
            blocks.push(reader.read().unwrap().to_vec());
        }
        // The head is the first.
        let bytes: usize = blocks[1..].iter().map(Vec::len).sum();
        let mut read_back = 0;
        for at in (0..bytes).step_by(bytes / 150) {
            let mut changed = blocks.clone();
            *changed[1..].iter_mut().flatten().nth(at).unwrap() ^= [0x01, 0x41, 0x80][at % 3];
            let mut writer = BlockWriter::new(File::create(&path).unwrap(), &FORMAT).unwrap();
            changed.iter().for_each(|block| writer.write(block).unwrap());
            let Ok(file) = SumsFile::open(&path) else { continue };
            let mut shards = Shards::default();
            if file.sums().is_ok_and(|sums| shards.add(sums).is_ok()) {
                read_back += 1;
                let (objective, start) = (method.objective(), start.model());
                let job = Job { objective, start, plan: &plan, finished: Vec::new(), observer: &Silent };
                let _ = job.merge(shards, None);
            }
        }
        assert!(read_back > 50, "{read_back}");
    }
}
