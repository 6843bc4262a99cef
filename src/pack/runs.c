// SPDX-License-Identifier: MIT
// Deflate with runs only: each block is cut into tokens, a byte or a run that repeats the byte
// before it, and these get Huffman codes of their own; a block that would not shrink is stored.
// Format: RFC 1950, RFC 1951.
#include "pack/runs.h"

#include <assert.h>
#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS 286u // bytes, the end of a block, lengths
#define END 256u
#define FIRST_LENGTH 257u
#define LEAST_RUN 3u
#define MOST_RUN 258u
#define RUN_TOKEN 256u // + length - LEAST_RUN
#define MOST_BITS 15u  // of a code
#define CODE_SYMBOLS 19u
#define CODE_BITS 7u
#define DISTANCES 2u // of one bit each; only the first is used
#define MOST_STORED 65535u
#define STORED_HEAD 5u

/// Bits that are written from the lowest on.
typedef struct writer {
    uint8_t *to;
    uint64_t bits;
    uint32_t count; ///< below 32 between calls
} writer;

/// A Huffman code: of symbol n `length[n]` bits.
typedef struct code {
    uint16_t bits[SYMBOLS];
    uint8_t length[SYMBOLS];
} code;

// --- lengths ------------------------------------------------------------------------------------

static const uint16_t first_of_length[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                             15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                             67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t extra_of_length[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                            2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

static uint32_t index_of_length(uint32_t length) {
    uint32_t i = 28;
    while (first_of_length[i] > length) {
        i--;
    }
    return i;
}

static uint32_t symbol_of(uint32_t token) {
    return token < RUN_TOKEN ? token
                             : FIRST_LENGTH + index_of_length(token - RUN_TOKEN + LEAST_RUN);
}

// --- writing ------------------------------------------------------------------------------------

static void put(writer *w, uint32_t bits, uint32_t count) {
    w->bits |= (uint64_t)bits << w->count;
    w->count += count;
    if (w->count >= 32) {
        for (int i = 0; i < 4; i++) {
            *w->to++ = (uint8_t)(w->bits >> 8 * i);
        }
        w->bits >>= 32;
        w->count -= 32;
    }
}

// Writes the bits that are left, up to a whole byte.
static void put_rest(writer *w) {
    while (w->count != 0) {
        *w->to++ = (uint8_t)w->bits;
        w->bits >>= 8;
        w->count -= w->count < 8 ? w->count : 8;
    }
}

// --- Huffman codes ------------------------------------------------------------------------------

static int compare_keys(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// Counts the codes of each length of the tree over `used` rising weights: the two lightest nodes
// become one until one is left. Lengths above `most` count as `most`.
static void count_lengths(const uint32_t *weights, uint32_t used, uint32_t most,
                          uint32_t counts[MOST_BITS + 1]) {
    uint32_t sums[SYMBOLS];
    uint16_t parents[2 * SYMBOLS];
    uint8_t depths[2 * SYMBOLS];
    uint32_t leaf = 0;
    uint32_t inner = 0;
    for (uint32_t made = 0; made + 1 < used; made++) {
        sums[made] = 0;
        for (int i = 0; i < 2; i++) {
            bool light = leaf < used && (inner == made || weights[leaf] <= sums[inner]);
            sums[made] += light ? weights[leaf] : sums[inner];
            parents[light ? leaf++ : used + inner++] = (uint16_t)(used + made);
        }
    }
    uint32_t root = 2 * used - 2;
    depths[root] = 0;
    for (uint32_t node = root; node-- != 0;) {
        uint32_t depth = depths[parents[node]] + 1u;
        depths[node] = (uint8_t)(depth < 255 ? depth : 255);
        if (node < used) {
            counts[depth < most ? depth : most]++;
        }
    }
}

// Makes codes longer until those that were cut to `most` bits have room: Kraft's sum is then 1.
static void make_room(uint32_t most, uint32_t counts[MOST_BITS + 1]) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= most; i++) {
        sum += counts[i] << (most - i);
    }
    for (; sum > 1u << most; sum--) { // a code becomes two, one of which takes in a cut one
        uint32_t i = most - 1;
        while (counts[i] == 0) {
            i--;
        }
        counts[i]--;
        counts[i + 1] += 2;
        counts[most]--;
    }
}

static uint16_t reversed(uint32_t bits, uint32_t count) {
    uint32_t out = 0;
    for (uint32_t i = 0; i < count; i++) {
        out |= (bits >> i & 1) << (count - 1 - i);
    }
    return (uint16_t)out;
}

// Gives symbols of one length codes that follow each other (RFC 1951, 3.2.2).
static void number_codes(code *out, uint32_t symbols, const uint32_t counts[MOST_BITS + 1]) {
    uint32_t next[MOST_BITS + 2] = {0};
    for (uint32_t i = 1; i <= MOST_BITS; i++) {
        next[i + 1] = (next[i] + counts[i]) << 1;
    }
    for (uint32_t s = 0; s < symbols; s++) {
        if (out->length[s] != 0) {
            out->bits[s] = reversed(next[out->length[s]]++, out->length[s]);
        }
    }
}

// Makes the code of symbols that occur `times`, at least two of them.
static void make_code(code *out, const uint32_t *times, uint32_t symbols, uint32_t most) {
    uint32_t keys[SYMBOLS]; // the number of times and the symbol, so that none are equal
    uint32_t weights[SYMBOLS];
    uint32_t counts[MOST_BITS + 1] = {0};
    uint32_t used = 0;
    for (uint32_t s = 0; s < symbols; s++) {
        out->length[s] = 0;
        if (times[s] != 0) {
            keys[used++] = times[s] << 9 | s;
        }
    }
    assert(used >= 2);
    qsort(keys, used, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < used; i++) {
        weights[i] = keys[i] >> 9;
    }
    count_lengths(weights, used, most, counts);
    make_room(most, counts);
    uint32_t at = 0;
    for (uint32_t length = most; length != 0; length--) { // the rarest have the longest
        for (uint32_t i = 0; i < counts[length]; i++) {
            out->length[keys[at++] & 511] = (uint8_t)length;
        }
    }
    number_codes(out, symbols, counts);
}

// --- the head of a block ------------------------------------------------------------------------

/// The lengths of the codes, as they are written.
typedef struct head {
    uint8_t symbols[SYMBOLS + DISTANCES]; ///< 0..15 a length, 16..18 repeats
    uint8_t extras[SYMBOLS + DISTANCES];
    uint32_t count;
    uint32_t num_lengths; ///< of bytes, end and runs
    uint32_t num_orders;
    code code;
} head;

static const uint8_t order[CODE_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};

static uint32_t extra_bits(uint32_t symbol) {
    return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0;
}

static void add(head *h, uint32_t symbol, uint32_t extra) {
    h->symbols[h->count] = (uint8_t)symbol;
    h->extras[h->count++] = (uint8_t)extra;
}

// Adds a length that occurs `times` after each other.
static void add_repeated(head *h, uint32_t length, uint32_t times) {
    if (length != 0) {
        add(h, length, 0);
        times--;
    }
    while (times >= 3) {
        uint32_t most = length != 0 ? 6 : 138;
        uint32_t some = times < most ? times : most;
        if (length != 0) {
            add(h, 16, some - 3);
        } else {
            add(h, some < 11 ? 17 : 18, some - (some < 11 ? 3 : 11));
        }
        times -= some;
    }
    while (times-- != 0) {
        add(h, length, 0);
    }
}

static void make_head(head *h, const code *of) {
    uint8_t lengths[SYMBOLS + DISTANCES];
    uint32_t times[CODE_SYMBOLS] = {0};
    h->num_lengths = SYMBOLS;
    while (of->length[h->num_lengths - 1] == 0) { // the end of a block has a code
        h->num_lengths--;
    }
    uint32_t all = h->num_lengths + DISTANCES;
    memcpy(lengths, of->length, h->num_lengths);
    memset(lengths + h->num_lengths, 1, DISTANCES);
    h->count = 0;
    for (uint32_t i = 0, next; i < all; i = next) {
        next = i + 1;
        while (next < all && lengths[next] == lengths[i]) {
            next++;
        }
        add_repeated(h, lengths[i], next - i);
    }
    for (uint32_t i = 0; i < h->count; i++) {
        times[h->symbols[i]]++;
    }
    times[0] += times[0] == 0; // a code has two symbols
    times[1] += times[1] == 0;
    make_code(&h->code, times, CODE_SYMBOLS, CODE_BITS);
    h->num_orders = CODE_SYMBOLS;
    while (h->code.length[order[h->num_orders - 1]] == 0) {
        h->num_orders--;
    }
}

static void put_head(writer *w, const head *h, bool last) {
    put(w, last, 1);
    put(w, 2, 2); // codes of its own
    put(w, h->num_lengths - FIRST_LENGTH, 5);
    put(w, DISTANCES - 1, 5);
    put(w, h->num_orders - 4, 4);
    for (uint32_t i = 0; i < h->num_orders; i++) {
        put(w, h->code.length[order[i]], 3);
    }
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t symbol = h->symbols[i];
        put(w, h->code.bits[symbol], h->code.length[symbol]);
        put(w, h->extras[i], extra_bits(symbol));
    }
}

static uint64_t size_of_head(const head *h) {
    uint64_t bits = 17 + 3 * (uint64_t)h->num_orders;
    for (uint32_t i = 0; i < h->count; i++) {
        bits += h->code.length[h->symbols[i]] + extra_bits(h->symbols[i]);
    }
    return bits;
}

// --- blocks -------------------------------------------------------------------------------------

/// A block: its tokens, and the bytes that they stand for.
typedef struct block {
    const uint8_t *in;
    size_t size;
    uint32_t count;
    uint32_t times[SYMBOLS];
} block;

// Returns how many bytes from `at` on are the one before it, up to the most of a run.
static uint32_t run_at(const uint8_t *in, size_t at, size_t size) {
    uint32_t most = size - at < MOST_RUN ? (uint32_t)(size - at) : MOST_RUN;
    uint32_t count = 0;
    while (most - count >= 8 && memcmp(in + at + count, in + at + count - 1, 8) == 0) {
        count += 8;
    }
    while (count < most && in[at + count] == in[at - 1]) {
        count++;
    }
    return count;
}

// Cuts the bytes from `at` on, of `size`, into the tokens of a block.
static void cut(bspi_runs *work, const uint8_t *in, size_t at, size_t size, block *out) {
    uint32_t runs[MOST_RUN - LEAST_RUN + 1] = {0};
    size_t first = at;
    memset(out->times, 0, sizeof out->times);
    for (out->count = 0; at < size && out->count < BSPI_RUNS_TOKENS; out->count++) {
        bool may = at != 0 && size - at >= LEAST_RUN && in[at] == in[at - 1] &&
                   in[at + 1] == in[at] && in[at + 2] == in[at];
        if (!may) {
            out->times[in[at]]++;
            work->tokens[out->count] = in[at++];
            continue;
        }
        uint32_t length = run_at(in, at, size);
        runs[length - LEAST_RUN]++;
        work->tokens[out->count] = (uint16_t)(RUN_TOKEN + length - LEAST_RUN);
        at += length;
    }
    for (uint32_t i = 0; i <= MOST_RUN - LEAST_RUN; i++) {
        out->times[symbol_of(RUN_TOKEN + i)] += runs[i];
    }
    out->times[END] = 1;
    out->in = in + first;
    out->size = at - first;
}

/// What a token becomes: the code of its symbol, and the rest of a length.
typedef struct word {
    uint32_t bits;
    uint32_t count;
} word;

static void make_words(const code *of, word words[RUN_TOKEN + MOST_RUN - LEAST_RUN + 1]) {
    for (uint32_t token = 0; token < RUN_TOKEN + MOST_RUN - LEAST_RUN + 1; token++) {
        uint32_t symbol = symbol_of(token);
        words[token] = (word){of->bits[symbol], of->length[symbol]};
        if (token >= RUN_TOKEN) { // the rest, and the distance: a bit of 0
            uint32_t i = symbol - FIRST_LENGTH;
            uint32_t rest = token - RUN_TOKEN + LEAST_RUN - first_of_length[i];
            words[token].bits |= rest << words[token].count;
            words[token].count += extra_of_length[i] + 1u;
        }
    }
}

static void put_stored(writer *w, const block *b, bool last) {
    for (size_t at = 0, some; at < b->size; at += some) {
        some = b->size - at < MOST_STORED ? b->size - at : MOST_STORED;
        put(w, last && at + some == b->size, 1);
        put(w, 0, 2);
        put_rest(w);
        w->to[0] = (uint8_t)some;
        w->to[1] = (uint8_t)(some >> 8);
        w->to[2] = (uint8_t)~some;
        w->to[3] = (uint8_t)(~some >> 8);
        memcpy(w->to + 4, b->in + at, some);
        w->to += 4 + some;
    }
}

static void put_block(writer *w, const bspi_runs *work, const block *b, bool last) {
    word words[RUN_TOKEN + MOST_RUN - LEAST_RUN + 1];
    code codes;
    head h;
    make_code(&codes, b->times, SYMBOLS, MOST_BITS);
    make_head(&h, &codes);
    uint64_t bits = size_of_head(&h);
    for (uint32_t s = 0; s < SYMBOLS; s++) {
        uint32_t more = s >= FIRST_LENGTH ? extra_of_length[s - FIRST_LENGTH] + 1u : 0;
        bits += (uint64_t)b->times[s] * (codes.length[s] + more);
    }
    if (bits / 8 >= b->size) {
        put_stored(w, b, last);
        return;
    }
    put_head(w, &h, last);
    make_words(&codes, words);
    for (uint32_t i = 0; i < b->count; i++) {
        put(w, words[work->tokens[i]].bits, words[work->tokens[i]].count);
    }
    put(w, codes.bits[END], codes.length[END]);
}

size_t bspi_runs_bound(size_t size) {
    // A block that is not stored is smaller than its bytes, but for what fills its last byte.
    return size + (size / BSPI_RUNS_TOKENS + 1) * 2 * STORED_HEAD + 16;
}

size_t bspi_runs_pack(bspi_runs *work, const uint8_t *in, size_t size, uint8_t *out) {
    writer w = {.to = out};
    assert(size != 0);
    *w.to++ = 0x78; // deflate, a window of 32 KiB
    *w.to++ = 0x01; // the fastest; with the byte before it a multiple of 31
    for (size_t at = 0; at < size;) {
        block b;
        cut(work, in, at, size, &b);
        at += b.size;
        put_block(&w, work, &b, at == size);
    }
    put_rest(&w);
    uint32_t sum = libdeflate_adler32(1, in, size);
    for (int i = 3; i >= 0; i--) {
        *w.to++ = (uint8_t)(sum >> 8 * i);
    }
    assert((size_t)(w.to - out) <= bspi_runs_bound(size));
    return (size_t)(w.to - out);
}
