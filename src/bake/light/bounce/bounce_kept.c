// SPDX-License-Identifier: MIT
// Light as it was before bounces that are only tried.
#include "bake/light/bounce/bounce_kept.h"

#include <string.h>

#define LUXELS 256u // that count as one of work

static size_t count_of(const bsp_relight_face *face) {
    return face->luxels == NULL
               ? 0
               : (size_t)face->width * face->height * face->directions * face->num_styles;
}

bool bspi_bounce_keep(bspi_relight *own, bspi_bounce_kept *kept, bsp_error *error) {
    uint32_t count = own->map->num_faces;
    *kept = (bspi_bounce_kept){.num_thrown = own->num_thrown,
                               .num_bounces = own->relight.num_bounces,
                               .num_patches = own->relight.num_patches,
                               .dropped = own->dropped};
    for (uint32_t i = 0; i < count; i++) {
        kept->num_luxels += count_of(&own->faces[i]);
    }
    kept->faces = bspi_heap_alloc(&own->heap, count * sizeof *kept->faces, error);
    kept->luxels = bspi_heap_alloc(&own->heap, kept->num_luxels * sizeof *kept->luxels, error);
    if (kept->faces == NULL || kept->luxels == NULL) {
        return false;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t size = count_of(&own->faces[i]);
        kept->faces[i] = own->faces[i];
        if (size != 0) {
            memcpy(kept->luxels + at, own->faces[i].luxels, size * sizeof *kept->luxels);
        }
        at += size;
    }
    return bspi_heap_work(&own->heap, count + kept->num_luxels / LUXELS, error);
}

void bspi_bounce_restore(bspi_relight *own, const bspi_bounce_kept *kept) {
    size_t at = 0;
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        size_t size = count_of(&kept->faces[i]);
        own->faces[i] = kept->faces[i]; // with the same memory
        if (size != 0) {
            memcpy((void *)(uintptr_t)own->faces[i].luxels, kept->luxels + at,
                   size * sizeof *kept->luxels);
        }
        at += size;
    }
    own->num_thrown = kept->num_thrown;
    own->relight.num_bounces = kept->num_bounces;
    own->relight.num_patches = kept->num_patches;
    own->dropped = kept->dropped;
}

void bspi_bounce_kept_free(bspi_relight *own, bspi_bounce_kept *kept) {
    uint32_t count = own->map->num_faces;
    bspi_heap_free(&own->heap, kept->faces, count * sizeof *kept->faces);
    bspi_heap_free(&own->heap, kept->luxels, kept->num_luxels * sizeof *kept->luxels);
    *kept = (bspi_bounce_kept){0};
}
