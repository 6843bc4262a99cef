// SPDX-License-Identifier: MIT
// A small compiler for Source maps: makes the samples of samples/source from their drawing.
//
//     compile_source [--branch NAME] [--big-endian] [--static-props VERSION] MAP.vmf OUT.bsp
//
// It does what the three compilers of the game do, as far as the samples need it: a tree, faces,
// visibility, light with one bounce, a pak. Materials are read from the folder of the drawing. It
// is no tool to make maps for a game with: there are no collision models and no area portals.
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct order {
    const char *branch;
    bool big_endian;
    uint32_t static_props;
    const char *in;
    const char *out;
} order;

static order read_order(int argc, char **argv) {
    order o = {.branch = "source_20", .static_props = 10};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--big-endian") == 0) {
            o.big_endian = true;
        } else if (strcmp(argv[i], "--branch") == 0 && i + 1 < argc) {
            o.branch = argv[++i];
        } else if (strcmp(argv[i], "--static-props") == 0 && i + 1 < argc) {
            o.static_props = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (o.in == NULL) {
            o.in = argv[i];
        } else {
            o.out = o.out == NULL ? argv[i] : "";
        }
    }
    if (o.in == NULL || o.out == NULL || *o.out == '\0') {
        fail("usage: compile_source [--branch NAME] [--big-endian] [--static-props VERSION] "
             "MAP.vmf OUT.bsp");
    }
    return o;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void compile(world *w, const order *o) {
    size_t size;
    const char *text = read_file(o->in, &size);
    if (text == NULL) {
        fail("%s: cannot be read", o->in);
    }
    w->folder = pool_text(o->in, (size_t)(last_part(o->in) - o->in));
    const char *name = last_part(o->out);
    w->map_name = pool_text(name, strcspn(name, "."));
    read_drawing(w, kv_parse(text, o->in));
    build_trees(w);
    make_portals(w);
    fill_outside(w);
    make_faces(w);
    make_water(w);
    see(w);
    place_hills(w);
    read_lamps(w);
    shine(w);
    shine_ambient(w);
    place_overlays(w);
    make_pak(w);
    make_physics(w, o->big_endian);
}

static double open_volume(const world *w) {
    double sum = 0;
    for (uint32_t i = 0; i < w->num_leaves; i++) {
        sum += w->leaves[i].cluster == BSP_NONE ? 0 : hull_volume(w->leaves[i].cell);
    }
    return sum;
}

static void report(const world *w, const order *o, size_t size) {
    printf("%s: %zu bytes, %u nodes, %u leaves, %u clusters, %u portals, %u faces, %zu luxels, "
           "%u lights, %.3f cubic units of space\n",
           last_part(o->out), size, w->num_nodes, w->num_leaves, w->num_clusters, w->num_portals,
           w->num_faces, w->light.size / 4, w->num_lamps, open_volume(w));
}

int main(int argc, char **argv) {
    order o = read_order(argc, argv);
    world w = {0};
    bsp_blob blob;
    bsp_error error = {0};
    compile(&w, &o);
    if (!emit(&w, o.branch, o.big_endian, o.static_props, &blob, &error)) {
        fail("%s", error.message);
    }
    FILE *file = fopen(o.out, "wb");
    bool done = file != NULL && fwrite(blob.data, 1, blob.size, file) == blob.size;
    if (file == NULL || fclose(file) != 0 || !done) {
        fail("%s: cannot be written", o.out);
    }
    report(&w, &o, blob.size);
    bsp_blob_free(&blob);
    pool_free();
    return 0;
}
