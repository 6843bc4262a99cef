// SPDX-License-Identifier: MIT
// Threads print blocks of items into buffers, which the caller's thread writes in order.
#include "mapdoc/print_threads.h"

#include "core/buffer.h"
#include "core/workers.h"

#define ITEMS_A_BLOCK 64u  // of some 600 bytes each: a tenth of a millisecond
#define BLOCKS_A_THREAD 2u // that may be printed but not written
#define MOST_BLOCKS 16u    // of all threads
#define BLOCKS_A_START 4u  // for which a thread is started: that costs as much as one of them
#define LEAST_BLOCKS 6u    // of fewer, starting threads costs more than it brings

// The text of a block, and what was lost in it.
typedef struct block {
    bspi_buffer text; // failed: there was no memory for it
    bsp_mapdoc_losses losses;
    bool failed; // an item did
} block;

typedef struct prints {
    bspi_printer *printer;
    bspi_print_item *print;
    uint32_t first; // of the run
    uint32_t count; // items
    block slots[MOST_BLOCKS];
} prints;

static bool print_block(const prints *all, bspi_printer *p, uint32_t number) {
    uint32_t at = number * ITEMS_A_BLOCK;
    uint32_t end = all->count - at < ITEMS_A_BLOCK ? all->count : at + ITEMS_A_BLOCK;
    bool good = true;
    for (; good && at < end; at++) {
        good = all->print(p, all->first, at);
    }
    return good;
}

static bool keep_text(void *user, const char *data, size_t size) {
    bspi_buffer *text = user;
    bspi_buffer_add(text, data, size);
    return !text->failed;
}

static void make_block(void *user, uint32_t slot, uint32_t number) {
    prints *all = user;
    block *b = &all->slots[slot];
    bsp_error unheard; // the item that fails is printed again
    bspi_printer own = {.source = all->printer->source,
                        .dialect = all->printer->dialect,
                        .options = all->printer->options,
                        .error = &unheard};
    b->text.size = 0;
    b->text.failed = false;
    bspi_out_begin(&own.out, keep_text, &b->text);
    bool good = print_block(all, &own, number);
    b->failed = !bspi_out_flush(&own.out) || !good;
    b->losses = own.losses;
}

static void add_losses(bsp_mapdoc_losses *to, const bsp_mapdoc_losses *from) {
    to->mappings += from->mappings;
    to->patches += from->patches;
    to->displacements += from->displacements;
    to->sizes += from->sizes;
    to->flags += from->flags;
    to->texts += from->texts;
}

// Writes a block. One without memory, or that failed, is printed again, to where it belongs.
static bool write_block(void *user, uint32_t slot, uint32_t number) {
    prints *all = user;
    bspi_printer *p = all->printer;
    const block *b = &all->slots[slot];
    if (b->failed) {
        return print_block(all, p, number) && !p->out.failed;
    }
    bspi_out_bytes(&p->out, b->text.data, b->text.size);
    add_losses(&p->losses, &b->losses);
    return !p->out.failed;
}

static bool print_by_threads(prints *all, uint32_t threads) {
    bspi_heap *heap = &all->printer->heap;
    uint32_t blocks = (all->count - 1) / ITEMS_A_BLOCK + 1;
    uint32_t slots =
        threads < MOST_BLOCKS / BLOCKS_A_THREAD ? threads * BLOCKS_A_THREAD : MOST_BLOCKS;
    for (uint32_t i = 0; i < slots; i++) {
        all->slots[i].text.heap = heap;
    }
    bool good = bspi_workers_pipe(threads, blocks, slots, make_block, write_block, all);
    for (uint32_t i = 0; i < slots; i++) {
        bspi_buffer_free(&all->slots[i].text);
    }
    return good;
}

bool bspi_print_items(bspi_printer *p, uint32_t first, uint32_t count, bspi_print_item *print) {
    uint32_t most = bspi_heap_threads(&p->heap);
    uint32_t wanted = 1 + count / (BLOCKS_A_START * ITEMS_A_BLOCK);
    uint32_t threads = wanted < most ? wanted : most;
    if (threads > 1 && count >= LEAST_BLOCKS * ITEMS_A_BLOCK) {
        prints all = {.printer = p, .print = print, .first = first, .count = count};
        return print_by_threads(&all, threads);
    }
    bool good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        good = print(p, first, i);
    }
    return good;
}
