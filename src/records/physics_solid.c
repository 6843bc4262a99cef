// SPDX-License-Identifier: MIT
// The solids of physics models: ledges (convex pieces: triangles over points) below a tree of
// nodes, or one after the other below MOPP code. All records are connected by relative offsets, so
// they are collected as claims and sorted, and a claim that overlaps an earlier one is left out.
// The bytes of the solid bound the work. Format: sheet source-lumps, section 7. MOPP code is a
// stream of bytes whose operands have their high byte first in any file: read so, the three
// programs in gg_aim_shotty name each ledge once and use every byte.
#include "records/physics_solid.h"

#include "formats/composites.h"

#include <stdlib.h>

#define MOPP 0x50504f4du     // "MOPP"
#define VERSION_WIDE 0x0101u // Strata
#define SURFACE_HEADS (bspi_collideheader_t.size + bspi_compactsurfaceheader_t.size)
#define MOPP_HEADS (bspi_collideheader_t.size + bspi_moppsurfaceheader_t.size)
#define MODEL_IVP 0
#define MODEL_MOPP 1

// The kind that comes first wins an overlap.
typedef enum claim_kind { CLAIM_SURFACE, CLAIM_NODE, CLAIM_LEDGE, CLAIM_POINTS } claim_kind;

typedef struct claim {
    size_t offset;
    size_t size;
    uint32_t count; // triangles of a ledge, or points
    claim_kind kind;
} claim;

typedef struct surface {
    bspi_parse *parse;
    const bspi_ivp *ivp;
    size_t start;
    size_t end;
    claim *claims;
    size_t *stack; // nodes to visit
    size_t count;
    size_t room;
} surface;

// --- the tree -----------------------------------------------------------------------------------

// Adds a claim if it lies in the solid after the surface record.
static bool add_claim(surface *s, int64_t at, uint64_t size, uint32_t count, claim_kind kind) {
    if (at < (int64_t)s->start || at > (int64_t)s->end || size > s->end - (size_t)at ||
        s->count == s->room) {
        return false;
    }
    s->claims[s->count++] = (claim){(size_t)at, (size_t)size, count, kind};
    return true;
}

static int64_t offset_at(const surface *s, size_t at) {
    return (int32_t)bspi_parse_u32(s->parse, at);
}

static bool add_ledge(surface *s, int64_t at) {
    if (at < (int64_t)s->start || at > (int64_t)s->end ||
        s->end - (size_t)at < s->ivp->ledge->size) {
        return false;
    }
    size_t where = (size_t)at + s->ivp->triangles;
    int64_t count = s->ivp->wide ? (int32_t)bspi_parse_u32(s->parse, where)
                                 : (int16_t)bspi_parse_u16(s->parse, where);
    if (count < 0) {
        return false;
    }
    uint64_t size = s->ivp->ledge->size + (uint64_t)count * s->ivp->triangle->size;
    return add_claim(s, at, size, (uint32_t)count, CLAIM_LEDGE);
}

// Visits the tree from its root, first the left child of a node, which is the next record. A tree
// has at most `most` nodes; a longer walk means a cycle.
static bool walk(surface *s, int64_t root, size_t most) {
    uint32_t node_size = s->ivp->node->size;
    size_t depth = 0;
    if (root < 0 || (uint64_t)root > s->end - s->start) {
        return false;
    }
    s->stack[depth++] = s->start + (size_t)root;
    for (size_t visited = 0; depth != 0; visited++) {
        size_t at = s->stack[--depth];
        if (visited == most || !add_claim(s, (int64_t)at, node_size, 0, CLAIM_NODE)) {
            return false;
        }
        int64_t right = offset_at(s, at);
        int64_t ledge = offset_at(s, at + 4);
        if (ledge != 0 && !add_ledge(s, (int64_t)at + ledge)) {
            return false;
        }
        if (right == 0) {
            continue;
        }
        if ((int64_t)at + right < (int64_t)s->start || (int64_t)at + right > (int64_t)s->end) {
            return false;
        }
        s->stack[depth++] = (size_t)((int64_t)at + right);
        s->stack[depth++] = at + node_size;
    }
    return true;
}

// --- claims -------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b) {
    const claim *left = a;
    const claim *right = b;
    if (left->offset != right->offset) {
        return left->offset < right->offset ? -1 : 1;
    }
    return (int)left->kind - (int)right->kind;
}

// Merges points of one array that ledges refer to with different lengths or starts.
static bool merge_points(claim *last, const claim *next, size_t point_size) {
    if (last->kind != CLAIM_POINTS || next->kind != CLAIM_POINTS ||
        (next->offset - last->offset) % point_size != 0) {
        return false;
    }
    size_t end = next->offset + next->size;
    if (end > last->offset + last->size) {
        last->size = end - last->offset;
        last->count = (uint32_t)(last->size / point_size);
    }
    return true;
}

// Sorts the claims and drops those that overlap; equal claims become one.
static void settle(surface *s) {
    if (s->count == 0) {
        return;
    }
    qsort(s->claims, s->count, sizeof *s->claims, by_place);
    size_t kept = 1;
    for (size_t i = 1; i < s->count; i++) {
        claim *last = &s->claims[kept - 1];
        const claim *next = &s->claims[i];
        if (next->offset >= last->offset + last->size) {
            s->claims[kept++] = *next;
        } else if (!merge_points(last, next, s->ivp->point->size) &&
                   (next->offset != last->offset || next->kind != last->kind)) {
            bspi_parse_issue(s->parse, BSPI_ISSUE_LUMP_STRUCTURE, next->offset,
                             "a piece of a solid lies inside another one");
        }
    }
    s->count = kept;
}

// Returns the highest point number that the triangles of a ledge use, plus one.
static uint32_t count_points(const surface *s, const claim *ledge) {
    uint32_t count = 0;
    size_t at = ledge->offset + s->ivp->ledge->size + s->ivp->first_edge;
    for (uint32_t i = 0; i < ledge->count; i++, at += s->ivp->triangle->size) {
        for (uint32_t edge = 0; edge < 3; edge++) {
            uint32_t word = bspi_parse_u32(s->parse, at + (size_t)edge * s->ivp->edge_stride);
            uint32_t point = s->ivp->wide           ? word
                             : s->parse->big_endian ? word >> 16
                                                    : word & 0xffff;
            count = point < UINT32_MAX && point >= count ? point + 1 : count;
        }
    }
    return count;
}

static void claim_points(surface *s) {
    size_t pieces = s->count;
    for (size_t i = 0; i < pieces; i++) {
        claim ledge = s->claims[i];
        uint32_t count = ledge.kind == CLAIM_LEDGE ? count_points(s, &ledge) : 0;
        if (count == 0) {
            continue;
        }
        int64_t at = (int64_t)ledge.offset + offset_at(s, ledge.offset);
        if (!add_claim(s, at, (uint64_t)count * s->ivp->point->size, count, CLAIM_POINTS)) {
            bspi_parse_issue(s->parse, BSPI_ISSUE_LUMP_STRUCTURE, ledge.offset,
                             "%u points of a ledge are not in its solid", count);
        }
    }
}

// --- parts of a solid ---------------------------------------------------------------------------

static void emit_ledges(const surface *s) {
    uint32_t list = bspi_parse_open(s->parse, BSP_PART_LIST, "ledges");
    for (size_t i = 0; i < s->count && !s->parse->failed; i++) {
        const claim *c = &s->claims[i];
        if (c->kind != CLAIM_LEDGE) {
            continue;
        }
        uint32_t group = bspi_parse_open(s->parse, BSP_PART_GROUP, "ledge");
        bspi_parse_record(s->parse, "ledge", s->ivp->ledge, c->offset);
        bspi_parse_table(s->parse, "triangles", BSP_ID_NONE, s->ivp->triangle,
                         c->offset + s->ivp->ledge->size, c->count);
        bspi_parse_close(s->parse, group);
    }
    bspi_parse_close(s->parse, list);
}

// Adds claims of a kind; adjacent ones are one table. Compilers write all points, then all nodes,
// so these are usually lists of one.
static void emit_tables(const surface *s, claim_kind kind, const char *name,
                        const bsp_layout *layout) {
    uint32_t list = bspi_parse_open(s->parse, BSP_PART_LIST, name);
    for (size_t i = 0; i < s->count && !s->parse->failed;) {
        size_t start = s->claims[i].offset;
        size_t end = start;
        if (s->claims[i].kind != kind) {
            i++;
            continue;
        }
        for (; i < s->count && s->claims[i].kind == kind && s->claims[i].offset == end; i++) {
            end += s->claims[i].size;
        }
        bspi_parse_table(s->parse, name, BSP_ID_NONE, layout, start,
                         (uint32_t)((end - start) / layout->size));
    }
    bspi_parse_close(s->parse, list);
}

static void collect_points(surface *s) {
    settle(s);
    claim_points(s);
    settle(s);
}

static void collect(surface *s, size_t most) {
    int64_t root = offset_at(s, s->start + s->ivp->root);
    add_claim(s, (int64_t)s->start, s->ivp->surface->size, 0, CLAIM_SURFACE);
    if (!walk(s, root, most)) {
        bspi_parse_issue(s->parse, BSPI_ISSUE_LUMP_STRUCTURE, s->start,
                         "the tree of a solid leaves it, or goes in circles");
    }
    collect_points(s);
}

// Parses a compact surface from `start` on; the solid ends at `end`.
static void split_surface(bspi_parse *parse, const bspi_ivp *ivp, size_t start, size_t end) {
    if (end - start < ivp->surface->size) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, start, "%zu bytes are no surface",
                         end - start);
        return;
    }
    size_t most = (end - start) / ivp->node->size;
    surface s = {.parse = parse, .ivp = ivp, .start = start, .end = end};
    s.room = 1 + 3 * (most + 1); // per node: the node, its ledge and the ledge's points
    size_t stack_size = 2 * (most + 1) * sizeof *s.stack;
    s.claims = bspi_heap_alloc(parse->heap, s.room * sizeof *s.claims, parse->error);
    s.stack = s.claims == NULL ? NULL : bspi_heap_alloc(parse->heap, stack_size, parse->error);
    if (s.stack == NULL) {
        parse->failed = true;
    } else {
        collect(&s, most);
        bspi_parse_record(parse, "surface", ivp->surface, start);
        emit_ledges(&s);
        emit_tables(&s, CLAIM_POINTS, "points", ivp->point);
        emit_tables(&s, CLAIM_NODE, "nodes", ivp->node);
    }
    bspi_heap_free(parse->heap, s.stack, stack_size);
    bspi_heap_free(parse->heap, s.claims, s.room * sizeof *s.claims);
}

// --- MOPP ---------------------------------------------------------------------------------------

// The run of ledges from `at` on ends where the points of the first of them begin.
static bool walk_row(surface *s, int64_t at) {
    int64_t points = (int64_t)s->end;
    while (at < points && add_ledge(s, at)) {
        int64_t first = at + offset_at(s, (size_t)at);
        points = first < points ? first : points;
        at += (int64_t)s->claims[s->count - 1].size;
    }
    return at == points;
}

static void collect_row(surface *s, int64_t ledges) {
    add_claim(s, (int64_t)s->start, bspi_compact_mopp_t.size, 0, CLAIM_SURFACE);
    if (!walk_row(s, (int64_t)s->start + ledges)) {
        bspi_parse_issue(s->parse, BSPI_ISSUE_LUMP_STRUCTURE, s->start,
                         "the ledges of a MOPP solid do not end where their points begin");
    }
    collect_points(s);
}

static void split_code(bspi_parse *parse, size_t at, size_t end) {
    uint32_t size = bspi_parse_u32(parse, at);
    if (size < bspi_mopp_code_t.size || size > end - at) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at,
                         "%u bytes of MOPP code, but there are %zu", size, end - at);
        return;
    }
    bspi_parse_record(parse, "code", &bspi_mopp_code_t, at);
    bspi_parse_table(parse, "bytes", BSP_ID_NONE, &bspi_bare_u8_t, at + bspi_mopp_code_t.size,
                     size - bspi_mopp_code_t.size);
}

// Ledges and points lie between the head and the code, which ends the solid.
static void split_mopp(bspi_parse *parse, size_t start, size_t end) {
    const bspi_ivp *ivp = bspi_ivp_layouts(false);
    size_t size = end - start;
    size_t heads = bspi_compact_mopp_t.size + bspi_mopp_code_t.size;
    uint32_t code = size < heads ? 0 : bspi_parse_u32(parse, start + ivp->root);
    uint32_t ledges = size < heads ? 0 : bspi_parse_u32(parse, start + ivp->row);
    if (ledges < bspi_compact_mopp_t.size || ledges > code || code > size - bspi_mopp_code_t.size) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, start,
                         "a MOPP solid of %zu bytes has ledges at %u and code at %u", size, ledges,
                         code);
        bspi_parse_bytes(parse, "mopp", start, size);
        return;
    }
    surface s = {.parse = parse, .ivp = ivp, .start = start, .end = start + code};
    s.room = 1 + 2 * (code / ivp->ledge->size + 1); // per ledge: the ledge and its points
    s.claims = bspi_heap_alloc(parse->heap, s.room * sizeof *s.claims, parse->error);
    if (s.claims == NULL) {
        parse->failed = true;
        return;
    }
    collect_row(&s, ledges);
    bspi_parse_record(parse, "surface", &bspi_compact_mopp_t, start);
    emit_ledges(&s);
    emit_tables(&s, CLAIM_POINTS, "points", ivp->point);
    split_code(parse, start + code, end);
    bspi_heap_free(parse->heap, s.claims, s.room * sizeof *s.claims);
}

// --- heads --------------------------------------------------------------------------------------

// Solids of old compilers have no heads: a surface, or MOPP code, which has its mark in the same
// place.
static void split_legacy(bspi_parse *parse, size_t at, size_t end) {
    const bspi_ivp *ivp = bspi_ivp_layouts(false);
    uint32_t mark = end - at < ivp->surface->size ? MOPP : bspi_parse_u32(parse, at + ivp->mark);
    if (mark == BSPI_PHYSICS_IVPS || mark == 0) {
        split_surface(parse, ivp, at, end);
    } else if (mark == MOPP) {
        split_mopp(parse, at, end);
    } else {
        bspi_parse_bytes(parse, "data", at, end - at);
    }
}

static bool is_strata(const bspi_parse *parse) {
    return parse->file != NULL &&
           bsp_branch_traits(bsp_file_get_info(parse->file)->detection.branch)->wide_solids;
}

static void split_solid(bspi_parse *parse, size_t at, size_t end) {
    if (end - at < bspi_collideheader_t.size || bspi_parse_u32(parse, at) != BSPI_PHYSICS_VPHY) {
        split_legacy(parse, at, end);
        return;
    }
    uint32_t version = bspi_parse_u16(parse, at + 4);
    uint32_t type = bspi_parse_u16(parse, at + 6);
    bspi_parse_record(parse, "VPHY", &bspi_collideheader_t, at);
    if (type == MODEL_IVP && end - at >= SURFACE_HEADS) {
        bool wide = version == VERSION_WIDE && (!parse->big_endian || is_strata(parse));
        bspi_parse_record(parse, "header", &bspi_compactsurfaceheader_t,
                          at + bspi_collideheader_t.size);
        split_surface(parse, bspi_ivp_layouts(wide), at + SURFACE_HEADS, end);
    } else if (type == MODEL_MOPP && end - at >= MOPP_HEADS) {
        bspi_parse_record(parse, "header", &bspi_moppsurfaceheader_t,
                          at + bspi_collideheader_t.size);
        split_mopp(parse, at + MOPP_HEADS, end);
    } else {
        bspi_parse_bytes(parse, "data", at + bspi_collideheader_t.size,
                         end - at - bspi_collideheader_t.size);
    }
}

size_t bspi_parse_solids(bspi_parse *parse, size_t at, size_t end, uint32_t count) {
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "solids");
    for (uint32_t i = 0; i < count && !parse->failed; i++) {
        uint32_t size = end - at < 4 ? UINT32_MAX : bspi_parse_u32(parse, at);
        if (end - at < 4 || size > end - at - 4) {
            bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at,
                             "solid %u of %u ends after its model", i, count);
            break;
        }
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "solid");
        bspi_parse_record(parse, "size", &bspi_phys_size_t, at);
        split_solid(parse, at + 4, at + 4 + size);
        bspi_parse_close(parse, group);
        at += 4 + (size_t)size;
    }
    bspi_parse_close(parse, list);
    return at;
}

void bspi_parse_solid_keys(bspi_parse *parse, size_t at, size_t size) {
    while (size != 0 && parse->data.data[at + size - 1] == '\0') {
        size--;
    }
    bspi_parse_text(parse, "keydata", at, size);
}
