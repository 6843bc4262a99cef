// SPDX-License-Identifier: MIT
// Items are printed in rounds: threads print blocks of them into buffers, which the caller's thread
// then joins, so that no more than a round is in memory.
#include "mapdoc/print_threads.h"

#include "core/buffer.h"
#include "core/workers.h"

#define ITEMS_A_BLOCK 64u  // of some 600 bytes each: a tenth of a millisecond
#define BLOCKS_A_THREAD 4u // in a round, so that threads end at about the same time
#define MOST_BLOCKS 32u    // in a round
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
    uint32_t next;  // item of the run with which the round begins
    uint32_t count;
    block blocks[MOST_BLOCKS];
} prints;

static bool print_block(const prints *all, bspi_printer *p, uint32_t number) {
    uint32_t at = all->next + number * ITEMS_A_BLOCK;
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

// A block without memory is no failure: it is printed again, by the caller's thread.
static bool make_block(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    prints *all = user;
    block *b = &all->blocks[item];
    bspi_printer own = {.source = all->printer->source,
                        .dialect = all->printer->dialect,
                        .options = all->printer->options,
                        .error = error};
    (void)worker;
    b->text.size = 0;
    b->text.failed = false;
    bspi_out_begin(&own.out, keep_text, &b->text);
    bool good = print_block(all, &own, item);
    b->failed = !bspi_out_flush(&own.out) || !good;
    b->losses = own.losses;
    return !b->failed || b->text.failed;
}

static void add_losses(bsp_mapdoc_losses *to, const bsp_mapdoc_losses *from) {
    to->mappings += from->mappings;
    to->patches += from->patches;
    to->displacements += from->displacements;
    to->sizes += from->sizes;
    to->flags += from->flags;
    to->texts += from->texts;
}

// Prints a round of blocks. Returns false on failure.
static bool print_round(prints *all, uint32_t threads, uint32_t blocks) {
    bspi_printer *p = all->printer;
    (void)bspi_workers_each(threads, blocks, make_block, all, p->error);
    bool good = true;
    for (uint32_t i = 0; good && i < blocks; i++) {
        block *b = &all->blocks[i];
        if (b->text.failed) {
            good = print_block(all, p, i);
        } else {
            bspi_out_bytes(&p->out, b->text.data, b->text.size);
            add_losses(&p->losses, &b->losses);
            good = !b->failed; // blocks after one that failed may not have been begun
        }
    }
    return good && !p->out.failed;
}

bool bspi_print_items(bspi_printer *p, uint32_t first, uint32_t count, bspi_print_item *print) {
    uint32_t threads = count < LEAST_BLOCKS * ITEMS_A_BLOCK ? 1 : bspi_heap_threads(&p->heap);
    prints all = {.printer = p, .print = print, .first = first, .count = count};
    bool good = true;
    if (threads < 2) {
        for (; good && all.next < count; all.next++) {
            good = print(p, first, all.next);
        }
        return good;
    }
    uint32_t most =
        threads < MOST_BLOCKS / BLOCKS_A_THREAD ? threads * BLOCKS_A_THREAD : MOST_BLOCKS;
    for (uint32_t i = 0; i < most; i++) {
        all.blocks[i].text.heap = &p->heap;
    }
    while (good && all.next < count) {
        uint32_t left = (count - all.next - 1) / ITEMS_A_BLOCK + 1;
        uint32_t now = left < most ? left : most;
        good = print_round(&all, threads, now);
        all.next = left <= now ? count : all.next + now * ITEMS_A_BLOCK;
    }
    for (uint32_t i = 0; i < most; i++) {
        bspi_buffer_free(&all.blocks[i].text);
    }
    return good;
}
