// SPDX-License-Identifier: MIT
// Pieces that also follow each other in memory are joined: a file that hardly changes has a few of
// them.
#include "edit/rewrite/pieces.h"

#include "core/reader.h"

#include <string.h>

#define TOUCH_STEP ((size_t)1 << 16) // Linux maps that many cached bytes at one access

void bspi_pieces_free(bspi_pieces *p) {
    bspi_heap_free(p->heap, p->list, p->room * sizeof *p->list);
    p->list = NULL;
    p->count = p->room = 0;
}

// Makes room for `more` pieces.
static bool make_room(bspi_pieces *p, size_t more) {
    while (!p->failed && p->room - p->count < more) {
        bspi_piece *list =
            bspi_grow(p->heap, p->list, p->room, &p->room, sizeof *p->list, p->error);
        p->failed = list == NULL;
        p->list = list == NULL ? p->list : list;
    }
    return !p->failed;
}

void bspi_pieces_add_piece(bspi_pieces *p, const bspi_piece *piece) {
    if (piece->size == 0 || !make_room(p, 1)) {
        return;
    }
    bspi_piece *last = p->count == 0 ? NULL : &p->list[p->count - 1];
    bool follows = last != NULL && last->data != NULL && piece->data != NULL && !last->own &&
                   !piece->own && last->data + last->size == piece->data;
    if (follows) {
        last->size += piece->size;
    } else {
        p->list[p->count++] = *piece;
    }
    p->size += piece->size;
}

void bspi_pieces_add(bspi_pieces *p, bsp_bytes bytes) {
    bspi_pieces_add_piece(p, &(bspi_piece){.data = bytes.data, .size = bytes.size});
}

void bspi_pieces_slice(bspi_pieces *p, bsp_bytes source, uint64_t at, uint64_t size) {
    bsp_bytes bytes = bspi_slice(source, at, size);
    if (bytes.size == size) {
        bspi_pieces_add(p, bytes);
    } else if (!p->failed) {
        p->failed = true;
        (void)bsp_fail(p->error, BSP_E_DAMAGED, NULL,
                       "%llu bytes at %llu are not there: there are %zu", (unsigned long long)size,
                       (unsigned long long)at, source.size);
    }
}

bool bspi_pieces_add_copy(bspi_pieces *p, bsp_bytes bytes) {
    uint8_t *copy = bspi_arena_raw(p->arena, bytes.size, 1, p->error);
    p->failed = p->failed || copy == NULL;
    if (!p->failed && bytes.size != 0) {
        memcpy(copy, bytes.data, bytes.size);
        bspi_pieces_add_piece(p, &(bspi_piece){.data = copy, .size = bytes.size, .own = true});
    }
    return !p->failed;
}

void bspi_pieces_zeros(bspi_pieces *p, uint64_t size) {
    bspi_pieces_add_piece(p, &(bspi_piece){.size = size});
}

// --- changing -----------------------------------------------------------------------------------

// Replaces `size` bytes from `at` on, in pieces `first` to `last`, which begin at `start`, by one
// piece that the list owns.
static uint8_t *put_own(bspi_pieces *p, size_t first, size_t last, uint64_t start, uint64_t at,
                        size_t size) {
    uint8_t *copy = bspi_arena_raw(p->arena, size, 1, p->error);
    if (copy == NULL || !make_room(p, 2)) {
        p->failed = true;
        return NULL;
    }
    bspi_piece before = p->list[first];
    bspi_piece rest = p->list[last];
    uint64_t end = start;
    for (size_t i = first; i <= last; i++) {
        const bspi_piece *piece = &p->list[i];
        uint64_t from = end < at ? at : end;
        uint64_t to = end + piece->size < at + size ? end + piece->size : at + size;
        if (piece->data != NULL) {
            memcpy(copy + (from - at), piece->data + (from - end), (size_t)(to - from));
        } else {
            memset(copy + (from - at), 0, (size_t)(to - from));
        }
        end += piece->size;
    }
    bspi_piece list[3];
    size_t count = 0;
    before.size = at - start;
    if (before.size != 0) {
        list[count++] = before;
    }
    list[count++] = (bspi_piece){.data = copy, .size = size, .own = true};
    if (end != at + size) {
        if (rest.data != NULL) {
            rest.data += rest.size - (end - (at + size));
        }
        rest.size = end - (at + size);
        list[count++] = rest;
    }
    memmove(p->list + first + count, p->list + last + 1, (p->count - last - 1) * sizeof *list);
    memcpy(p->list + first, list, count * sizeof *list);
    p->count += count - (last + 1 - first);
    return copy;
}

static uint8_t *not_there(bspi_pieces *p, uint64_t at) {
    if (!p->failed) {
        p->failed = true;
        (void)bsp_fail(p->error, BSP_E_DAMAGED, NULL,
                       "the bytes at %llu of the new file cannot be changed",
                       (unsigned long long)at);
    }
    return NULL;
}

uint8_t *bspi_pieces_open(bspi_pieces *p, uint64_t at, size_t size) {
    size_t first = 0;
    uint64_t start = 0;
    if (p->failed || at > p->size || size > p->size - at) {
        return not_there(p, at);
    }
    if (size == 0) {
        return NULL;
    }
    while (start + p->list[first].size <= at) {
        start += p->list[first++].size;
    }
    const bspi_piece *piece = &p->list[first];
    if (piece->own && at + size <= start + piece->size) {
        return (uint8_t *)(uintptr_t)piece->data +
               (at - start); // the bytes are const for readers only
    }
    size_t last = first;
    for (uint64_t end = start + piece->size; end < at + size; end += p->list[last].size) {
        last++;
    }
    for (size_t i = first; i <= last; i++) {
        if (p->list[i].maker != NULL && p->list[i].data == NULL) {
            return not_there(p, at);
        }
    }
    return put_own(p, first, last, start, at, size);
}

// --- writing ------------------------------------------------------------------------------------

// Reads one byte per step, so that pages are loaded before a system call reads them: Linux first
// fills with zeros what it could not copy, and so writes pages twice.
static void touch(bsp_bytes bytes) {
    volatile uint8_t seen = 0;
    for (size_t i = 0; i < bytes.size; i += TOUCH_STEP) {
        seen = bytes.data[i];
    }
    (void)seen;
}

bool bspi_send(bspi_sender *sender, bsp_bytes bytes) {
    for (bsp_bytes step; (step = bspi_window_step(&bytes)).size != 0 && !sender->out.failed;) {
        if (sender->touch) {
            touch(step);
        }
        bspi_out_bytes(&sender->out, step.data, step.size);
        bspi_window_pass(&sender->window, step);
    }
    return !sender->out.failed;
}

static bool send_zeros(bspi_sender *sender, uint64_t size) {
    static const uint8_t zeros[4096];
    for (uint64_t step; size != 0 && !sender->out.failed; size -= step) {
        step = size < sizeof zeros ? size : sizeof zeros;
        bspi_out_bytes(&sender->out, zeros, (size_t)step);
    }
    return !sender->out.failed;
}

static uint64_t sent(const bspi_sender *sender) {
    return sender->out.written + sender->out.used;
}

static bool send_piece(const bspi_piece *piece, bspi_sender *sender) {
    if (piece->data != NULL) {
        return bspi_send(sender, (bsp_bytes){piece->data, (size_t)piece->size});
    }
    if (piece->maker == NULL) {
        return send_zeros(sender, piece->size);
    }
    uint64_t end = sent(sender) + piece->size;
    return piece->maker->make(piece->maker->user, piece->number, sender) &&
           (sender->out.failed || sent(sender) == end ||
            bsp_fail(sender->error, BSP_E_IO, NULL, "something has another size than before"));
}

bool bspi_pieces_write(const bspi_pieces *p, const bsp_file *file, bool touches, bsp_sink sink,
                       void *user, bsp_error *error) {
    bspi_sender sender = {.window = {.file = file}, .touch = touches, .error = error};
    bspi_out_begin(&sender.out, sink, user);
    bool done = true;
    for (size_t i = 0; done && i < p->count; i++) {
        done = send_piece(&p->list[i], &sender);
    }
    done = bspi_out_flush(&sender.out) && done;
    if (sender.out.failed) {
        (void)bsp_fail(error, BSP_E_IO, NULL, "the output could not be written");
    }
    return done;
}
