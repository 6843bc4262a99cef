// SPDX-License-Identifier: MIT
// Makes meshes of the ledges of physics solids, which may share points: each piece gets the points
// that its triangles use, in the order of their numbers. Ledges of inner nodes enclose those of the
// leaves below them and are left out. The records are those that the parser of the solid found, so
// nothing here can lead out of it. Format: sheet source-lumps, section 7.
#include "records/physics_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INCHES (1 / 0.0254) // in a metre: the physics engine counts in metres, the game in inches
#define NODE_RIGHT 0        // field of a node: the way to its right child; 0: it is a leaf
#define NODE_LEDGE 1        // field of a node: the way to its ledge

/// A solid whose pieces are added.
typedef struct solid {
    const bsp_parts *parts;
    uint32_t number;
    uint32_t ledges; ///< its lists; BSP_NONE: not there
    uint32_t points;
    uint32_t nodes;
    size_t *leaves; ///< where the ledges of leaves are, sorted
    size_t num_leaves;
    size_t leaves_room;
    uint32_t *numbers; ///< of the points of a ledge, sorted
    size_t numbers_size;
    bspi_solid_pieces *out;
    bspi_heap *heap;
    bsp_error *error;
} solid;

/// A ledge: its triangles, and the table in which its points are.
typedef struct ledge {
    bsp_table triangles;
    uint32_t corners[3]; ///< fields of a triangle: numbers of its points
    uint32_t material;   ///< field of a triangle
    bsp_table points;
    uint32_t first; ///< number in `points` of the ledge's point 0
    uint32_t data;
} ledge;

// --- the list -----------------------------------------------------------------------------------

// Returns the array that replaces `array`, with room for `count` more elements; NULL without
// memory.
static void *make_room(void *array, size_t used, size_t count, size_t *room, size_t element,
                       bspi_heap *heap, bsp_error *error) {
    size_t size = *room < 16 ? 16 : *room;
    while (size < used + count) {
        size *= 2;
    }
    if (array != NULL && size == *room) {
        return array;
    }
    void *grown = bspi_heap_resize(heap, array, *room * element, size * element, error);
    *room = grown == NULL ? *room : size;
    return grown;
}

static bool grow(bspi_solid_pieces *p, size_t points, size_t triangles, bspi_heap *heap,
                 bsp_error *error) {
    void *list = make_room(p->pieces, p->count, 1, &p->room[0], sizeof *p->pieces, heap, error);
    p->pieces = list == NULL ? p->pieces : list;
    bool done = list != NULL;
    list = make_room(p->points, p->num_points, points, &p->room[1], sizeof *p->points, heap, error);
    p->points = list == NULL ? p->points : list;
    done = done && list != NULL;
    list = make_room(p->indices, p->num_indices, triangles * 3, &p->room[2], sizeof *p->indices,
                     heap, error);
    p->indices = list == NULL ? p->indices : list;
    done = done && list != NULL;
    list = make_room(p->materials, p->num_indices / 3, triangles, &p->room[3], sizeof *p->materials,
                     heap, error);
    p->materials = list == NULL ? p->materials : list;
    return done && list != NULL;
}

bspi_solid_piece *bspi_solid_pieces_new(bspi_solid_pieces *p, uint32_t number, uint32_t num_points,
                                        uint32_t num_triangles, bspi_heap *heap, bsp_error *error) {
    if (!grow(p, num_points, num_triangles, heap, error)) {
        return NULL;
    }
    memset(p->points + p->num_points, 0, num_points * sizeof *p->points);
    memset(p->indices + p->num_indices, 0, (size_t)num_triangles * 3 * sizeof *p->indices);
    memset(p->materials + p->num_indices / 3, 0, num_triangles);
    bspi_solid_piece *piece = &p->pieces[p->count++];
    *piece =
        (bspi_solid_piece){number, 0, p->num_points, num_points, p->num_indices, num_triangles * 3};
    p->num_points += num_points;
    p->num_indices += num_triangles * 3;
    return piece;
}

void bspi_solid_pieces_drop(bspi_solid_pieces *p) {
    p->count--;
    p->num_points = p->pieces[p->count].first_point;
    p->num_indices = p->pieces[p->count].first_index;
}

// --- parts of a solid ---------------------------------------------------------------------------

static uint32_t find_list(const bsp_parts *parts, uint32_t group, const char *name) {
    for (uint32_t i = group + 1; i < parts->parts[group].end; i = parts->parts[i].end) {
        if (parts->parts[i].kind == BSP_PART_LIST && strcmp(parts->parts[i].name, name) == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

// --- leaves -------------------------------------------------------------------------------------

static int by_size(const void *a, const void *b) {
    size_t left = *(const size_t *)a;
    size_t right = *(const size_t *)b;
    return left < right ? -1 : left > right;
}

static bool add_leaf(solid *s, size_t at) {
    size_t *grown =
        bspi_grow(s->heap, s->leaves, s->num_leaves, &s->leaves_room, sizeof *grown, s->error);
    if (grown != NULL) {
        s->leaves = grown;
        grown[s->num_leaves++] = at;
    }
    return grown != NULL;
}

static bool find_leaves(solid *s) {
    uint32_t end = s->nodes == BSP_NONE ? 0 : s->parts->parts[s->nodes].end;
    for (uint32_t i = s->nodes + 1; i < end; i++) {
        bsp_table table = bsp_parts_table(s->parts, i);
        for (uint32_t r = 0; r < table.count; r++) {
            int64_t at = (int64_t)(s->parts->parts[i].offset + (size_t)r * table.layout->size);
            int64_t to = at + bsp_table_int(&table, r, NODE_LEDGE, 0);
            if (bsp_table_int(&table, r, NODE_RIGHT, 0) == 0 && to != at && to >= 0 &&
                !add_leaf(s, (size_t)to)) {
                return false;
            }
        }
    }
    if (s->num_leaves != 0) {
        qsort(s->leaves, s->num_leaves, sizeof *s->leaves, by_size);
    }
    return true;
}

// Ledges without a tree follow each other, and all of them count.
static bool is_leaf(const solid *s, size_t at) {
    return s->nodes == BSP_NONE || (s->num_leaves != 0 && bsearch(&at, s->leaves, s->num_leaves,
                                                                  sizeof at, by_size) != NULL);
}

// --- one ledge ----------------------------------------------------------------------------------

static bool find_points(const solid *s, size_t at, ledge *l) {
    uint32_t end = s->points == BSP_NONE ? 0 : s->parts->parts[s->points].end;
    for (uint32_t i = s->points + 1; i < end; i++) {
        const bsp_part *part = &s->parts->parts[i];
        if (at >= part->offset && at - part->offset < part->size) {
            l->points = bsp_parts_table(s->parts, i);
            l->first = (uint32_t)((at - part->offset) / part->layout->size);
            return (at - part->offset) % part->layout->size == 0;
        }
    }
    return false;
}

// Reads the group of a ledge: its record, and the table of its triangles.
static bool find_ledge(const solid *s, uint32_t group, ledge *l) {
    static const char *const names[3] = {"start_point_index0", "start_point_index1",
                                         "start_point_index2"};
    if (s->parts->parts[group].end != group + 3) {
        return false;
    }
    const bsp_part *part = &s->parts->parts[group + 1];
    bsp_table record = bsp_parts_table(s->parts, group + 1);
    l->triangles = bsp_parts_table(s->parts, group + 2);
    for (int i = 0; i < 3; i++) {
        l->corners[i] = bsp_layout_find_field(l->triangles.layout, bsp_text_of(names[i]));
    }
    l->material = bsp_layout_find_field(l->triangles.layout, bsp_text_of("material_index"));
    l->data = (uint32_t)bsp_table_int(&record, 0, 1, 0);
    int64_t points = (int64_t)part->offset + bsp_table_int(&record, 0, 0, 0);
    return l->triangles.count != 0 && is_leaf(s, part->offset) && points >= 0 &&
           find_points(s, (size_t)points, l);
}

static int by_number(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static uint32_t corner_of(const ledge *l, size_t n) {
    return (uint32_t)bsp_table_int(&l->triangles, (uint32_t)(n / 3), l->corners[n % 3], 0);
}

// Sets `numbers` to those of the points that the triangles use, each once. Returns how many; 0 if
// one of them is not there.
static uint32_t list_points(solid *s, const ledge *l) {
    size_t corners = (size_t)l->triangles.count * 3;
    for (size_t i = 0; i < corners; i++) {
        s->numbers[i] = corner_of(l, i);
        if (s->numbers[i] >= l->points.count - l->first) {
            return 0;
        }
    }
    qsort(s->numbers, corners, sizeof *s->numbers, by_number);
    uint32_t kept = 1;
    for (size_t i = 1; i < corners; i++) {
        if (s->numbers[i] != s->numbers[kept - 1]) {
            s->numbers[kept++] = s->numbers[i];
        }
    }
    return kept;
}

// Reads a point of a ledge with the axes of the game. False if it is not finite.
static bool read_point(const ledge *l, uint32_t number, float out[3]) {
    double k[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        k[axis] = bsp_table_float(&l->points, l->first + number, 0, axis) * INCHES;
    }
    out[0] = (float)k[0];
    out[1] = (float)k[2];
    out[2] = (float)-k[1];
    return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

static void read_triangles(const solid *s, const ledge *l, const bspi_solid_piece *piece) {
    uint32_t *indices = s->out->indices + piece->first_index;
    uint8_t *materials = s->out->materials + piece->first_index / 3;
    for (uint32_t i = 0; i < piece->num_indices; i++) {
        uint32_t number = corner_of(l, i);
        const uint32_t *at =
            bsearch(&number, s->numbers, piece->num_points, sizeof number, by_number);
        indices[i] = (uint32_t)(at - s->numbers);
        if (i % 3 == 0) {
            materials[i / 3] = (uint8_t)bsp_table_int(&l->triangles, i / 3, l->material, 0);
        }
    }
}

static bool add_piece(solid *s, const ledge *l) {
    uint32_t points = list_points(s, l);
    if (points == 0) {
        return true;
    }
    bspi_solid_piece *piece =
        bspi_solid_pieces_new(s->out, s->number, points, l->triangles.count, s->heap, s->error);
    if (piece == NULL) {
        return false;
    }
    piece->data = l->data;
    bool finite = true;
    for (uint32_t i = 0; i < points; i++) {
        finite = read_point(l, s->numbers[i], s->out->points[piece->first_point + i]) && finite;
    }
    if (finite) {
        read_triangles(s, l, piece);
    } else {
        bspi_solid_pieces_drop(s->out);
    }
    return true;
}

// Makes room for the point numbers of a ledge; pays for its triangles.
static bool prepare(solid *s, const ledge *l) {
    size_t need = (size_t)l->triangles.count * 3;
    if (need > s->numbers_size) {
        bspi_heap_free(s->heap, s->numbers, s->numbers_size * sizeof *s->numbers);
        s->numbers_size = 0;
        s->numbers = bspi_heap_alloc(s->heap, need * sizeof *s->numbers, s->error);
        s->numbers_size = s->numbers == NULL ? 0 : need;
    }
    return s->numbers != NULL && bspi_heap_work(s->heap, need, s->error);
}

static bool add_ledges(solid *s) {
    uint32_t end = s->ledges == BSP_NONE ? 0 : s->parts->parts[s->ledges].end;
    for (uint32_t i = s->ledges + 1; i < end; i = s->parts->parts[i].end) {
        ledge l;
        if (find_ledge(s, i, &l) && (!prepare(s, &l) || !add_piece(s, &l))) {
            return false;
        }
    }
    return true;
}

bool bspi_solid_pieces_add(bspi_solid_pieces *pieces, const bsp_parts *parts, uint32_t part,
                           uint32_t number, bspi_heap *heap, bsp_error *error) {
    solid s = {.parts = parts,
               .number = number,
               .ledges = find_list(parts, part, "ledges"),
               .points = find_list(parts, part, "points"),
               .nodes = find_list(parts, part, "nodes"),
               .out = pieces,
               .heap = heap,
               .error = error};
    bool done = find_leaves(&s) && add_ledges(&s);
    bspi_heap_free(heap, s.leaves, s.leaves_room * sizeof *s.leaves);
    bspi_heap_free(heap, s.numbers, s.numbers_size * sizeof *s.numbers);
    return done;
}

void bspi_solid_pieces_free(bspi_solid_pieces *pieces, bspi_heap *heap) {
    bspi_heap_free(heap, pieces->pieces, pieces->room[0] * sizeof *pieces->pieces);
    bspi_heap_free(heap, pieces->points, pieces->room[1] * sizeof *pieces->points);
    bspi_heap_free(heap, pieces->indices, pieces->room[2] * sizeof *pieces->indices);
    bspi_heap_free(heap, pieces->materials, pieces->room[3] * sizeof *pieces->materials);
    *pieces = (bspi_solid_pieces){.pieces = NULL};
}
