// SPDX-License-Identifier: MIT
// Writes .vmf: the KeyValues of Source's editor, in the editor's order. Format: sheet outputs,
// section 2.
#include "core/text.h"
#include "mapdoc/ids.h"
#include "mapdoc/texdef.h"
#include "mapdoc/vertices.h"
#include "mapdoc/vmf_block.h"
#include "mapdoc/write_disp.h"

#define WORLD_COLOR "0 180 0"
#define ENTITY_COLOR "220 30 220"

typedef struct writer {
    bspi_printer *p;
    bspi_ids objects; // ids of world, entities and solids
    bspi_ids sides;
    bspi_vertices vertices; // of the brush being written, where the options ask for corners
} writer;

// --- blocks and keys ----------------------------------------------------------------------------

static void word(bspi_printer *p, unsigned depth, const char *key, const char *value) {
    bspi_vmf_key(p, depth, key);
    bspi_print(p, value);
    bspi_vmf_end(p);
}

static void pair(bspi_printer *p, unsigned depth, const bsp_mapdoc_pair *pair) {
    bspi_vmf_indent(p, depth);
    bspi_print_quoted(p, pair->key);
    bspi_print(p, " ");
    bspi_print_quoted(p, pair->value);
    bspi_print_line(p);
}

// --- solids -------------------------------------------------------------------------------------

static void print_color(bspi_printer *p, unsigned depth, const uint8_t color[3]) {
    bspi_vmf_key(p, depth, "color");
    for (int i = 0; i < 3; i++) {
        bspi_print(p, i == 0 ? "" : " ");
        bspi_print_uint(p, color[i]);
    }
    bspi_vmf_end(p);
}

static void print_editor(bspi_printer *p, unsigned depth, uint32_t visgroup, const char *color) {
    bspi_vmf_open(p, depth, "editor");
    if (visgroup < p->source->num_visgroups) {
        print_color(p, depth + 1, p->source->visgroups[visgroup].color);
        bspi_vmf_uint(p, depth + 1, "visgroupid", visgroup + 1);
    } else {
        word(p, depth + 1, "color", color);
    }
    word(p, depth + 1, "visgroupshown", "1");
    word(p, depth + 1, "visgroupautoshown", "1");
    bspi_vmf_close(p, depth);
}

static void print_plane(bspi_printer *p, unsigned depth, const bspi_printed_side *side) {
    bspi_vmf_key(p, depth, "plane");
    for (int i = 0; i < 3; i++) {
        bspi_print(p, i == 0 ? "(" : " (");
        bspi_print_point(p, &side->points, i);
        bspi_print(p, ")");
    }
    bspi_vmf_end(p);
}

static void print_axes(bspi_printer *p, unsigned depth, const bspi_printed_side *side) {
    bspi_axes axes;
    bspi_vec_to_axes(side->vec, &axes);
    for (int i = 0; i < 2; i++) {
        bspi_vmf_key(p, depth, i == 0 ? "uaxis" : "vaxis");
        bspi_print(p, "[");
        bspi_print_axis(p, side, &axes, i);
        bspi_print(p, "] ");
        bspi_print_number(p, axes.scale[i], bspi_scale_tolerance(side, axes.scale[i]));
        bspi_vmf_end(p);
    }
}

static bool print_side(writer *w, uint32_t index, double reach) {
    bspi_printer *p = w->p;
    const unsigned depth = 2;
    const bsp_mapdoc_side *side = &p->source->sides[index];
    bspi_printed_side out;
    if (!bspi_print_begin_side(p, index, reach, &out)) {
        return false;
    }
    bspi_vmf_open(p, depth, "side");
    bspi_vmf_uint(p, depth + 1, "id", bspi_ids_take(&w->sides, side->id));
    print_plane(p, depth + 1, &out);
    bspi_vmf_key(p, depth + 1, "material");
    bspi_print_text(p, side->material);
    bspi_vmf_end(p);
    print_axes(p, depth + 1, &out);
    bspi_vmf_key(p, depth + 1, "rotation");
    bspi_print_float(p, side->rotation);
    bspi_vmf_end(p);
    bspi_vmf_key(p, depth + 1, "lightmapscale");
    bspi_print_float(p, side->lightmap_scale > 0 ? side->lightmap_scale : BSPI_EDITOR_LUXEL);
    bspi_vmf_end(p);
    bspi_vmf_uint(p, depth + 1, "smoothing_groups", side->smoothing);
    bspi_vertices_print(&w->vertices, p, depth + 1, index);
    if (side->disp < p->source->num_disps) {
        bspi_write_disp(p, depth + 1, &p->source->disps[side->disp]);
    }
    bspi_vmf_close(p, depth);
    bool any = side->contents != 0 || side->flags != 0 || side->value != 0;
    p->losses.flags += side->has_flags && any ? 1 : 0;
    return true;
}

static bool print_solid(writer *w, const bsp_mapdoc_brush *brush) {
    bspi_printer *p = w->p;
    bspi_vmf_open(p, 1, "solid");
    bspi_vmf_uint(p, 2, "id", bspi_ids_take(&w->objects, brush->id));
    double reach = bspi_print_reach(p->source, brush);
    bspi_vertices_cut(&w->vertices, p->source, brush);
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        if (!print_side(w, brush->first_side + s, reach)) {
            return false;
        }
    }
    print_editor(p, 2, brush->visgroup, WORLD_COLOR);
    bspi_vmf_close(p, 1);
    return !p->out.failed;
}

// --- entities -----------------------------------------------------------------------------------

static void print_pairs(bspi_printer *p, const bsp_mapdoc_entity *entity) {
    bool outputs = false;
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        const bsp_mapdoc_pair *at = &p->source->pairs[entity->first_pair + i];
        outputs = outputs || at->output;
        if (bspi_text_is(at->key, "id")) {
            p->losses.texts++;
        } else if (!at->output) {
            pair(p, 1, at);
        }
    }
    if (!outputs) {
        return;
    }
    bspi_vmf_open(p, 1, "connections");
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        const bsp_mapdoc_pair *at = &p->source->pairs[entity->first_pair + i];
        if (at->output) {
            pair(p, 2, at);
        }
    }
    bspi_vmf_close(p, 1);
}

static bool print_entity(writer *w, uint32_t index) {
    bspi_printer *p = w->p;
    const bsp_mapdoc_entity *entity = &p->source->entities[index];
    bspi_vmf_open(p, 0, index == 0 ? "world" : "entity");
    bspi_vmf_uint(p, 1, "id", bspi_ids_take(&w->objects, entity->id));
    if (index == 0 && bsp_mapdoc_value(p->source, 0, "mapversion").data == NULL) {
        word(p, 1, "mapversion", "1");
    }
    print_pairs(p, entity);
    for (uint32_t b = 0; b < entity->num_brushes; b++) {
        if (!print_solid(w, &p->source->brushes[entity->first_brush + b])) {
            return false;
        }
    }
    p->losses.patches += entity->num_patches;
    if (index != 0) {
        print_editor(p, 1, entity->visgroup, ENTITY_COLOR);
    }
    bspi_vmf_close(p, 0);
    return !p->out.failed;
}

// --- the document -------------------------------------------------------------------------------

static void print_version(bspi_printer *p) {
    bsp_text version = {NULL, 0};
    if (p->source->num_entities != 0) {
        version = bsp_mapdoc_value(p->source, 0, "mapversion");
    }
    bspi_vmf_open(p, 0, "versioninfo");
    word(p, 1, "editorversion", "400");
    word(p, 1, "editorbuild", "8000");
    bspi_vmf_key(p, 1, "mapversion");
    bspi_print_text(p, version.data == NULL ? bsp_text_of("1") : version);
    bspi_vmf_end(p);
    word(p, 1, "formatversion", "100");
    word(p, 1, "prefab", "0");
    bspi_vmf_close(p, 0);
}

static void print_visgroups(bspi_printer *p) {
    bspi_vmf_open(p, 0, "visgroups");
    for (uint32_t i = 0; i < p->source->num_visgroups; i++) {
        const bsp_mapdoc_visgroup *group = &p->source->visgroups[i];
        bspi_vmf_open(p, 1, "visgroup");
        bspi_vmf_key(p, 2, "name");
        bspi_print_text(p, group->name);
        bspi_vmf_end(p);
        bspi_vmf_uint(p, 2, "visgroupid", i + 1);
        print_color(p, 2, group->color);
        bspi_vmf_close(p, 1);
    }
    bspi_vmf_close(p, 0);
}

static void print_view(bspi_printer *p) {
    bspi_vmf_open(p, 0, "viewsettings");
    word(p, 1, "bSnapToGrid", "1");
    word(p, 1, "bShowGrid", "1");
    word(p, 1, "bShowLogicalGrid", "0");
    word(p, 1, "nGridSpacing", "64");
    word(p, 1, "bShow3DGrid", "0");
    bspi_vmf_close(p, 0);
}

static void print_place(bspi_printer *p, const char *key, const double at[3]) {
    bspi_vmf_key(p, 2, key);
    bspi_print(p, "[");
    bspi_print_vector(p, at);
    bspi_print(p, "]");
    bspi_vmf_end(p);
}

static void print_cameras(bspi_printer *p) {
    bspi_vmf_open(p, 0, "cameras");
    word(p, 1, "activecamera", p->source->num_cameras != 0 ? "0" : "-1");
    for (uint32_t i = 0; i < p->source->num_cameras; i++) {
        bspi_vmf_open(p, 1, "camera");
        print_place(p, "position", p->source->cameras[i].position);
        print_place(p, "look", p->source->cameras[i].look);
        bspi_vmf_close(p, 1);
    }
    bspi_vmf_close(p, 0);
}

static void print_rest(bspi_printer *p) {
    print_cameras(p);
    bspi_vmf_open(p, 0, "cordon");
    word(p, 1, "mins", "(-1024 -1024 -1024)");
    word(p, 1, "maxs", "(1024 1024 1024)");
    word(p, 1, "active", "0");
    bspi_vmf_close(p, 0);
}

static bool number(writer *w) {
    const bsp_mapdoc *source = w->p->source;
    uint64_t objects = (uint64_t)source->num_entities + source->num_brushes;
    bool done = bspi_ids_init(&w->objects, &w->p->heap, objects, w->p->error) &&
                bspi_ids_init(&w->sides, &w->p->heap, source->num_sides, w->p->error);
    for (uint32_t i = 0; done && i < source->num_entities; i++) {
        bspi_ids_mark(&w->objects, source->entities[i].id);
    }
    for (uint32_t i = 0; done && i < source->num_brushes; i++) {
        bspi_ids_mark(&w->objects, source->brushes[i].id);
    }
    for (uint32_t i = 0; done && i < source->num_sides; i++) {
        bspi_ids_mark(&w->sides, source->sides[i].id);
    }
    return done;
}

bool bspi_write_vmf(bspi_printer *p) {
    writer w = {.p = p};
    bool done = number(&w) && (!p->options.corners ||
                               bspi_vertices_begin(&w.vertices, p->source, &p->heap, p->error));
    if (done) {
        print_version(p);
        print_visgroups(p);
        print_view(p);
    }
    for (uint32_t i = 0; done && i < p->source->num_entities; i++) {
        done = print_entity(&w, i);
    }
    if (done) {
        print_rest(p);
    }
    bspi_vertices_end(&w.vertices);
    bspi_ids_free(&w.objects, &p->heap);
    bspi_ids_free(&w.sides, &p->heap);
    return done;
}
