//! The options of a run as arguments: those of some groups, made from the table of all options.

use std::ffi::{OsStr, OsString};

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{OsStringValueParser, PossibleValue, TypedValueParser},
    parser::ValueSource,
};

use super::files::game_files;
use crate::run::{Group, OPTIONS, RunOption, RunSpec, Setup};

/// The option whose values are arguments.
const GAMES: &str = "games";

/// The options of the groups in `GROUPS`, a bit for each.
#[derive(Debug, Clone, Default)]
pub struct OptionArgs<const GROUPS: u16> {
    /// What they make: the default, but for those that were given.
    pub setup: Setup,
    /// Names of those that were given.
    pub given: Vec<&'static str>,
}

/// Games, search and bound.
pub const ON_GAMES: u16 = bits(&[Group::Games, Group::Search, Group::Bound]);

/// The same, and start weights.
pub const ON_WEIGHTS: u16 = ON_GAMES | bits(&[Group::Weights]);

/// All options of a run.
pub const ALL: u16 = u16::MAX;

/// The groups as bits.
pub const fn bits(groups: &[Group]) -> u16 {
    let (mut bits, mut at) = (0, 0);
    while at < groups.len() {
        bits |= 1 << groups[at] as u16;
        at += 1;
    }
    bits
}

impl<const GROUPS: u16> OptionArgs<GROUPS> {
    /// What determines the result.
    pub fn spec(&self) -> &RunSpec {
        &self.setup.spec
    }
}

/// The options in the order of the help.
fn options(groups: u16) -> impl Iterator<Item = &'static RunOption> {
    let groups =
        <Group as strum::VariantArray>::VARIANTS.iter().filter(move |group| groups & bits(&[**group]) != 0);
    groups.flat_map(|group| OPTIONS.iter().filter(move |option| option.group == *group))
}

fn argument(option: &'static RunOption) -> Arg {
    let argument =
        Arg::new(option.name).help(option.help).value_parser(Checked(option)).hide_possible_values(true);
    let argument = match option.name {
        GAMES => argument.num_args(0..).value_name(option.value_name).help_heading(None::<&str>),
        name => argument.long(name).value_name(option.value_name).help_heading(<&str>::from(option.group)),
    };
    let argument =
        if option.is_list() || option.name == GAMES { argument.action(ArgAction::Append) } else { argument };
    if option.is_flag() {
        return argument.num_args(0..=1).require_equals(true).default_missing_value("on");
    }
    match option.default_text() {
        Some(text) => argument.default_value(text),
        None => argument,
    }
}

impl<const GROUPS: u16> Args for OptionArgs<GROUPS> {
    fn augment_args(command: Command) -> Command {
        options(GROUPS).fold(command, |command, option| command.arg(argument(option)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        OptionArgs::<GROUPS>::augment_args(command)
    }
}

impl<const GROUPS: u16> FromArgMatches for OptionArgs<GROUPS> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<OptionArgs<GROUPS>, clap::Error> {
        let mut args = OptionArgs::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in options(GROUPS) {
            if matches.value_source(option.name) != Some(ValueSource::CommandLine) {
                continue;
            }
            self.given.push(option.name);
            let values = matches.get_many::<OsString>(option.name).into_iter().flatten();
            if option.name == GAMES {
                self.setup.spec.games = game_files(values);
                continue;
            }
            let text = values.map(OsString::as_os_str).collect::<Vec<_>>().join(OsStr::new(","));
            let wrong =
                |error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{error}\n"));
            option.set(&mut self.setup, &text).map_err(wrong)?;
        }
        Ok(())
    }
}

/// Checks the text of an option and keeps it.
#[derive(Clone)]
struct Checked(&'static RunOption);

impl TypedValueParser for Checked {
    type Value = OsString;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, text: &OsStr) -> Result<OsString, clap::Error> {
        let option = self.0;
        let check = move |text: OsString| option.check(&mut Setup::default(), &text).map(|()| text);
        OsStringValueParser::new().try_map(check).parse_ref(command, arg, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = self.0.values();
        (!values.is_empty()).then(|| Box::new(values.iter().map(PossibleValue::new)) as _)
    }
}
