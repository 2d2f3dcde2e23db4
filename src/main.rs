//! The command line: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    sandbox_lint::cli::main(std::env::args_os())
}
