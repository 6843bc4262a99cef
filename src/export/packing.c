// SPDX-License-Identifier: MIT
// Packs the images of paints as PNG, on several threads. Equal images are stored once.
#include "export/paint.h"

#include "core/workers.h"

#include <string.h>

#define PACK_STEPS 1u                  // for each pixel that is compressed
#define MOST_WAITING ((size_t)4 << 20) // bytes of textures: some 5 ms of packing
#define THREAD_PIXELS 100000u          // as many take about a millisecond
#define FNV_START 0xCBF29CE484222325u
#define FNV_PRIME 0x100000001B3u
#define HASH_SUMS 4u

// Hashes a word at a time in several sums, which do not wait for each other.
static uint64_t hash_of(const bsp_image *image) {
    uint64_t sums[HASH_SUMS];
    size_t size = 4 * (size_t)image->width * image->height;
    size_t at = 0;
    for (uint64_t i = 0; i < HASH_SUMS; i++) {
        sums[i] = FNV_START + i;
    }
    for (; at + sizeof sums <= size; at += sizeof sums) {
        uint64_t words[HASH_SUMS];
        memcpy(words, image->pixels + at, sizeof words);
        for (size_t i = 0; i < HASH_SUMS; i++) {
            sums[i] = (sums[i] ^ words[i]) * FNV_PRIME;
            sums[i] ^= sums[i] >> 29;
        }
    }
    uint64_t hash = FNV_START;
    for (; at < size; at += 4) {
        uint32_t pixel;
        memcpy(&pixel, image->pixels + at, sizeof pixel);
        hash = (hash ^ pixel) * FNV_PRIME;
        hash ^= hash >> 29;
    }
    for (size_t i = 0; i < HASH_SUMS; i++) {
        hash = (hash ^ sums[i]) * FNV_PRIME;
        hash ^= hash >> 29;
    }
    return hash;
}

// Counts the work of packing an image.
static bool count_work(const bspi_paints *paints, uint32_t width, uint32_t height,
                       bsp_error *error) {
    return bspi_heap_work(paints->arena->heap, (uint64_t)width * height * PACK_STEPS, error);
}

bool bspi_paints_pack_away(bspi_paints *paints, uint32_t worker, uint32_t threads, bsp_image *image,
                           bsp_blob *out, bsp_error *error) {
    if (!count_work(paints, image->width, image->height, error)) {
        bsp_image_free(image);
        return false;
    }
    paints->packers[worker].threads = threads;
    return bspi_png_pack_away(&paints->packers[worker], image, out, error);
}

typedef struct packing_list {
    bspi_paints *paints;
    const bspi_packing *items;
    uint32_t threads;
    uint64_t pixels; // of all items
} packing_list;

static uint64_t pixels_of(const bspi_packing *item) {
    return (uint64_t)item->picture.width * item->picture.height;
}

static bool pack_item(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const packing_list *list = user;
    const bspi_packing *from = &list->items[item];
    // A large image gets its share of the threads, which is none beside its own for most.
    list->paints->packers[worker].threads =
        (uint32_t)(list->threads * pixels_of(from) / (list->pixels + 1)) + 1;
    return count_work(list->paints, from->picture.width, from->picture.height, error) &&
           bspi_png_pack(&list->paints->packers[worker], &from->picture, from->out, error);
}

static void pack_lists(bspi_packing *to, const bspi_packing *list, uint32_t count,
                       bspi_paints *paints) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = list[i];
    }
    for (uint32_t i = paints->first_waiting; i < paints->num_images; i++) {
        bspi_png *png = &paints->images[i];
        const bspi_picture picture = {png->image.pixels, png->width, png->height};
        to[count + i - paints->first_waiting] = (bspi_packing){picture, &png->png};
    }
}

void bspi_paints_forget_waiting(bspi_paints *paints) {
    for (; paints->first_waiting < paints->num_images; paints->first_waiting++) {
        bsp_image_free(&paints->images[paints->first_waiting].image);
    }
    bspi_heap_discharge(paints->arena->heap, paints->waiting);
    paints->waiting = 0;
}

bool bspi_paints_pack(bspi_paints *paints, const bspi_packing *list, uint32_t count,
                      bsp_error *error) {
    bspi_heap *heap = paints->arena->heap;
    uint32_t all = count + paints->num_images - paints->first_waiting;
    size_t room = all * sizeof(bspi_packing);
    bspi_packing *items = bspi_heap_alloc(heap, room, error);
    if (items == NULL) {
        return false;
    }
    pack_lists(items, list, count, paints);
    uint64_t pixels = 0;
    for (uint32_t i = 0; i < all; i++) {
        pixels += pixels_of(&items[i]);
    }
    packing_list work = {paints, items, pixels < THREAD_PIXELS ? 1 : paints->threads, pixels};
    bool done = bspi_workers_each(work.threads, all, pack_item, &work, error);
    for (uint32_t i = 0; i < all; i++) {
        paints->held += items[i].out->size;
    }
    bspi_heap_free(heap, items, room);
    bspi_paints_forget_waiting(paints);
    return done;
}

// Adds the last image to those that wait until there is work for all threads. With one thread, or
// without memory for it, packs them now.
static bool wait_or_pack(bspi_paints *paints, bsp_image *image, bsp_error *error) {
    size_t bytes = 4 * (size_t)image->width * image->height;
    paints->images[paints->num_images++].image = *image;
    *image = (bsp_image){0};
    if (paints->threads > 1 && paints->waiting + bytes <= MOST_WAITING &&
        bspi_heap_charge(paints->arena->heap, bytes, NULL)) {
        paints->waiting += bytes;
        return true;
    }
    return bspi_paints_pack(paints, NULL, 0, error);
}

bool bspi_paints_store(bspi_paints *paints, bsp_image *image, bspi_png png, uint32_t *number,
                       bsp_error *error) {
    bspi_png *next = &paints->images[paints->num_images];
    *next = png;
    next->hash = hash_of(image);
    next->width = image->width;
    next->height = image->height;
    next->number = BSP_NONE;
    for (uint32_t i = 0; i < paints->num_images; i++) {
        const bspi_png *other = &paints->images[i];
        if (other->hash == next->hash && other->width == next->width &&
            other->height == next->height && other->clamp == next->clamp) {
            *number = i;
            return true;
        }
    }
    *number = paints->num_images;
    return bspi_heap_work(paints->arena->heap, paints->num_images, error) &&
           wait_or_pack(paints, image, error);
}
