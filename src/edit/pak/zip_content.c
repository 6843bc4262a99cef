// SPDX-License-Identifier: MIT
// One file at a time is open or unpacked, so the memory does not grow with the number of changes.
#include "edit/pak/zip_content.h"

#include <string.h>

// The bytes of a change.
typedef struct source {
    bsp_bytes bytes;
    bspi_mapping mapping; // empty when they are in memory
    bspi_heap heap;       // counts what is read from a pipe
    bool again;           // opening it again gives the same bytes
} source;

static bool open_source(const bspi_zip_content *c, uint32_t n, source *s, bsp_error *error) {
    const bsp_pak_change *change = &c->changes[n];
    memset(s, 0, sizeof *s);
    s->bytes = change->data;
    s->again = true;
    if (change->path == NULL) {
        return true;
    }
    bsp_error cause;
    bspi_heap_init_for(&s->heap, BSP_PRODUCT_STREAM, 0, c->heap->budget, &c->heap->allocator);
    if (!bspi_open_file(change->path, true, &s->heap, &s->mapping, &cause)) {
        return bsp_fail(error, cause.code, &cause.place, "%s", cause.message);
    }
    s->bytes = s->mapping.bytes;
    s->again = s->mapping.mapped || s->bytes.size == 0;
    return true;
}

static void close_source(source *s) {
    if (s->mapping.bytes.data != NULL) {
        bspi_unmap_file(&s->mapping);
    }
}

// Returns the checksum of all bytes, which are also sent when `to` is not NULL.
static uint32_t read_source(const source *s, bspi_sender *to) {
    uint32_t crc = 0;
    bsp_bytes rest = s->bytes;
    for (bsp_bytes step; (step = bspi_window_step(&rest)).size != 0;) {
        crc = bsp_crc32(crc, step);
        if (to != NULL && !bspi_send(to, step)) {
            break;
        }
        bspi_release_pages(&s->mapping, step);
    }
    return crc;
}

// --- packing ------------------------------------------------------------------------------------

static bool keep_bytes(const void *data, size_t size, bspi_arena *arena, bspi_piece *out,
                       bsp_error *error) {
    uint8_t *copy = bspi_arena_raw(arena, size, 1, error);
    if (copy != NULL && size != 0) {
        memcpy(copy, data, size);
    }
    *out = (bspi_piece){.data = copy, .size = size};
    return copy != NULL;
}

static bool pack(bspi_zip_content *c, const source *s, bspi_zip_facts *facts, bspi_arena *arena,
                 bspi_piece *out, bsp_error *error) {
    bspi_buffer packed = {.heap = c->heap, .error = error};
    bool done = bspi_zip_pack(facts->method, s->bytes, &packed);
    facts->packed = (uint32_t)packed.size;
    out->size = packed.size;
    bool kept = !s->again || packed.size <= BSPI_ZIP_KEPT - c->kept;
    if (done && kept) {
        c->kept += s->again ? packed.size : 0;
        done = keep_bytes(packed.data, packed.size, arena, out, error);
    }
    bspi_buffer_free(&packed);
    return done;
}

// Fills the facts of bytes that fit, and sets where their packed bytes come from.
static bool look(bspi_zip_content *c, uint32_t n, const source *s, bspi_arena *arena,
                 bspi_piece *out, bsp_error *error) {
    const bsp_pak_change *change = &c->changes[n];
    bspi_zip_facts *facts = &c->facts[n];
    bspi_heap_extend(c->heap, s->bytes.size);
    bsp_budget_read(c->heap->budget, s->bytes.size);
    if (!bspi_heap_work(c->heap, s->bytes.size, error)) {
        return false;
    }
    *facts = (bspi_zip_facts){.method = change->method, .size = (uint32_t)s->bytes.size};
    *out = (bspi_piece){.size = s->bytes.size, .maker = &c->maker, .number = n};
    facts->crc = read_source(s, NULL);
    facts->packed = facts->size;
    if (change->method != BSP_PAK_STORED) {
        return pack(c, s, facts, arena, out, error);
    }
    if (change->path == NULL) {
        out->data = s->bytes.data;
    }
    return change->path == NULL || s->again ||
           keep_bytes(s->bytes.data, s->bytes.size, arena, out, error);
}

bool bspi_zip_look(bspi_zip_content *c, uint32_t n, bspi_arena *arena, bspi_piece *out,
                   bsp_error *error) {
    const bsp_text name = c->changes[n].name;
    source s;
    if (!open_source(c, n, &s, error)) {
        return false;
    }
    bool fits = name.size != 0 && name.size <= UINT16_MAX && s.bytes.size <= INT32_MAX;
    bool done =
        fits ? look(c, n, &s, arena, out, error)
             : bsp_fail(error, BSP_E_RANGE, NULL, "a file's name or size does not fit a zip");
    close_source(&s);
    return done;
}

// --- writing ------------------------------------------------------------------------------------

static bool send_packed(const bspi_zip_content *c, const source *s, uint16_t method,
                        bspi_sender *to) {
    bspi_buffer packed = {.heap = c->heap, .error = to->error};
    bool done = bspi_zip_pack(method, s->bytes, &packed) &&
                bspi_send(to, (bsp_bytes){packed.data, packed.size});
    bspi_buffer_free(&packed);
    return done;
}

static bool make(const void *user, uint32_t n, bspi_sender *to) {
    const bspi_zip_content *c = user;
    const bspi_zip_facts *facts = &c->facts[n];
    source s;
    if (!open_source(c, n, &s, to->error)) {
        return false;
    }
    bool stored = facts->method == BSP_PAK_STORED;
    bool same = s.bytes.size == facts->size && read_source(&s, stored ? to : NULL) == facts->crc;
    bool done = to->out.failed ? false
                : !same        ? bsp_fail(to->error, BSP_E_IO, NULL, "%s changed while it was read",
                                   c->changes[n].path == NULL ? "a file" : c->changes[n].path)
                : stored       ? true
                               : send_packed(c, &s, facts->method, to);
    close_source(&s);
    return done;
}

void bspi_zip_content_init(bspi_zip_content *c) {
    c->maker = (bspi_maker){make, c};
}
