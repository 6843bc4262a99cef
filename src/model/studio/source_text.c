// SPDX-License-Identifier: MIT
#include "model/studio/source_text.h"

#include "model/rows.h"

#include <string.h>

#define TEXT_MOST 1024u // bytes in which a text ends; the games' own names have 260 at most

bsp_text bspi_source_text(const bsp_model_file *file, int64_t at) {
    bsp_bytes bytes = file->info.bytes;
    if (at < 0 || (uint64_t)at >= bytes.size) {
        return (bsp_text){NULL, 0};
    }
    const char *start = (const char *)bytes.data + at;
    // Records of a hostile file may all name a text that does not end.
    size_t room = bytes.size - (size_t)at;
    const char *end = memchr(start, '\0', room < TEXT_MOST ? room : TEXT_MOST);
    return (bsp_text){start, end == NULL ? 0 : (size_t)(end - start)};
}

bsp_text bspi_source_record_text(const bsp_model_file *file, uint32_t row, uint32_t record,
                                 const char *field) {
    bsp_table table = bspi_model_table(file, row, 0);
    size_t at = bspi_model_table_at(file, row, 0) + (size_t)record * table.layout->size;
    return bspi_source_text(file, (int64_t)at + bspi_model_int(&table, record, field, 0));
}
