// SPDX-License-Identifier: MIT
// A small compiler for Source maps: makes the samples of samples/source from their drawing.
//
//     compile_source [--branch NAME] [--big-endian] [--static-props VERSION] MAP.vmf OUT.bsp
//
// It does what the three compilers of the game do, as far as the samples need it: a tree, faces,
// visibility, light with one bounce, a pak. Materials are read from the folder of the drawing. It
// is no tool to make maps for a game with: there are no collision models and no area portals.
#include "compile.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *read_options(int argc, char **argv, compile_options *o) {
    const char *out = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--big-endian") == 0) {
            o->big_endian = true;
        } else if (strcmp(argv[i], "--branch") == 0 && i + 1 < argc) {
            o->branch = argv[++i];
        } else if (strcmp(argv[i], "--static-props") == 0 && i + 1 < argc) {
            o->static_props = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (o->in == NULL) {
            o->in = argv[i];
        } else {
            out = out == NULL ? argv[i] : "";
        }
    }
    if (o->in == NULL || out == NULL || *out == '\0') {
        fail("usage: compile_source [--branch NAME] [--big-endian] [--static-props VERSION] "
             "MAP.vmf OUT.bsp");
    }
    return out;
}

int main(int argc, char **argv) {
    compile_options o = {.branch = "source_20", .static_props = 10};
    const char *out = read_options(argc, argv, &o);
    const char *slash = strrchr(out, '/');
    char name[64];
    snprintf(name, sizeof name, "%s", slash == NULL ? out : slash + 1);
    name[strcspn(name, ".")] = '\0';
    o.map_name = name;
    bsp_blob blob;
    compile_map(&o, &blob);
    FILE *file = fopen(out, "wb");
    bool done = file != NULL && fwrite(blob.data, 1, blob.size, file) == blob.size;
    if (file == NULL || fclose(file) != 0 || !done) {
        fail("%s: cannot be written", out);
    }
    bsp_blob_free(&blob);
    return 0;
}
