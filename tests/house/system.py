# SPDX-License-Identifier: MIT
"""Headers of an operating system are included in one place, src/core/os_calls.h, and in the files that are
the forms of one noun for one system. All others include that header, so that a port is one file."""
import pathlib
import re
import sys

# What C and POSIX threads, which every target has, offer is no question of the system.
SYSTEM = re.compile(
    r"^\s*#\s*include\s+<((?:sys|linux|arpa|net|netinet|mach|asm)/[^>]+|(?:unistd|fcntl|dirent|sched|signal|poll"
    r"|termios|utime|pwd|grp|dlfcn|spawn|glob|ftw|langinfo|windows|io|direct|process|winsock2|psapi|shellapi)\.h)>",
    re.M)

# FILE: why it may. A file that no longer includes one fails the test, so the list cannot grow stale.
FORMS = {
    "src/core/os_calls.h": "the one place",
    "src/core/os_windows.h": "its form for Windows",
    "src/core/os_windows.c": "the same calls for Windows",
    "src/core/os_windows_names.c": "the same",
    "src/core/os_windows_path.c": "errors and paths of these",
    "src/core/os_windows_process.c": "those of them that are of the process",
    "src/cli/parts/interrupt_posix.c": "signals, which only POSIX has",
    "src/cli/parts/confine.c": "the sandbox of Linux",
    "src/cli/parts/loopback_posix.c": "sockets",
    "src/cli/parts/loopback_windows.c": "sockets of Windows",
}

files = sorted(p for p in pathlib.Path("src").rglob("*") if p.suffix in (".c", ".h"))
assert len(files) > 100, "run in the root of the repository"
bad, seen = [], set()
for path in files + sorted(pathlib.Path("include").rglob("*.h")):
    name = path.as_posix()
    found = SYSTEM.findall(path.read_text())
    if name in FORMS:
        seen.update([name] if found else [])
    else:
        bad += [f"{name}: includes <{header}>: include core/os_calls.h" for header in found]
bad += [f"{name}: includes no header of a system: take it off the list" for name in FORMS if name not in seen]

# The pattern finds what it is for, and leaves the rest.
for line in ("#include <sys/stat.h>", "# include <unistd.h>", "#include <windows.h>"):
    assert SYSTEM.search(line), line
for line in ("#include <stdio.h>", "#include <pthread.h>", '#include "core/os.h"'):
    assert not SYSTEM.search(line), line

print("\n".join(bad))
sys.exit(bool(bad))
