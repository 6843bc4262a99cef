// SPDX-License-Identifier: MIT
// Issues of records that no row of the format describes.
#include "model/report.h"

void bspi_report_indices(const bsp_model_file *file, uint32_t part, uint32_t field, int64_t count,
                         const char *noun, bsp_issues *issues) {
    const bsp_part *p = &file->parts.parts[part];
    bsp_table table = bsp_parts_table(&file->parts, part);
    const bsp_field *f = &table.layout->fields[field];
    for (uint32_t r = 0; r < table.count; r++) {
        for (uint32_t e = 0; e < f->count; e++) {
            int64_t value = bsp_table_int(&table, r, field, e);
            size_t at = p->offset + (size_t)r * table.layout->size +
                        bsp_layout_offset(table.layout, field) + e * bsp_type_size(f->type);
            if (value < 0 || value >= count) {
                bspi_issue(issues, BSPI_ISSUE_INDEX_RANGE,
                           bsp_place_element(bsp_place_at(p->name, r, f->name, at), e, f->count),
                           "%lld, but there are %lld %s", (long long)value, (long long)count, noun);
            }
        }
    }
}
