// SPDX-License-Identifier: MIT
// What the peers' files share: reading a file, and memory piece after piece.
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>

#define HUNK_SIZE ((size_t)512 << 20) // reserved; pages that nothing is put on cost nothing
#define HUNK_ALIGN 32                 // as ioquake3's Hunk_Alloc and yquake2's round sizes

void *peer_read(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    *size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (*size = ftell(file)) >= 0) {
        rewind(file);
        data = calloc((size_t)*size + 1, 1);
        if (data != NULL && fread(data, 1, (size_t)*size, file) != (size_t)*size) {
            free(data);
            data = NULL;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    if (data == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
    }
    return data;
}

void *peer_hunk(size_t size) {
    static char *block;
    static size_t used;
    if (block == NULL) {
        block = aligned_alloc(4096, HUNK_SIZE);
    }
    size = (size + HUNK_ALIGN - 1) / HUNK_ALIGN * HUNK_ALIGN;
    if (block == NULL || size > HUNK_SIZE - used) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    char *piece = block + used;
    used += size;
    for (size_t i = 0; i < size; i++) {
        piece[i] = 0;
    }
    return piece;
}
