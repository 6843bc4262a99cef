// SPDX-License-Identifier: MIT
// No peer: bspkit alone, for maps of games without an open engine.
#include "peer.h"

static int load(const char *path, const peer_triangles *triangles) {
    (void)path;
    (void)triangles;
    return 1;
}

const peer the_peer = {.name = "none", .load = load, .boxes = 1};
