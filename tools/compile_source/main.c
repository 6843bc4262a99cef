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
    const char *name = last_part(o->out);
    w->map_name = (bsp_text){name, strcspn(name, ".")};
    w->light.heap = w->samples.heap = w->pak.heap = w->entity_text.heap = memory_heap();
    read_drawing(w);
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
}

// The drawing, and its folder to look for materials in.
static void open_drawing(const char *path, bsp_mapdoc **drawing, bsp_search **files) {
    bsp_blob text;
    bsp_error error;
    if (!bsp_blob_read(path, NULL, NULL, &text, &error)) {
        fail("%s", error.message);
    }
    *drawing = bsp_mapdoc_read((bsp_text){(const char *)text.data, text.size}, NULL, &error);
    bsp_blob_free(&text);
    if (*drawing == NULL) {
        fail("%s: %s", path, error.message);
    }
    bsp_text folder = text_format("%.*s.", (int)(last_part(path) - path), path);
    *files = bsp_search_new(NULL, &error);
    if (*files == NULL || !bsp_search_add(*files, folder.data, &error)) {
        fail("%s", error.message);
    }
}

static void close_world(world *w) {
    bspi_buffer *buffers[] = {&w->light, &w->samples, &w->pak, &w->entity_text};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        bspi_buffer_free(buffers[i]);
    }
    memory_end();
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
    bsp_mapdoc *drawing;
    bsp_search *files;
    open_drawing(o.in, &drawing, &files);
    world w = {.drawing = drawing, .files = files};
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
    close_world(&w);
    bsp_search_free(files);
    bsp_mapdoc_free(drawing);
    return 0;
}
