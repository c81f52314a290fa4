//! The help of the program, which lists its commands in three groups, and the short help of the commands with
//! most options.

use clap::{Arg, ArgAction, Command};

/// Commands in groups, by the headings of these. All others are in a last group.
const GROUPS: [(&str, &[&str]); 2] = [
    ("Look", &["screen", "games", "eval", "search", "tables", "lesson"]),
    ("Tune", &["fit", "agree", "diff", "match", "plot", "report", "export"]),
];

/// The heading of the last group.
const OTHERS: &str = "More";

/// The options that `-h` shows for the commands which have most.
const USUAL: [(&str, &str); 2] = [
    ("fit", "every par tune objective holdout iterations choices weights threads out name resume"),
    ("screen", "every par tune freeze depth objective holdout iterations threads out name ascii"),
];

/// The program with the list of its commands in groups, which clap does not make.
pub fn with_groups(program: Command) -> Command {
    let header = *program.get_styles().get_header();
    let literal = *program.get_styles().get_literal();
    let line = |command: &Command| {
        let (name, about) = (command.get_name(), command.get_about().cloned().unwrap_or_default());
        format!("  {literal}{name:<13}{literal:#}{about}\n")
    };
    let is_grouped = |command: &&Command| GROUPS.iter().any(|(_, names)| names.contains(&command.get_name()));
    let grouped = GROUPS.map(|(heading, names)| {
        let commands = names.iter().filter_map(|name| program.find_subcommand(name));
        (heading, commands.map(line).collect::<String>())
    });
    let others = program.get_subcommands().filter(|command| !is_grouped(command)).map(line).collect();
    let groups = grouped.into_iter().chain([(OTHERS, others)]);
    let list: String =
        groups.map(|(heading, lines)| format!("{header}{heading}:{header:#}\n{lines}\n")).collect();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    program.help_template(template)
}

/// A command with more than the usual options, whose help flag says which of them `-h` and `--help` show.
pub fn with_help_flag(command: Command) -> Command {
    if usual(&command).is_none() {
        return command;
    }
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).help_heading(None::<&str>);
    let help = help.help("Print help: the usual options with -h, all with --help");
    command.disable_help_flag(true).arg(help)
}

/// The command with its other options hidden, as `-h` shows it. They would not be shown alike in clap's own
/// short help, because its long one then puts every text on a line of its own.
pub fn with_usual_options(command: Command) -> Command {
    let Some(usual) = usual(&command) else { return command };
    let is_option = |arg: &&Arg| arg.get_long().is_some() && arg.get_id() != "help";
    let count = command.get_arguments().filter(is_option).count();
    let examples = command.get_after_help().cloned().unwrap_or_default();
    let is_shown = |arg: &Arg| {
        let name = arg.get_id().as_str();
        arg.is_positional() || name == "help" || usual.split(' ').any(|usual| usual == name)
    };
    command
        .mut_args(|arg| if is_shown(&arg) { arg } else { arg.hide(true) })
        .after_help(format!("These are the usual options; --help shows all {count}.\n\n{examples}"))
}

fn usual(command: &Command) -> Option<&'static str> {
    USUAL.into_iter().find(|(name, _)| *name == command.get_name()).map(|(_, options)| options)
}
