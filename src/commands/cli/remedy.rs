//! What a user of the command line can do about an error of the library.

use std::error::Error as _;

use crate::error::{Error, ErrorKind};

/// The advice that follows the message of an error, if there is any that the message does not contain.
pub fn remedy(error: &Error) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::Fit => return remedy_of_fit(error.source()?.downcast_ref()?),
        ErrorKind::NoPositions => "give games with a result, or fewer --skip-moves",
        ErrorKind::NothingTuned => "name some weights with --tune",
        ErrorKind::TooFewGames => "give --holdout none",
        ErrorKind::HoldoutGames => "--holdout takes a file of games, 1/K or none",
        ErrorKind::HoldoutIsFitted => "give --holdout another file, or 1/K",
        ErrorKind::TwoStandardInputs => "give --holdout a file of its own",
        ErrorKind::OtherObjective => "leave it out, or give another --objective",
        ErrorKind::NameTaken => "give another --name, or --overwrite, or --resume",
        ErrorKind::NameOfRest => "give another --name, or --overwrite",
        ErrorKind::RunIsLocked => "wait for its end, or give another --name",
        ErrorKind::NoNameLeft => "give a --name",
        ErrorKind::Folder => "give another --out",
        ErrorKind::Threads => "give fewer --threads",
        ErrorKind::UnknownWeight => "`texam params` lists keys and groups",
        ErrorKind::NoTrees => {
            "make one with texam presearch GAMES -o FILE.dbf, with the --skip-moves, --depth, --quiescence and --checks of the fit"
        }
        ErrorKind::Database => "make it again from its games: texam presearch GAMES -o FILE.dbf",
        _ => return None,
    })
}

fn remedy_of_fit(error: &texam_fit::Error) -> Option<&'static str> {
    use texam_fit::Error as Fit;
    Some(match error {
        Fit::NoChoices => "take more games, give --holdout none, or raise --threshold",
        Fit::NothingTuned => "name some weights with --tune",
        Fit::TooFewClusters { .. } => "give --ridge a number, or more games, each named with game: in rows",
        Fit::SameLabels => "give positions of lost, drawn and won games",
        Fit::NoLoss => "give --ridge a number, or another --objective",
        Fit::NoSupport { .. } => "lower --min-support, take more games, or --tune more",
        Fit::Pull(_) => "lower --strength or raise --scale",
        Fit::Penalty => "lower --ridge or --smooth",
        Fit::NoSolution => "raise --ridge",
        Fit::BeyondBound { .. } => "raise --ridge or --min-support, or lower --strength",
        Fit::Spill { .. } => "set TMPDIR to a folder with room, or give --errors off",
        Fit::TooLarge { .. } => "take fewer of them",
        Fit::SumsTooLarge => "fit fewer games, or give --every",
        Fit::OtherPass(_) => "its weights or the program have changed since; begin a new run",
        Fit::Temperature { .. } => "give another --temperature, or none",
        Fit::FarColumn(_)
        | Fit::Option { .. }
        | Fit::Input { .. }
        | Fit::Cancelled
        | Fit::Line { .. }
        | Fit::Row { .. }
        | Fit::Read { .. }
        | Fit::Rank { .. }
        | Fit::External(_) => return None,
    })
}
