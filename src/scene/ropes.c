// SPDX-License-Identifier: MIT
// Ropes of Source as curves, and as tubes that show them. Sources: rope.cpp, c_rope.cpp,
// rope_physics.cpp and simple_physics.cpp of the SDK: a chain of nodes falls for five seconds
// between its ends (ROPE_GRAVITY, ROPESLACK_FUDGEFACTOR, three passes of springs that only pull).
// The game draws ribbons that face the eye; a tube of the same width looks alike from everywhere.
#include "scene/prop_builder.h"

#include "core/curves.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NODES 10u // of a rope of type 0
#define MOST_SUBDIVISIONS 8u
#define MOST_POINTS ((NODES - 1) * (MOST_SUBDIVISIONS + 1) + 1)
#define SIDES 3u // of a tube
#define GRAVITY 1500.0F
#define STEP 0.02F // seconds
#define STEPS 250u
#define PASSES 3
#define DAMPING 0.98F
#define SLACK_OFFSET (-100.0F) // what a slack of 0 means
#define TEXELS_PER_UNIT 4.0F
#define MOST_LENGTH 1e5F
#define DEFAULT_WIDTH 2.0F

typedef struct rope {
    float ends[2][3];
    float slack, width, scale;
    uint32_t nodes, subdivisions;
    bool dangles;
    bsp_text material;
    float points[MOST_POINTS][3];
    uint32_t num_points;
} rope;

// --- keys ---------------------------------------------------------------------------------------

static float number_of(const bsp_entity *entity, const char *key, float otherwise) {
    float value;
    bool given = bsp_parse_float(bsp_entity_value(entity, key), &value);
    return given && fabsf(value) < MOST_LENGTH ? value : otherwise;
}

static bsp_text material_of(const bsp_entity *entity) {
    static const char *const shaders[] = {"cable/cable", "cable/rope", "cable/chain"};
    bsp_text given = bsp_entity_value(entity, "RopeMaterial");
    float shader = number_of(entity, "RopeShader", 0);
    int number = shader == 1 ? 1 : shader == 2 ? 2 : 0;
    return given.size != 0 ? given : bsp_text_of(shaders[number]);
}

static void read_keys(const bsp_entity *entity, rope *r) {
    float type = number_of(entity, "Type", 0);
    float subdivisions = number_of(entity, "Subdiv", 2);
    r->slack = truncf(number_of(entity, "Slack", 0));
    r->width = number_of(entity, "Width", DEFAULT_WIDTH);
    r->width = r->width > 0 ? r->width : DEFAULT_WIDTH;
    r->scale = number_of(entity, "TextureScale", 1);
    r->scale = r->scale > 0 ? r->scale : 1;
    r->nodes = type == 1 ? 4 : type >= 2 ? 2 : NODES;
    r->subdivisions = subdivisions > 0 ? (uint32_t)fminf(subdivisions, MOST_SUBDIVISIONS) : 0;
    r->dangles = number_of(entity, "Dangling", 0) != 0;
    r->material = material_of(entity);
}

static bool is_rope(const bsp_entity *entity) {
    bsp_text name = bsp_entity_value(entity, "classname");
    return bspi_text_is(name, "keyframe_rope") || bspi_text_is(name, "move_rope");
}

// --- how it hangs -------------------------------------------------------------------------------

static float distance(const float a[3], const float b[3]) {
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrtf(sum);
}

static void lock_ends(const rope *r, float nodes[NODES][3]) {
    memcpy(nodes[0], r->ends[0], sizeof r->ends[0]);
    if (!r->dangles) {
        memcpy(nodes[r->nodes - 1], r->ends[1], sizeof r->ends[1]);
    }
}

static void pull(const rope *r, float spring, float nodes[NODES][3]) {
    for (int pass = 0; pass < PASSES; pass++) {
        for (uint32_t n = 0; n + 1 < r->nodes; n++) {
            float length = distance(nodes[n], nodes[n + 1]);
            float part = length > spring ? (1 - spring / length) / 2 : 0;
            for (int i = 0; i < 3; i++) {
                float d = part * (nodes[n + 1][i] - nodes[n][i]);
                nodes[n][i] += d;
                nodes[n + 1][i] -= d;
            }
        }
        lock_ends(r, nodes);
    }
}

static void hang(const rope *r, float nodes[NODES][3]) {
    float before[NODES][3];
    float length = truncf(distance(r->ends[0], r->ends[1])) + r->slack + SLACK_OFFSET;
    float spring = fmaxf(truncf(length / (float)(r->nodes - 1)), 0);
    for (uint32_t n = 0; n < r->nodes; n++) {
        for (int i = 0; i < 3; i++) {
            float part = (float)n / (float)(r->nodes - 1);
            nodes[n][i] = r->ends[0][i] + part * (r->ends[1][i] - r->ends[0][i]);
        }
    }
    memcpy(before, nodes, sizeof before);
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t n = 0; n < r->nodes; n++) {
            for (int i = 0; i < 3; i++) {
                float at = nodes[n][i];
                nodes[n][i] += (at - before[n][i]) * DAMPING;
                before[n][i] = at;
            }
            nodes[n][2] -= GRAVITY * STEP * STEP / 2;
        }
        lock_ends(r, nodes);
        pull(r, spring, nodes);
    }
}

// A Catmull-Rom curve through the nodes.
static void subdivide(rope *r, float nodes[NODES][3]) {
    r->num_points = 0;
    for (uint32_t n = 0; n + 1 < r->nodes; n++) {
        const float *p1 = nodes[n], *p2 = nodes[n + 1];
        for (uint32_t s = 0; s <= r->subdivisions; s++) {
            float t = (float)s / (float)(r->subdivisions + 1);
            for (int i = 0; i < 3; i++) {
                float p0 = n == 0 ? 2 * p1[i] - p2[i] : nodes[n - 1][i];
                float p3 = n + 2 == r->nodes ? 2 * p2[i] - p1[i] : nodes[n + 2][i];
                r->points[r->num_points][i] =
                    p1[i] + t / 2 *
                                (p2[i] - p0 +
                                 t * (2 * p0 - 5 * p1[i] + 4 * p2[i] - p3 +
                                      t * (3 * (p1[i] - p2[i]) + p3 - p0)));
            }
            r->num_points++;
        }
    }
    memcpy(r->points[r->num_points++], nodes[r->nodes - 1], sizeof nodes[0]);
}

// --- tubes --------------------------------------------------------------------------------------

// Two axes at right angles to the way of the curve at a point.
static void axes_at(const rope *r, uint32_t point, float aside[3], float above[3]) {
    const float *from = r->points[point == 0 ? 0 : point - 1];
    const float *to = r->points[point + 1 == r->num_points ? point : point + 1];
    float way[3];
    float length = distance(from, to), flat = bspi_length_of(to[0] - from[0], to[1] - from[1]);
    for (int i = 0; i < 3; i++) {
        way[i] = length > 0 ? (to[i] - from[i]) / length : i == 0;
    }
    bool upright = !(flat > 1e-3F * length) || length <= 0;
    flat = bspi_length_of(way[0], way[1]);
    aside[0] = upright ? 0 : -way[1] / flat;
    aside[1] = upright ? 1 : way[0] / flat;
    aside[2] = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        above[i] = way[j] * aside[k] - way[k] * aside[j];
    }
}

static void ring(const rope *r, uint32_t point, float out[SIDES][3]) {
    float aside[3], above[3];
    axes_at(r, point, aside, above);
    for (uint32_t s = 0; s < SIDES; s++) {
        float c = bspi_cosine((float)BSPI_TURN * (float)s / SIDES) * r->width / 2;
        float d = bspi_sine((float)BSPI_TURN * (float)s / SIDES) * r->width / 2;
        for (int i = 0; i < 3; i++) {
            out[s][i] = r->points[point][i] - r->ends[0][i] + c * aside[i] + d * above[i];
        }
    }
}

// The tube, from its first end on. The texture lies around it once, and along it by its length.
static bsp_model_mesh *make_tube(bspi_prop_builder *b, const rope *r, const bspi_sheet *sheet) {
    uint32_t count = (r->num_points - 1) * SIDES;
    size_t room = count * sizeof(bspi_card_side);
    bspi_card_side *list = bspi_heap_alloc(b->heap, room, b->error);
    float rings[2][SIDES][3];
    float v = 0;
    if (list == NULL) {
        return NULL;
    }
    ring(r, 0, rings[0]);
    for (uint32_t p = 0; p + 1 < r->num_points; p++) {
        ring(r, p + 1, rings[1]);
        float texels = distance(r->points[p], r->points[p + 1]) * TEXELS_PER_UNIT / r->scale;
        float next = v + texels / (float)(sheet->height == 0 ? 1 : sheet->height);
        for (uint32_t s = 0; s < SIDES; s++) {
            bspi_card_side *side = &list[p * SIDES + s];
            uint32_t other = (s + 1) % SIDES;
            float u[2] = {(float)s / SIDES, (float)(s + 1) / SIDES};
            const float uv[4][2] = {{u[0], v}, {u[1], v}, {u[1], next}, {u[0], next}};
            memcpy(side->at[0], rings[0][s], sizeof side->at[0]);
            memcpy(side->at[1], rings[0][other], sizeof side->at[1]);
            memcpy(side->at[2], rings[1][other], sizeof side->at[2]);
            memcpy(side->at[3], rings[1][s], sizeof side->at[3]);
            memcpy(side->uv, uv, sizeof uv);
        }
        memcpy(rings[0], rings[1], sizeof rings[0]);
        v = next;
    }
    bsp_model_mesh *mesh = bspi_card_make(b->scene, list, count);
    bspi_heap_free(b->heap, list, room);
    return mesh;
}

// --- the list -----------------------------------------------------------------------------------

static bool keep(bspi_prop_builder *b, const rope *r, uint32_t entity, uint32_t next,
                 bsp_scene_rope **out) {
    bspi_scene *own = b->scene->own;
    float(*points)[3] = bspi_arena_raw(&own->arena, r->num_points, sizeof *points, b->error);
    void *grown = bspi_grow(b->heap, own->ropes, own->scene.num_ropes, &own->room_ropes,
                            sizeof *own->ropes, b->error);
    if (grown == NULL) {
        return false;
    }
    own->ropes = grown;
    own->scene.ropes = grown;
    if (points == NULL) {
        return false;
    }
    memcpy(points, r->points, r->num_points * sizeof *points);
    *out = &own->ropes[own->scene.num_ropes++];
    **out = (bsp_scene_rope){.entity = entity,
                             .next = next,
                             .prop = BSP_NONE,
                             .width = r->width,
                             .dangles = r->dangles,
                             .points = (const float(*)[3])points,
                             .num_points = r->num_points};
    return true;
}

static bool show(bspi_prop_builder *b, const rope *r, uint32_t entity, bsp_scene_rope *kept) {
    bspi_sheet *sheet;
    uint32_t model, missing;
    static const float level[3] = {0, 0, 0};
    if (!bspi_sheet_find(b->scene, &b->sheets, r->material, true, &sheet)) {
        return false;
    }
    if (!sheet->found) {
        bool added = bspi_prop_missing(b, sheet->name, sheet->note, &missing);
        if (added) {
            b->missing[missing].props++;
        }
        return added;
    }
    bsp_model_mesh *mesh = make_tube(b, r, sheet);
    if (mesh == NULL || !bspi_prop_card(b, sheet, mesh, &model)) {
        return false;
    }
    kept->prop = (uint32_t)b->num_props;
    bsp_scene_prop *prop = bspi_prop_begin(b, model, BSP_PROP_ENTITY, entity);
    bspi_prop_place(prop, r->ends[0], level, 1);
    memcpy(prop->fade_point, r->ends[0], sizeof prop->fade_point);
    bspi_prop_light(b, prop, r->points[r->num_points / 2]);
    return true;
}

bool bspi_props_rope(bspi_prop_builder *b, const bsp_entity *entity, uint32_t number, bool *done) {
    rope r;
    bsp_scene_rope *kept;
    uint32_t next = BSP_NONE;
    bsp_text name = bsp_entity_value(entity, "NextKey");
    *done = is_rope(entity);
    if (!*done || name.size == 0 ||
        !bsp_parse_vector(bsp_entity_value(entity, "origin"), r.ends[0])) {
        return true;
    }
    if (!bspi_prop_named(b, name, &next)) {
        return false;
    }
    if (next == BSP_NONE || next == number ||
        !bsp_parse_vector(bspi_state_value(b->scene->options->state, b->scene->map, next, "origin"),
                          r.ends[1])) {
        return true;
    }
    read_keys(entity, &r);
    float length = distance(r.ends[0], r.ends[1]);
    if (!(length < MOST_LENGTH) || !(distance(r.ends[0], (const float[3]){0, 0, 0}) < 1e6F)) {
        return true; // also what is no number
    }
    float nodes[NODES][3];
    hang(&r, nodes);
    subdivide(&r, nodes);
    return bspi_meter_add(&b->scene->meter, (uint64_t)STEPS * r.nodes) &&
           keep(b, &r, number, next, &kept) && show(b, &r, number, kept);
}
