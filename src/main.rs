//! The program: reads the command line, does what it says, prints the error if there is one.

use std::process::ExitCode;

fn main() -> ExitCode {
    annexd::shell::cli::main()
}
