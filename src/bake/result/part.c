// SPDX-License-Identifier: MIT
// A part is a magic word, the SHA-256 of what the work depends on, its number and how many parts
// there are (32 bits each), the bytes of its body (64 bits), its body, and the CRC-32 of all this;
// numbers are little-endian.
#include "bake/result/part.h"

#include "core/reader.h"

#include <string.h>

#define NUMBERS 8u // bytes: the number, and how many there are
#define LENGTH 8u  // of the body
#define CHECKSUM 4u

void bspi_digest_u32(bspi_sha256 *sum, uint32_t value) {
    uint8_t bytes[4];
    bspi_store32(bytes, value, false);
    bspi_sha256_add(sum, (bsp_bytes){bytes, sizeof bytes});
}

bool bspi_part_exists(uint32_t number, uint32_t count, bsp_error *error) {
    return (number != 0 && number <= count && count <= BSPI_MOST_PARTS) ||
           bsp_fail(error, BSP_E_ARGUMENT, NULL, "there is no part %u of %u", (unsigned)number,
                    (unsigned)count);
}

void bspi_part_begin(bspi_buffer *out, const bspi_part_of *of, uint32_t number, uint32_t count) {
    bspi_buffer_add(out, of->magic, strlen(of->magic));
    bspi_buffer_add(out, of->digest, sizeof of->digest);
    bspi_buffer_u32(out, number, false);
    bspi_buffer_u32(out, count, false);
    (void)bspi_buffer_grow(out, LENGTH);
}

// Bytes before the body of a part.
static size_t head_of(const bspi_part_of *of) {
    return strlen(of->magic) + sizeof of->digest + NUMBERS + LENGTH;
}

bool bspi_part_end(bspi_buffer *out, const bspi_part_of *of, bsp_blob *blob) {
    if (!out->failed) {
        size_t head = head_of(of);
        uint64_t body = out->size - head;
        bspi_store32(out->data + head - LENGTH, (uint32_t)body, false);
        bspi_store32(out->data + head - LENGTH + 4, (uint32_t)(body >> 32), false);
        bspi_buffer_u32(out, bsp_crc32(0, (bsp_bytes){out->data, out->size}), false);
    }
    bool done = !out->failed && bspi_buffer_give(out, blob);
    if (!done) {
        bspi_buffer_free(out);
    }
    return done;
}

// Reads the part that `bytes` begin with, and takes it off their front. Sets whether it has the
// digest.
static bool take_one(bsp_bytes *bytes, const bspi_part_of *of, bspi_part *out, bool *fits,
                     bsp_error *error) {
    size_t magic = strlen(of->magic);
    size_t head = head_of(of);
    if (bytes->size < head + CHECKSUM || memcmp(bytes->data, of->magic, magic) != 0) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "not a part of a %s run", of->work);
    }
    uint64_t body = bspi_load32(bytes->data + head - LENGTH, false) |
                    (uint64_t)bspi_load32(bytes->data + head - LENGTH + 4, false) << 32;
    size_t size = head + (size_t)body;
    if (body > bytes->size - head - CHECKSUM ||
        bsp_crc32(0, (bsp_bytes){bytes->data, size}) != bspi_load32(bytes->data + size, false)) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the part is damaged: its checksum differs");
    }
    const uint8_t *numbers = bytes->data + magic + sizeof of->digest;
    out->number = bspi_load32(numbers, false);
    out->count = bspi_load32(numbers + 4, false);
    if (out->number == 0 || out->number > out->count || out->count > BSPI_MOST_PARTS) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the part has no number");
    }
    out->body = (bsp_bytes){bytes->data + head, (size_t)body};
    *fits = memcmp(bytes->data + magic, of->digest, sizeof of->digest) == 0;
    *bytes = (bsp_bytes){bytes->data + size + CHECKSUM, bytes->size - size - CHECKSUM};
    return true;
}

bool bspi_part_read(bsp_bytes bytes, const bspi_part_of *of, bool any, bspi_part *out,
                    bsp_error *error) {
    bspi_part part = {0};
    bool found = false;
    *out = (bspi_part){0};
    do {
        bool fits = false;
        if (!take_one(&bytes, of, &part, &fits, error)) {
            *out = (bspi_part){0};
            return false;
        }
        if (!found && (any || fits)) {
            *out = part;
            found = true;
        }
    } while (bytes.size != 0);
    return found || bsp_fail(error, BSP_E_ARGUMENT, NULL,
                             "part %u of %u is one of another map, or of other options",
                             (unsigned)part.number, (unsigned)part.count);
}

bool bspi_parts_take(const bsp_bytes *parts, uint32_t count, const bspi_part_of *of,
                     bspi_arena *arena, bspi_part_taker take, void *user, bsp_error *error) {
    bool *taken = NULL;
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        bspi_part part;
        if (!bspi_part_read(parts[i], of, false, &part, error)) {
            return false;
        }
        if (taken == NULL) {
            all = part.count;
            taken = bspi_arena_zero(arena, all, sizeof *taken, error);
        }
        if (taken == NULL) {
            return false;
        }
        if (part.count != all || taken[part.number - 1]) {
            return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                            part.count != all ? "part %u of %u is not one of %u parts"
                                              : "part %u of %u is there twice, of %u parts",
                            (unsigned)part.number, (unsigned)part.count, (unsigned)all);
        }
        taken[part.number - 1] = true;
        if (!take(user, &part, error)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < all; i++) {
        if (!taken[i]) {
            return bsp_fail(error, BSP_E_ARGUMENT, NULL, "part %u of %u is missing",
                            (unsigned)(i + 1), (unsigned)all);
        }
    }
    return true;
}

bool bspi_part_damaged(const bspi_part *part, bsp_error *error) {
    return bsp_fail(error, BSP_E_DAMAGED, NULL, "part %u of %u is damaged", (unsigned)part->number,
                    (unsigned)part->count);
}
