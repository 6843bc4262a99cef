// SPDX-License-Identifier: MIT
// Files that hold one lump, which Source reads instead of a map's own. Format: sheet source-lumps,
// section 2.
#include "bspkit/edit.h"

#include "formats/composites.h"

#include <assert.h>

bool bsp_lump_file_read(bsp_bytes bytes, bool big_endian, bsp_lump_file *out, bsp_error *error) {
    assert(out != NULL);
    bsp_table head = {&bspi_lump_file_t, bytes.data, 1, big_endian};
    uint32_t offset = 0;
    uint32_t size = 0;
    if (bytes.size >= BSP_LUMP_FILE_HEAD) {
        offset = (uint32_t)bsp_table_int(&head, 0, BSPI_LUMP_FILE_OFFSET, 0);
        size = (uint32_t)bsp_table_int(&head, 0, BSPI_LUMP_FILE_SIZE, 0);
    }
    if (offset < BSP_LUMP_FILE_HEAD || offset > bytes.size || size > bytes.size - offset) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL,
                        "this is no .lmp file of a map in this byte order, or it is cut off");
    }
    out->lump = (uint32_t)bsp_table_int(&head, 0, BSPI_LUMP_FILE_LUMP, 0);
    out->version = (uint32_t)bsp_table_int(&head, 0, BSPI_LUMP_FILE_VERSION, 0);
    out->revision = (uint32_t)bsp_table_int(&head, 0, BSPI_LUMP_FILE_REVISION, 0);
    out->data = (bsp_bytes){bytes.data + offset, size};
    return true;
}

void bsp_lump_file_head(const bsp_lump_file *file, bool big_endian,
                        uint8_t out[BSP_LUMP_FILE_HEAD]) {
    assert(file != NULL && out != NULL);
    const uint32_t words[] = {
        [BSPI_LUMP_FILE_OFFSET] = BSP_LUMP_FILE_HEAD,
        [BSPI_LUMP_FILE_LUMP] = file->lump,
        [BSPI_LUMP_FILE_VERSION] = file->version,
        [BSPI_LUMP_FILE_SIZE] = (uint32_t)file->data.size,
        [BSPI_LUMP_FILE_REVISION] = file->revision,
    };
    for (uint32_t f = 0; f < bspi_lump_file_t.num_fields; f++) { // values fit: fields have 32 bits
        (void)bsp_table_encode(&bspi_lump_file_t, 1, big_endian, f, BSP_U32, &words[f],
                               sizeof words[f], out, NULL);
    }
}
