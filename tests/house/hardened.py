# SPDX-License-Identifier: MIT
"""The command is built hardened: what its ELF file says of it. Parts that this compiler or machine
does not have are skipped by name."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

CC = os.environ["CC"]
FLAGS = os.environ.get("TEST_FLAGS", "").split()
if not sys.platform.startswith("linux"):
    print("SKIP: only ELF files are read")
    sys.exit(77)
if any("fsanitize" in flag for flag in FLAGS):
    print("SKIP: sanitizers bring their own")
    sys.exit(77)
cache = pathlib.Path(os.environ["BUILD"], "CMakeCache.txt").read_text()
if re.search(r"^BSPKIT_HARDENED:\w+=(OFF|0|FALSE|NO)$", cache, re.M | re.I):
    print("SKIP: BSPKIT_HARDENED is off")
    sys.exit(77)

PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 2, 0x6474E551, 0x6474E552
DT_STRTAB, DT_SYMTAB, DT_BIND_NOW, DT_FLAGS, DT_FLAGS_1 = 5, 6, 24, 30, 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 8, 1, 0x08000000


class Elf:
    """A 64-bit little-endian ELF file, as far as this test looks into it."""

    def __init__(self, path):
        self.data = pathlib.Path(path).read_bytes()
        assert self.data[:6] == b"\x7fELF\x02\x01", path
        self.type = struct.unpack_from("<H", self.data, 16)[0]
        offset, = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 54)
        self.segments = [struct.unpack_from("<IIQQQQQQ", self.data, offset + i * size)
                         for i in range(count)]
        start, length = next((s[2], s[5]) for s in self.segments if s[0] == PT_DYNAMIC)
        self.dynamic = {}
        for at in range(start, start + length, 16):
            tag, value = struct.unpack_from("<QQ", self.data, at)
            self.dynamic[tag] = value

    def at(self, address):
        """Where in the file the byte at an address is."""
        return next(address - s[3] + s[2] for s in self.segments
                    if s[0] == 1 and s[3] <= address < s[3] + s[5])

    def imports(self):
        strings, symbols = self.at(self.dynamic[DT_STRTAB]), self.at(self.dynamic[DT_SYMTAB])
        names = set()
        for at in range(symbols, strings, 24):  # linkers put the names after the symbols
            name, _, _, section = struct.unpack_from("<IBBH", self.data, at)
            if section == 0:
                names.add(self.data[strings + name:self.data.index(b"\0", strings + name)].decode())
        return names


def has_flag(flag):
    with tempfile.TemporaryDirectory() as place:
        source = pathlib.Path(place, "a.c")
        source.write_text("int main(void) { return 0; }\n")
        return subprocess.run([CC, "-Werror", flag, "-c", source, "-o", source.with_suffix(".o")],
                              check=False, capture_output=True).returncode == 0


elf = Elf(os.environ["BSPKIT"])
imports = elf.imports()
assert {"malloc", "open"} & imports, "the symbols are not read"
flags_1 = elf.dynamic.get(DT_FLAGS_1, 0)
assert elf.type == 3 and flags_1 & DF_1_PIE, "no position-independent executable"
assert any(s[0] == PT_GNU_RELRO for s in elf.segments), "no RELRO"
assert DT_BIND_NOW in elf.dynamic or elf.dynamic.get(DT_FLAGS, 0) & DF_BIND_NOW or \
    flags_1 & DF_1_NOW, "no immediate binding: RELRO is partial"
stack = [s for s in elf.segments if s[0] == PT_GNU_STACK]
assert stack and not stack[0][1] & 1, "the stack can be executed"
assert "__stack_chk_fail" in imports, "no stack protector"
fortified = sorted(name for name in imports if name.endswith("_chk") and name != "__stack_chk_fail")
build_type = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache, re.M)
if build_type[1] == "Debug" and not any(re.match(r"-O[1-3s]", flag) for flag in FLAGS):
    print("SKIP part: nothing is optimised, so nothing is fortified")
elif not pathlib.Path("/usr/include/features.h").exists():
    print("SKIP part: not glibc, nothing is fortified")
else:
    assert fortified, "no _FORTIFY_SOURCE"

commands = pathlib.Path(os.environ["BUILD"], "compile_commands.json").read_text()
ours = [line for line in commands.splitlines() if '"command"' in line and
        re.search(r"/src/(cli|core)/", line)]
assert ours
for flag in ("-fstack-protector-strong", "-fstack-clash-protection", "-fcf-protection=full",
             "-mbranch-protection=standard"):
    if has_flag(flag):
        assert all(flag in line for line in ours), flag
    else:
        print(f"SKIP part: the compiler does not have {flag}")
print("position-independent, full RELRO, stack protector;", len(fortified), "fortified calls")
