//! The program: reads the command line, carries it out, and prints the error if there is one.

use std::process::ExitCode;

fn main() -> ExitCode {
    annexd::shell::cli::main()
}
