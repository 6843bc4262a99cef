// SPDX-License-Identifier: MIT
// Pages of a mapped file count as memory of the process that reads them until they are released.
#include "records/page_window.h"

#define STEP ((size_t)1 << 20)
#define MOST ((size_t)4 << 20)

static bool is_mapped(const bsp_file *file, bsp_bytes bytes) {
    if (file == NULL || !file->mapping.mapped || bytes.size == 0) {
        return false;
    }
    uintptr_t base = (uintptr_t)file->mapping.bytes.data;
    uintptr_t at = (uintptr_t)bytes.data;
    return at >= base && at - base < file->mapping.bytes.size;
}

static void release(bspi_window *window) {
    bspi_release_pages(&window->file->mapping,
                       (bsp_bytes){window->low, (size_t)(window->high - window->low)});
    window->touched = 0;
}

void bspi_window_pass(bspi_window *window, bsp_bytes bytes) {
    if (!is_mapped(window->file, bytes)) {
        return;
    }
    const uint8_t *end = bytes.data + bytes.size;
    bool follows = window->touched != 0 && bytes.data >= window->last &&
                   (size_t)(bytes.data - window->last) < BSPI_PAGES_AROUND;
    window->low = window->touched == 0 || bytes.data < window->low ? bytes.data : window->low;
    window->high = window->touched == 0 || end > window->high ? end : window->high;
    window->touched += follows ? (size_t)(end - window->last) : bytes.size + BSPI_PAGES_AROUND;
    window->last = end;
    if (window->touched >= MOST) {
        release(window);
        window->large = true;
    }
}

void bspi_window_end(bspi_window *window) {
    if (window->large && window->touched != 0) {
        release(window);
    }
}

bsp_bytes bspi_window_step(bsp_bytes *rest) {
    bsp_bytes step = {rest->data, rest->size < STEP ? rest->size : STEP};
    rest->data = step.size == 0 ? rest->data : rest->data + step.size;
    rest->size -= step.size;
    return step;
}

uint32_t bspi_window_crc32(bspi_window *window, uint32_t crc, bsp_bytes data) {
    for (bsp_bytes step; (step = bspi_window_step(&data)).size != 0;) {
        crc = bsp_crc32(crc, step);
        bspi_window_pass(window, step);
    }
    return crc;
}
