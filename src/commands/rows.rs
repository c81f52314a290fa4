//! `texam rows`: the choices of the winners for other programs, as text.

use std::{io::Write, path};

use rayon::prelude::*;
use shakmaty::Position;
use texam_fit::{Choice, svmrank, write_weights};

use super::{Outcome, on_threads, output::OutputFile, print, progress::Progress, warn};
use crate::{
    commands::cli::RowsArgs,
    error::{Error, Result},
    fen,
    file::{self, Unfilled},
    game::WinnerPosition,
    parameters::Parameters,
    run::{self, count},
    sample::{self, ChoiceMaker},
    search::alphabeta::{AlphaBeta, Prepared},
};

/// Positions that are searched before their rows are written.
const AT_ONCE: usize = 1024;

/// What was written.
#[derive(Default)]
struct Written {
    choices: u64,
    rows: u64,
}

pub(super) fn run(args: &RowsArgs) -> Result<Outcome> {
    let spec = args.options.spec();
    spec.validate()?;
    let weights_out = args.weights_out.clone().unwrap_or_else(|| args.output.with_file_name("weights.csv"));
    let is_one = path::absolute(&weights_out).ok() == path::absolute(&args.output).ok()
        || file::is_same(&weights_out, &args.output) && !file::is_stream(&args.output);
    if is_one {
        let found = "one name for both; give --weights-out another";
        return Err(
            Error::expected("a file for the choices and one for the weights", found).in_file(weights_out)
        );
    }
    let choices_file = OutputFile::new(&args.output, args.overwrite, spec.inputs())?;
    let weights_file = OutputFile::new(&weights_out, args.overwrite, spec.inputs())?;
    let (start, _) = run::start(spec, &mut super::note)?;
    let (collection, skipped) = run::games(spec, &mut warn)?;
    run::some_positions(&collection)?;
    let parameters = Parameters::new(&start)?;
    if parameters.points().iter().any(Option::is_some) {
        let found = "points that are tuned; the value of a row is not the sum of its counts times them";
        return Err(Error::expected("frozen points of the phase (--freeze phase) for rows", found));
    }
    let mut table = Vec::new();
    write_weights(parameters.model(), &mut table)
        .map_err(|error| Error::io("cannot write the weights", error))?;
    let progress = Progress::new();
    progress.begin("rows".to_string(), collection.positions.len());
    let sampling = spec.sampling();
    let quantised = start.quantised();
    let prepared = Prepared::new(sampling.search, &quantised);
    let search = |positions: &[WinnerPosition], first: usize| -> Result<Vec<(Vec<u8>, u64)>> {
        let worker =
            || (AlphaBeta::new(&prepared), ChoiceMaker::new(&parameters, &quantised), Choice::default());
        let rows =
            positions.par_iter().enumerate().map_init(worker, |(searcher, maker, choice), (at, position)| {
                let (standing, moves) =
                    sample::search(position, &sampling, searcher, &mut Default::default());
                if !progress.tick() {
                    return Err(Error::new("cancelled; nothing was written"));
                }
                if standing.rows == 0 {
                    return Ok((Vec::new(), 0));
                }
                let root = position.position();
                let is_white = root.turn().is_white();
                // Games count from 1 in the file, so that every Kth is held out as in a fit of the games.
                maker.fill(&moves, is_white, position.game + 1, choice)?;
                // The first row says which position it is.
                let mut remarks: Vec<String> = moves.kept.iter().map(|kept| kept.mv.to_string()).collect();
                remarks[0] += &format!(" fen {}", fen::format(&root));
                let mut text = Vec::new();
                let query = (first + at + 1) as u64;
                svmrank::write_choice(&mut text, query, choice, remarks.iter().map(String::as_str))
                    .map_err(|error| Error::io("cannot write rows", error))?;
                Ok((text, choice.len() as u64))
            });
        rows.collect()
    };
    let write = |out: &mut dyn Write| -> Result<Written, Unfilled> {
        writeln!(out, "{}", svmrank::HEADER)?;
        let mut written = Written::default();
        for (number, positions) in collection.positions.chunks(AT_ONCE).enumerate() {
            for (text, rows) in on_threads(args.threads, || search(positions, number * AT_ONCE))?? {
                out.write_all(&text)?;
                written.choices += u64::from(rows > 0);
                written.rows += rows;
            }
        }
        Ok(written)
    };
    super::progress::handle_interrupts();
    let written = choices_file.write_in_pieces(write);
    progress.clear();
    let written = written?;
    weights_file.write(&table)?;
    let (choices, rows) = (count(written.choices, "choice"), count(written.rows, "row"));
    let weights = count(parameters.parameters().len() as u64, "weight");
    let (output, of_weights) = (args.output.display(), weights_out.display());
    print(&format!("{output}: {choices} with {rows}\n{of_weights}: {weights}\n"))?;
    Ok(Outcome::complete_if(skipped == 0))
}
