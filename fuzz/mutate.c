// SPDX-License-Identifier: MIT
// The mutations, chosen for formats with directories. Bytes and bits are flipped, the end is cut
// off, words are replaced by numbers that overflow, words of the head and whole directory entries
// are swapped, pieces of another seed are inserted or copied over.
#include "mutate.h"
#include "random.h"

#include <string.h>

#define HEAD 1100u // longer than the directory of any branch

typedef struct subject {
    uint64_t random;
    uint8_t *data;
    size_t size;
    size_t room;
    bsp_bytes other; // another seed
} subject;

// Returns 0 .. limit - 1; 0 for limit 0.
static size_t below(subject *s, size_t limit) {
    return limit == 0 ? 0 : (size_t)((fuzz_random(&s->random) >> 16) % limit);
}

static void flip_bits(subject *s) {
    for (size_t n = 1 + below(s, 8); n != 0 && s->size != 0; n--) {
        s->data[below(s, s->size)] ^= (uint8_t)(1u << below(s, 8));
    }
}

static void set_bytes(subject *s) {
    size_t at = below(s, s->size);
    for (size_t n = 1 + below(s, 16); n != 0 && at < s->size; n--) {
        s->data[at++] = (uint8_t)fuzz_random(&s->random);
    }
}

static void cut(subject *s) {
    s->size = below(s, 4) == 0 ? below(s, s->size < HEAD ? s->size : HEAD) : below(s, s->size);
}

static void cut_little(subject *s) {
    size_t less = 1 + below(s, 64);
    s->size -= less < s->size ? less : s->size;
}

static void store(subject *s, size_t at, uint32_t word, size_t bytes) {
    bool big = below(s, 8) == 0;
    for (size_t i = 0; i < bytes && at + i < s->size; i++) {
        s->data[at + i] = (uint8_t)(word >> 8 * (big ? bytes - 1 - i : i));
    }
}

static uint32_t bomb(subject *s) {
    static const uint32_t bombs[] = {
        0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x10000u, 0xFFFFu, 0x8000u,
        0xFFFFFFF0u, 0x40000000u, 0x2000000u,  0,        1};
    size_t which = below(s, sizeof bombs / sizeof *bombs + 2);
    return which < sizeof bombs / sizeof *bombs ? bombs[which]
           : which % 2 == 0                     ? (uint32_t)s->size
                                                : (uint32_t)below(s, s->size);
}

// Puts a large number at a multiple of four, where most counts stand. Random numbers are taken one
// after the other: compilers evaluate arguments in any order.
static void bomb_anywhere(subject *s) {
    size_t at = below(s, s->size);
    at = below(s, 4) == 0 ? at : at / 4 * 4;
    uint32_t word = bomb(s);
    store(s, at, word, below(s, 4) == 0 ? 2 : 4);
}

static void bomb_head(subject *s) {
    size_t at = below(s, s->size < HEAD ? s->size : HEAD) / 4 * 4;
    store(s, at, bomb(s), 4);
}

// Increases or decreases a number by a little.
static void nudge(subject *s) {
    size_t at = below(s, s->size < HEAD || below(s, 2) == 0 ? s->size : HEAD) / 4 * 4;
    if (at < s->size) {
        s->data[at] = (uint8_t)(s->data[at] + below(s, 17) - 8);
    }
}

static void swap(subject *s, size_t a, size_t b, size_t size) {
    for (size_t i = 0; i < size && a + i < s->size && b + i < s->size; i++) {
        uint8_t byte = s->data[a + i];
        s->data[a + i] = s->data[b + i];
        s->data[b + i] = byte;
    }
}

static void swap_words(subject *s) {
    size_t limit = s->size < HEAD ? s->size : HEAD;
    size_t at = below(s, limit) / 4 * 4;
    swap(s, at, below(s, limit) / 4 * 4, 4);
}

// Swaps entries of 8 bytes after a head of 4 or 8 bytes, or of 16 after 8 (Source).
static void swap_lumps(subject *s) {
    size_t entry = below(s, 3) == 0 ? 16 : 8;
    size_t first = entry == 8 && below(s, 2) == 0 ? 4 : 8;
    size_t entries = entry == 16 ? 64 : 20;
    size_t at = first + below(s, entries) * entry;
    swap(s, at, first + below(s, entries) * entry, entry);
}

static void copy_within(subject *s) {
    size_t size = below(s, s->size < 256 ? s->size : 256);
    size_t from = below(s, s->size - size);
    size_t to = below(s, s->size - size);
    memmove(s->data + to, s->data + from, size);
}

static void splice(subject *s) {
    size_t size = below(s, s->other.size < 1024 ? s->other.size : 1024);
    size_t from = below(s, s->other.size - size);
    size_t to = below(s, s->size);
    size = size < s->room - to ? size : s->room - to;
    if (below(s, 2) == 0) { // inserted, else copied over
        size = size < s->room - s->size ? size : s->room - s->size;
        memmove(s->data + to + size, s->data + to, s->size - to);
        s->size += size;
    }
    s->size = s->size > to + size ? s->size : to + size;
    if (size != 0) {
        memcpy(s->data + to, s->other.data + from, size);
    }
}

// Puts characters that are special in texts.
static void put_punctuation(subject *s) {
    static const char marks[] = "{}\"\"\\/\n\r\0 \x1b\xff";
    for (size_t n = 1 + below(s, 4); n != 0 && s->size != 0; n--) {
        s->data[below(s, s->size)] = (uint8_t)marks[below(s, sizeof marks)];
    }
}

static void mutate_once(subject *s) {
    static void (*const mutations[])(subject *) = {
        flip_bits, set_bytes,  cut,        cut_little,  bomb_anywhere, bomb_anywhere,  bomb_head,
        nudge,     swap_words, swap_lumps, copy_within, splice,        put_punctuation};
    mutations[below(s, sizeof mutations / sizeof *mutations)](s);
}

size_t fuzz_mutate(const fuzz_source *source, uint64_t number, uint8_t *out, size_t room) {
    subject s = {.random = source->seed * UINT64_C(0x9E3779B97F4A7C15) + number + 1,
                 .data = out,
                 .room = room};
    for (int i = 0; i < 4; i++) {
        s.random =
            fuzz_random(&s.random) | 1; // similar numbers must not begin with similar mutations
    }
    bsp_bytes bytes = source->seeds[below(&s, source->count)];
    s.other = source->seeds[below(&s, source->count)];
    s.size = bytes.size < room ? bytes.size : room;
    if (s.size != 0) {
        memcpy(out, bytes.data, s.size);
    }
    for (size_t n = 1 + below(&s, 5); n != 0; n--) {
        bool records = source->records && below(&s, 12) != 0;
        if (!records || !fuzz_mutate_records(&s.random, out, s.size)) {
            mutate_once(&s);
        }
    }
    return s.size;
}
