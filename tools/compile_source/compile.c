// SPDX-License-Identifier: MIT
// All steps of the compiler, from the drawing to the bytes of the map.
#include "compile.h"

#include "world.h"

#include <stdio.h>
#include <string.h>

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
    const char *slash = strrchr(path, '/');
    bsp_text folder = text_format("%.*s.", slash == NULL ? 0 : (int)(slash + 1 - path), path);
    *files = bsp_search_new(NULL, &error);
    if (*files == NULL || !bsp_search_add(*files, folder.data, &error)) {
        fail("%s", error.message);
    }
}

static void compile(world *w) {
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

static double open_volume(const world *w) {
    double sum = 0;
    for (uint32_t i = 0; i < w->num_leaves; i++) {
        sum += w->leaves[i].cluster == BSP_NONE ? 0 : hull_volume(w->leaves[i].cell);
    }
    return sum;
}

static void report(const world *w, size_t size) {
    printf("%.*s: %zu bytes, %u nodes, %u leaves, %u clusters, %u portals, %u faces, %zu luxels, "
           "%u lights, %.3f cubic units of space\n",
           TEXT_ARGS(w->map_name), size, w->num_nodes, w->num_leaves, w->num_clusters,
           w->num_portals, w->num_faces, w->light.size / 4, w->num_lamps, open_volume(w));
}

static void close_world(world *w) {
    bspi_buffer *buffers[] = {&w->light, &w->samples, &w->pak, &w->entity_text};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        bspi_buffer_free(buffers[i]);
    }
    memory_end();
}

void compile_map(const compile_options *options, bsp_blob *out) {
    bsp_mapdoc *drawing;
    bsp_search *files;
    bsp_error error;
    open_drawing(options->in, &drawing, &files);
    world w = {.drawing = drawing, .files = files, .map_name = bsp_text_of(options->map_name)};
    compile(&w);
    if (!emit(&w, options->branch, options->big_endian, options->static_props, out, &error)) {
        fail("%s", error.message);
    }
    report(&w, out->size);
    close_world(&w);
    bsp_search_free(files);
    bsp_mapdoc_free(drawing);
}
