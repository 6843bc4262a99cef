// SPDX-License-Identifier: MIT
// Cleans up when a signal (Ctrl-C, kill, a closed terminal) ends the command.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

/// Installs the handler for mapped files: a file that is truncated while it is read, or whose disk
/// fails, gives a message and exit status 3, not a crash; watched files are removed. A file that
/// grows beyond the limit of the process (ulimit -f) is an error of its writer.
void cli_interrupt_guard(void);

/// Watches a file of an open folder until cli_interrupt_forget: a signal that ends the command
/// removes it. The text must live until then. There is a limit on the number of watched files; more
/// are not watched.
void cli_interrupt_watch(int folder, const char *name);
void cli_interrupt_forget(const char *name);

/// Holds signals back that end the command, until cli_interrupt_release: a file that is made in
/// between is watched before one can come. Not nested.
void cli_interrupt_hold(void);
void cli_interrupt_release(void);

/// Declares the last line of standard error temporary: a signal erases it.
void cli_interrupt_begin_line(void);
/// Erases that line, if there is one.
void cli_interrupt_erase_line(void);

#endif
