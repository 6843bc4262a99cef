// SPDX-License-Identifier: MIT
// QuakeSpasm as a peer of hull traces, contents and leaves: SV_RecursiveHullCheck and
// SV_HullPointContents of its world.c, Mod_PointInLeaf of its gl_model.c, compiled from the
// reader's checkout. The trees are filled here, because gl_model.c's loader needs a renderer and
// refuses GoldSrc's maps, whose trees have Quake's records.
#include "peer.h"

#include "quakedef.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = 1, NODES = 5, CLIPNODES = 9, LEAVES = 10, MODELS = 14 };

server_t sv;
vec3_t vec3_origin;

static struct {
    hull_t hulls[4];
    qmodel_t model;
    mleaf_t *leaves;
} world;

void Sys_Error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void Con_DPrintf(const char *format, ...) {
    (void)format;
}

typedef struct lump {
    const unsigned char *data;
    size_t count;
    size_t size; // of a record
} lump;

static lump lump_of(const unsigned char *file, int index, size_t record) {
    int place[2];
    memcpy(place, file + 4 + 8 * index, sizeof place);
    return (lump){file + place[0], (size_t)place[1] / record, record};
}

static int number(const lump *l, size_t record, size_t at) {
    int value;
    memcpy(&value, l->data + record * l->size + at, 4);
    return value;
}

static int shorter(const lump *l, size_t record, size_t at) {
    short value;
    memcpy(&value, l->data + record * l->size + at, 2);
    return value;
}

static mplane_t *read_planes(const unsigned char *file) {
    lump l = lump_of(file, PLANES, 20);
    mplane_t *planes = peer_hunk(l.count * sizeof *planes);
    for (size_t i = 0; i < l.count; i++) {
        memcpy(planes[i].normal, l.data + 20 * i, 12);
        memcpy(&planes[i].dist, l.data + 20 * i + 12, 4);
        planes[i].type = (byte)number(&l, i, 16);
        for (int k = 0; k < 3; k++) {
            planes[i].signbits |= (byte)((planes[i].normal[k] < 0) << k);
        }
    }
    return planes;
}

static mleaf_t *read_leaves(const unsigned char *file) {
    lump l = lump_of(file, LEAVES, 28);
    mleaf_t *leaves = peer_hunk(l.count * sizeof *leaves);
    for (size_t i = 0; i < l.count; i++) {
        leaves[i].contents = number(&l, i, 0);
    }
    return leaves;
}

static mnode_t *read_nodes(const unsigned char *file, mplane_t *planes, size_t *count) {
    lump l = lump_of(file, NODES, 24);
    mnode_t *nodes = peer_hunk(l.count * sizeof *nodes);
    *count = l.count;
    for (size_t i = 0; i < l.count; i++) {
        nodes[i].plane = planes + number(&l, i, 0);
        for (int k = 0; k < 2; k++) {
            int child = shorter(&l, i, 4 + 2 * (size_t)k);
            nodes[i].children[k] =
                child >= 0 ? nodes + child : (mnode_t *)(world.leaves + (-1 - child));
        }
    }
    return nodes;
}

// Hull 0: the tree itself, with the contents of leaves in place of leaves.
static void fill_hull_0(hull_t *hull, mnode_t *nodes, size_t count) {
    hull->clipnodes = peer_hunk(count * sizeof *hull->clipnodes);
    hull->lastclipnode = (int)count - 1;
    for (size_t i = 0; i < count; i++) {
        hull->clipnodes[i].planenum = (int)(nodes[i].plane - hull->planes);
        for (int k = 0; k < 2; k++) {
            mnode_t *child = nodes[i].children[k];
            hull->clipnodes[i].children[k] =
                child->contents < 0 ? child->contents : (int)(child - nodes);
        }
    }
}

static void fill_hulls(const unsigned char *file, mplane_t *planes) {
    lump clip = lump_of(file, CLIPNODES, 8);
    lump models = lump_of(file, MODELS, 64);
    mclipnode_t *clipnodes = peer_hunk(clip.count * sizeof *clipnodes);
    for (size_t i = 0; i < clip.count; i++) {
        clipnodes[i].planenum = number(&clip, i, 0);
        clipnodes[i].children[0] = shorter(&clip, i, 4);
        clipnodes[i].children[1] = shorter(&clip, i, 6);
    }
    for (int h = 1; h < 4; h++) {
        world.hulls[h].clipnodes = clipnodes;
        world.hulls[h].planes = planes;
        world.hulls[h].firstclipnode = number(&models, 0, 36 + 4 * (size_t)h);
        world.hulls[h].lastclipnode = (int)clip.count - 1;
    }
}

static int load(const char *path, const peer_triangles *triangles) {
    long size = 0;
    unsigned char *file = peer_read(path, &size);
    size_t num_nodes = 0;
    (void)triangles;
    if (file == NULL || size < 124 || (file[0] != 29 && file[0] != 30)) {
        fprintf(stderr, "%s: no map of version 29 or 30\n", path);
        free(file);
        return 0;
    }
    mplane_t *planes = read_planes(file);
    world.leaves = read_leaves(file);
    world.model.nodes = read_nodes(file, planes, &num_nodes);
    world.hulls[0].planes = planes;
    fill_hull_0(&world.hulls[0], world.model.nodes, num_nodes);
    fill_hulls(file, planes);
    free(file);
    return 1;
}

// Each call begins as SV_ClipMoveToEntity does.
static void trace(const peer_segment *segments, peer_answer *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hull_t *hull = &world.hulls[segments[i].hull];
        vec3_t start;
        vec3_t end;
        trace_t result;
        VectorCopy(segments[i].start, start);
        VectorCopy(segments[i].end, end);
        memset(&result, 0, sizeof result);
        result.fraction = 1;
        result.allsolid = true;
        VectorCopy(end, result.endpos);
        SV_RecursiveHullCheck(hull, hull->firstclipnode, 0, 1, start, end, &result);
        answers[i].fraction = result.fraction;
        VectorCopy(result.endpos, answers[i].end);
        VectorCopy(result.plane.normal, answers[i].normal);
        answers[i].start_solid = result.startsolid;
        answers[i].all_solid = result.allsolid;
    }
}

static void contents(const float (*points)[3], int *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        vec3_t point;
        VectorCopy(points[i], point);
        answers[i] = SV_HullPointContents(&world.hulls[0], 0, point);
    }
}

static void leaves(const float (*points)[3], int *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        vec3_t point;
        VectorCopy(points[i], point);
        answers[i] = (int)(Mod_PointInLeaf(point, &world.model) - world.leaves);
    }
}

const peer the_peer = {
    .name = "QuakeSpasm",
    .load = load,
    .trace = trace,
    .boxes = 1,
    .contents = contents,
    .leaves = leaves,
};
