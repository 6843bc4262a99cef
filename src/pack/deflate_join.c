// SPDX-License-Identifier: MIT
// A compressor without flushes ends each stream with a block that says it is the last, and fills
// the last byte with zeros. Where a stream is one block that bit is its first, and the end follows
// from the code of the symbol that ends the block: as many zeros as that has at its end stand
// before the filling. Format: RFC 1951; RFC 1950, 8 (Adler-32).
#include "pack/deflate_join.h"

#include <string.h>

#define SYMBOLS 288u // literals, the end of a block, lengths
#define END_SYMBOL 256u
#define LENGTH_CODES 19u // the code in which the lengths of the other codes are written
#define LONGEST 15u      // bits of a code
#define TABLE 128u       // codes of lengths have at most 7 bits
#define MOST_STORED 65535u
#define ADLER 65521u

enum { STORED = 0, DYNAMIC = 2 };

// Bits from the lowest of each byte. Past the end they are zero.
typedef struct bits {
    const uint8_t *data;
    size_t size;
    size_t at; // bit
} bits;

// Returns the next bits, at most 16.
static uint32_t look(const bits *b) {
    uint32_t value = 0;
    size_t first = b->at / 8;
    for (size_t i = 0; i < 3 && first + i < b->size; i++) {
        value |= (uint32_t)b->data[first + i] << 8 * i;
    }
    return value >> b->at % 8;
}

static uint32_t take(bits *b, uint32_t count) {
    uint32_t value = look(b) & ((1u << count) - 1);
    b->at += count;
    return value;
}

// Gives the code of each symbol: those of a length follow each other, after those of all shorter
// ones.
static void number_codes(const uint8_t *lengths, uint32_t symbols, uint32_t *codes) {
    uint32_t next[LONGEST + 2] = {0}; // code of each length
    for (uint32_t i = 0; i < symbols; i++) {
        next[lengths[i] + 1]++;
    }
    next[1] = 0; // of length 0: no codes
    for (uint32_t length = 1; length <= LONGEST + 1; length++) {
        next[length] = (next[length] + next[length - 1]) << 1;
    }
    for (uint32_t i = 0; i < symbols; i++) {
        codes[i] = next[lengths[i]]++;
    }
}

// A symbol by the bits that begin with its code, the first bit of which is the lowest.
typedef struct entry {
    uint8_t symbol;
    uint8_t length; // 0: there is none
} entry;

static void fill_table(const uint8_t lengths[LENGTH_CODES], entry table[TABLE]) {
    uint32_t codes[LENGTH_CODES];
    number_codes(lengths, LENGTH_CODES, codes);
    memset(table, 0, TABLE * sizeof *table);
    for (uint32_t i = 0; i < LENGTH_CODES; i++) {
        uint32_t turned = 0;
        for (uint32_t bit = 0; bit < lengths[i]; bit++) {
            turned = turned << 1 | (codes[i] >> bit & 1);
        }
        for (; lengths[i] != 0 && turned < TABLE; turned += 1u << lengths[i]) {
            table[turned] = (entry){(uint8_t)i, lengths[i]};
        }
    }
}

// Reads the lengths of the codes of literals, ends and lengths, at the start of a block. Returns
// false if they are damaged.
static bool read_lengths(bits *b, uint8_t out[SYMBOLS]) {
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t by[LENGTH_CODES] = {0};
    entry table[TABLE];
    uint32_t wanted = 257 + take(b, 5);
    (void)take(b, 5); // the number of distances
    uint32_t written = 4 + take(b, 4);
    for (uint32_t i = 0; i < written; i++) {
        by[order[i]] = (uint8_t)take(b, 3);
    }
    fill_table(by, table);
    memset(out, 0, SYMBOLS);
    for (uint32_t i = 0; i < wanted;) {
        entry is = table[look(b) % TABLE];
        uint32_t times = 1;
        uint8_t length = is.symbol;
        b->at += is.length;
        if (is.symbol >= 16) {
            length = is.symbol == 16 && i != 0 ? out[i - 1] : 0;
            times = is.symbol == 16   ? 3 + take(b, 2)
                    : is.symbol == 17 ? 3 + take(b, 3)
                                      : 11 + take(b, 7);
        }
        if (is.length == 0) {
            return false;
        }
        for (; times > 0 && i < wanted; times--) {
            out[i++] = length;
        }
    }
    return b->at <= 8 * b->size;
}

// Returns how many zeros the end of the stream has.
static size_t zeros_at_end(const uint8_t *stream, size_t size) {
    size_t count = 0;
    while (count < 8 * size && (stream[size - 1 - count / 8] >> (7 - count % 8) & 1) == 0) {
        count++;
    }
    return count;
}

// Finds how many bits of the last byte are after the end of the only block. Returns false if that
// cannot be told.
static bool find_filling(const uint8_t *stream, size_t size, size_t *filling) {
    bits b = {stream, size, 0};
    uint8_t lengths[SYMBOLS];
    uint32_t codes[SYMBOLS];
    bool last = take(&b, 1) == 1;
    uint32_t type = take(&b, 2);
    *filling = 0;
    if (last && type == STORED) {
        return size >= 5 && size == 5 + ((size_t)stream[1] | (size_t)stream[2] << 8);
    }
    if (!last || type != DYNAMIC || !read_lengths(&b, lengths) || lengths[END_SYMBOL] == 0) {
        return false;
    }
    number_codes(lengths, SYMBOLS, codes);
    uint32_t code = codes[END_SYMBOL];
    size_t zeros = zeros_at_end(stream, size);
    for (; code != 0 && (code & 1) == 0; code >>= 1) {
        zeros--; // wraps around in a damaged stream
    }
    *filling = zeros;
    return code != 0 && zeros < 8;
}

size_t bspi_deflate_open(uint8_t *stream, size_t size) {
    static const uint8_t empty[] = {0, 0, 0, 0xFF, 0xFF}; // a stored block of no bytes
    size_t filling;
    if (!find_filling(stream, size, &filling)) {
        return 0;
    }
    stream[0] &= 0xFE;
    size_t skipped = filling >= 3; // its three bits of a head fit into the last byte
    memcpy(stream + size, empty + skipped, sizeof empty - skipped);
    return size + sizeof empty - skipped;
}

size_t bspi_deflate_stored_size(size_t size) {
    return size + 5 * ((size + MOST_STORED - 1) / MOST_STORED);
}

uint8_t *bspi_deflate_store(const uint8_t *data, size_t size, bool last, uint8_t *out) {
    while (size != 0) {
        uint32_t part = size < MOST_STORED ? (uint32_t)size : MOST_STORED;
        const uint8_t head[5] = {last && part == size, (uint8_t)part, (uint8_t)(part >> 8),
                                 (uint8_t)~part, (uint8_t)(~part >> 8)};
        memcpy(out, head, sizeof head);
        memcpy(out + sizeof head, data, part);
        out += sizeof head + part;
        data += part;
        size -= part;
    }
    return out;
}

uint32_t bspi_adler32_join(uint32_t first, uint32_t second, size_t size) {
    uint64_t low = first & 0xFFFF; // 1 and the bytes; the upper half is the sum of all that it was
    uint64_t sum = (low + (second & 0xFFFF) + ADLER - 1) % ADLER;
    uint64_t sums =
        ((first >> 16) + (second >> 16) + (low + ADLER - 1) % ADLER * (size % ADLER)) % ADLER;
    return (uint32_t)(sums << 16 | sum);
}
