# SPDX-License-Identifier: MIT
"""The command for another machine under qemu against this machine's: on 6 maps of all families
(MACHINES_MAPS=60 takes more), what both print, their exit statuses and every file that they write are the same
bytes (of a picture: what it unpacks to). MACHINE names the machine (s390x, whose integers and floats have the other byte order);
scripts/cross-test.sh builds its command in build/test-MACHINE."""
import os
import pathlib
import shutil
import sys
import tempfile

import lib

MACHINE = os.environ.get("MACHINE", "s390x")
EMULATORS = {"s390x": ["qemu-s390x-static"], "arm64": ["qemu-aarch64-static"], "i386": ["qemu-i386-static"], "musl": []}
BSPKIT = pathlib.Path(os.environ["BSPKIT"]).resolve()
OTHER = pathlib.Path(f"build/test-{MACHINE}/bspkit").resolve()
# A .glb has pictures inside.
COMMANDS = [(words, target and target.replace("map.glb", "map.gltf")) for words, target in lib.COMMANDS]
MAPS, MOST_BYTES = int(os.environ.get("MACHINES_MAPS", "6")), 1 << 20


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


if not OTHER.exists():
    skip(f"{OTHER} is not there: scripts/cross-test.sh {MACHINE}")
if any(shutil.which(program) is None for program in EMULATORS[MACHINE]):
    skip(f"{EMULATORS[MACHINE][0]} is not there")
chosen = lib.choose(MAPS, MOST_BYTES)
with tempfile.TemporaryDirectory() as place:
    count = sum(lib.compare(pathlib.Path(place), source, [BSPKIT], [*EMULATORS[MACHINE], OTHER], commands=COMMANDS,
                            same=lib.same_unpacked) for source in chosen)
print(f"{MACHINE}: {len(chosen)} maps: {len(chosen) * len(COMMANDS)} runs and {count} files are the same")
