// SPDX-License-Identifier: MIT
// The texture lump of Quake and GoldSrc with pixels put in or taken out: the pieces between the
// offsets of its directory are copied or replaced, and the offsets adjusted. Format: sheet
// goldsrc-quake1, section 4.
#include "bspkit/edit.h"

#include "core/buffer.h"
#include "core/reader.h"
#include "edit/heap.h"
#include "formats/composites.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 4u

typedef struct piece {
    uint32_t start; // in the old lump
    uint32_t moved; // in the new one
    const bsp_texture_change *change;
} piece;

typedef struct textures {
    bsp_bytes old;
    const bsp_layout
        *head; // layout of a texture's head in the map; its last field has the offsets of the mips
    uint32_t count; // of the directory
    piece *pieces;  // sorted by their start
    uint32_t num_pieces;
    bspi_buffer *out;
    bsp_error *error;
} textures;

static uint32_t offset_of(const textures *t, uint32_t texture) {
    return bspi_load32(t->old.data + 4 + 4 * (size_t)texture, false);
}

static int compare(const void *a, const void *b) {
    const piece *x = a;
    const piece *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

// Finds the starts of all textures whose head lies in the lump and does not overlap another.
static void find_pieces(textures *t) {
    uint32_t found = 0;
    uint32_t kept = 0;
    uint64_t free_from = 4 + 4 * (uint64_t)t->count;
    for (uint32_t i = 0; i < t->count; i++) {
        if (bspi_slice(t->old, offset_of(t, i), t->head->size).size != 0) {
            t->pieces[found++].start = offset_of(t, i);
        }
    }
    qsort(t->pieces, found, sizeof *t->pieces, compare);
    for (uint32_t i = 0; i < found; i++) {
        if (t->pieces[i].start >= free_from) {
            t->pieces[kept] = t->pieces[i];
            free_from = (uint64_t)t->pieces[kept++].start + t->head->size;
        }
    }
    t->num_pieces = kept;
}

static piece *find_piece(const textures *t, uint32_t start) {
    const piece wanted = {.start = start};
    return bsearch(&wanted, t->pieces, t->num_pieces, sizeof *t->pieces, compare);
}

// Returns a number of a texture's head.
static uint32_t number(const bsp_layout *layout, const uint8_t *head, uint32_t field, uint32_t n) {
    bsp_table table = {layout, head, 1, false};
    return (uint32_t)bsp_table_int(&table, 0, field, n);
}

// Returns true if the bytes of all mips lie in the data, which has the form of a WAD's texture.
static bool is_whole(bsp_bytes data) {
    uint64_t width = number(&bspi_miptex_t, data.data, BSPI_MIPTEX_WIDTH, 0);
    uint64_t height = number(&bspi_miptex_t, data.data, BSPI_MIPTEX_HEIGHT, 0);
    for (uint32_t mip = 0; mip < BSPI_MIPTEX_MIPS; mip++) {
        uint32_t at = number(&bspi_miptex_t, data.data, BSPI_MIPTEX_OFFSETS, mip);
        uint64_t size = (width >> mip) * (height >> mip);
        if (width > UINT16_MAX || height > UINT16_MAX || size == 0 || at < bspi_miptex_t.size ||
            bspi_slice(data, at, size).size == 0) {
            return false;
        }
    }
    return true;
}

static bool refuse(const textures *t, const piece *p, const char *what) {
    const bsp_table head = {t->head, t->old.data + p->start, 1, false};
    bsp_text name = bsp_table_text(&head, 0, BSPI_MIPTEX_NAME);
    bsp_place place = bsp_place_at("textures", p->change->texture, NULL, UINT64_MAX);
    return bsp_fail(t->error, BSP_E_ARGUMENT, &place, "texture %.*s: %s", (int)name.size,
                    name.size == 0 ? "" : name.data, what);
}

// Refuses data whose width and height are not those of the map's own texture.
static bool fits(const textures *t, const piece *p, const uint8_t *head) {
    const uint8_t *old = t->old.data + p->start;
    uint32_t is[2];
    uint32_t was[2];
    for (uint32_t i = 0; i < 2; i++) {
        is[i] = number(&bspi_miptex_t, head, BSPI_MIPTEX_WIDTH + i, 0);
        was[i] = number(t->head, old, BSPI_MIPTEX_WIDTH + i, 0);
    }
    if (is[0] == was[0] && is[1] == was[1]) {
        return true;
    }
    char what[96];
    snprintf(what, sizeof what, "it is %ux%u, but %ux%u in the map", (unsigned)is[0],
             (unsigned)is[1], (unsigned)was[0], (unsigned)was[1]);
    return refuse(t, p, what);
}

static bool note(textures *t, const bsp_texture_change *change) {
    piece *p = change->texture < t->count ? find_piece(t, offset_of(t, change->texture)) : NULL;
    if (p == NULL) {
        return bsp_fail(t->error, BSP_E_ARGUMENT, NULL, "there is no texture %u", change->texture);
    }
    p->change = change;
    bsp_bytes data = change->data;
    if (data.size == 0) {
        return true;
    }
    bool whole = data.size >= bspi_miptex_t.size && data.size <= INT32_MAX;
    if (whole && !fits(t, p, data.data)) {
        return false;
    }
    return (whole && is_whole(data)) || refuse(t, p, "its data is cut off");
}

// Writes a piece; its name stays as in the map.
static void put_piece(textures *t, piece *p, uint32_t end) {
    const uint8_t *old = t->old.data + p->start;
    const bsp_texture_change *change = p->change;
    if (change == NULL) {
        p->moved = (uint32_t)t->out->size;
        bspi_buffer_add(t->out, old, end - p->start);
        return;
    }
    bspi_buffer_align(t->out, ALIGNMENT);
    p->moved = (uint32_t)t->out->size;
    // Copies name, size and other fields of the map's head before the offsets.
    bspi_buffer_add(t->out, old, bsp_layout_offset(t->head, t->head->num_fields - 1));
    if (change->data.size == 0) {
        (void)bspi_buffer_grow(t->out, 4 * (size_t)BSPI_MIPTEX_MIPS);
    } else {
        size_t head = bspi_miptex_t.size;
        for (uint32_t mip = 0; mip < BSPI_MIPTEX_MIPS; mip++) {
            uint32_t at = number(&bspi_miptex_t, change->data.data, BSPI_MIPTEX_OFFSETS, mip);
            bspi_buffer_u32(t->out, at + t->head->size - (uint32_t)head, false);
        }
        bspi_buffer_add(t->out, change->data.data + head, change->data.size - head);
    }
    bspi_buffer_align(t->out, ALIGNMENT);
}

static bool write(textures *t) {
    uint32_t size = (uint32_t)t->old.size;
    bspi_buffer_add(t->out, t->old.data, t->num_pieces == 0 ? size : t->pieces[0].start);
    for (uint32_t i = 0; i < t->num_pieces; i++) {
        put_piece(t, &t->pieces[i], i + 1 < t->num_pieces ? t->pieces[i + 1].start : size);
        if (t->out->failed || t->out->size > INT32_MAX) {
            return t->out->failed
                       ? false
                       : bsp_fail(t->error, BSP_E_RANGE, NULL, "the textures would pass 2 GiB");
        }
    }
    for (uint32_t i = 0; i < t->count && !t->out->failed; i++) {
        const piece *p = find_piece(t, offset_of(t, i));
        if (p != NULL) {
            bspi_store32(t->out->data + 4 + 4 * (size_t)i, p->moved, false);
        }
    }
    return !t->out->failed;
}

static bool run(textures *t, const bsp_texture_change *changes, uint32_t count) {
    if (!bspi_heap_work(t->out->heap, (uint64_t)t->count + count, t->error)) {
        return false;
    }
    find_pieces(t);
    for (uint32_t i = 0; i < count; i++) {
        if (!note(t, &changes[i])) {
            return false;
        }
    }
    return write(t);
}

static bool find_lump(const bsp_file *file, textures *t) {
    uint32_t n = bsp_file_find_id(file, BSP_ID_TEXTURES);
    if (n == BSP_NONE || bsp_file_lump(file, n)->kind != BSP_KIND_TEXTURES) {
        return bsp_fail(t->error, BSP_E_ARGUMENT, NULL,
                        "maps of branch %s have no textures in them",
                        bsp_file_get_info(file)->detection.branch->name);
    }
    if (!bsp_file_data(file, n, &t->old, t->error)) {
        return false;
    }
    t->head = bsp_file_lump(file, n)->def->variants[0].layout;
    size_t room = t->old.size < 4 ? 0 : (t->old.size - 4) / 4;
    t->count = room == 0 ? 0 : bspi_load32(t->old.data, false);
    t->count = t->count < room ? t->count : (uint32_t)room;
    return true;
}

bool bsp_textures_change(const bsp_file *file, const bsp_texture_change *changes, uint32_t count,
                         const bsp_allocator *allocator, bsp_blob *out, bsp_error *error) {
    assert(file != NULL && out != NULL);
    assert(changes != NULL || count == 0);
    bspi_heap heap;
    bspi_edit_heap(&heap, file, allocator);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    textures t = {.out = &buffer, .error = error};
    memset(out, 0, sizeof *out);
    if (!find_lump(file, &t)) {
        return false;
    }
    size_t room = ((size_t)t.count + 1) * sizeof *t.pieces;
    t.pieces = bspi_heap_alloc(&heap, room, error);
    if (t.pieces == NULL) {
        return false;
    }
    memset(t.pieces, 0, room);
    for (uint32_t i = 0; i < count; i++) {
        bspi_heap_extend(&heap, changes[i].data.size);
    }
    bool done = run(&t, changes, count);
    bspi_heap_free(&heap, t.pieces, room);
    if (!done || buffer.size == 0) {
        bspi_buffer_free(&buffer);
        return done;
    }
    return bspi_buffer_give(&buffer, out);
}
