// SPDX-License-Identifier: MIT
// What is cleaned up when a signal (Ctrl-C, kill, a closed terminal) ends the command.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

/// From now on a mapped file that becomes shorter while it is read, or whose disk fails, is a
/// message and exit status 3, not a crash; what is watched is removed.
void cli_interrupt_guard(void);

/// From now on until cli_interrupt_forget a signal that ends the command removes this file of a
/// folder that is open. The text must live until then. More files at once than there is room for
/// are not watched.
void cli_interrupt_watch(int folder, const char *name);
void cli_interrupt_forget(const char *name);

/// From now on the last line of standard error is one that goes away: a signal erases it.
void cli_interrupt_begin_line(void);
/// Erases that line, if there is one.
void cli_interrupt_erase_line(void);

#endif
