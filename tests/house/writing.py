# SPDX-License-Identifier: MIT
"""Files are made, written, renamed and removed in one folder of the command, and nowhere in the
library: what stands there refuses what must not be written over."""
import pathlib
import re
import sys

WRITER = pathlib.Path("src/cli/replace")
# Calls that change the file system, whatever their arguments.
CALLS = r"""creat mkstemp mkstemps mkostemp mkdtemp tmpfile tmpnam rename renameat renameat2 link linkat
symlink symlinkat unlink unlinkat remove rmdir mkdir mkdirat mkfifo mkfifoat mknod mknodat truncate
ftruncate chmod fchmod fchmodat chown fchown lchown fchownat utimensat futimens utime utimes
setxattr lsetxattr fsetxattr fallocate posix_fallocate copy_file_range sendfile freopen popen system
execv execvp execve execl execlp fork posix_spawn""".split()
# What stands elsewhere, and why.
# The calls themselves, for Windows.
FORMS = ("src/core/os_windows.h", "src/core/os_windows.c", "src/core/os_windows_names.c")
ALLOWED = {
    ("src/cli/parts/interrupt_posix.c", "unlinkat"),  # what a signal leaves: temporary files of the writer
    ("src/cli/parts/interrupt_windows.c", "unlinkat"),
}
CALL = re.compile(r"(?<![\w.>])(" + "|".join(CALLS) + r")\s*\(")
OPEN = re.compile(r"(?<![\w.>])(fopen|fdopen|open|openat)\s*\(([^;]*);")
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|\"[rwa]b?\+?b?\"")


def writes(call, arguments):
    """True for an open that can write, or whose way is not written out beside it."""
    if call in ("fopen", "fdopen"):
        return re.search(r"\"rb?\"\s*\)", arguments) is None
    return "O_RDONLY" not in arguments and "O_PATH" not in arguments or \
        re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", arguments) is not None


def strip(text):
    """Without comments and texts."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


found = []
calls = 0
for path in sorted(pathlib.Path("src").rglob("*.[ch]")):
    text = strip(path.read_text())
    names = [match[1] for match in CALL.finditer(text)]
    names += [match[1] for match in OPEN.finditer(text) if writes(match[1], match[2])]
    if str(path) in FORMS:
        continue
    if path.parent == WRITER:
        calls += len(names)
        continue
    found += [f"{path}: {name}" for name in names if (str(path), name) not in ALLOWED]
for line in found:
    print(line, "- only", WRITER, "may")
assert calls > 10, "the search finds nothing in the writer itself"
sys.exit(1 if found else 0)
