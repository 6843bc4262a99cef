// SPDX-License-Identifier: MIT
// Quake 3: the square pages of light in the file, one after the other.
#ifndef BSPI_MAP_PAGES_H
#define BSPI_MAP_PAGES_H

#include "bspkit/map.h"

#include <string.h>

/// Returns the bytes of a page of the branch; 0 for branches without.
static inline size_t bspi_page_bytes(const bsp_traits *traits) {
    return (size_t)traits->light_page * traits->light_page * bsp_light_size(traits->light);
}

/// Returns the number of whole pages in the file, which faces can name; 0 for branches without.
static inline uint32_t bspi_num_pages(const bsp_map *map) {
    size_t bytes = bspi_page_bytes(map->traits);
    size_t count = bytes == 0 ? 0 : map->light.size / bytes;
    return count < INT32_MAX ? (uint32_t)count : 0;
}

/// Returns true for zeros, which a compiler leaves that computed no light.
static inline bool bspi_page_is_blank(const uint8_t *bytes, size_t size) {
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

#endif
