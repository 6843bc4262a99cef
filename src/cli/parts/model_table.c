// SPDX-License-Identifier: MIT
// Help about the formats of models, and its page of the documentation, made from the table of
// formats.
#include "cli/parts/model_table.h"

#include "cli/parts/table.h"

static const char intro[] =
    "bspkit info, dump and check take models and sprites as well as maps. Which format a file has "
    "is told by its first bytes, never by its name. A model that is made of several files is named "
    "by its main one; the others are looked for in its folder, or in the archive that it lies in.";

static const char *kind_of(const bsp_model_format *format) {
    return format->kind == BSP_MODEL_MESH     ? "model"
           : format->kind == BSP_MODEL_SPRITE ? "sprite"
                                              : "part of a model";
}

void cli_print_models(cli_output *output) {
    static const cli_column columns[] = {
        {"format", false}, {"ending", false}, {"what", false}, {"name", false}};
    cli_table table;
    cli_print_wrapped(output, 0, intro);
    cli_print(output, "\n");
    cli_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; bsp_model_format_at(i) != NULL; i++) {
        const bsp_model_format *format = bsp_model_format_at(i);
        cli_table_cell(&table, CLI_STRONG, "%s", format->name);
        cli_table_cell(&table, CLI_PLAIN, "%s", format->ending);
        cli_table_cell(&table, CLI_PLAIN, "%s", kind_of(format));
        cli_table_cell(&table, CLI_PLAIN, "%s", format->title);
    }
    (void)cli_table_print(&table, output, 0);
}

static void markdown_layout(cli_output *output, const char *name, const bsp_layout *layout) {
    cli_print(output, "\n### %s: `%s`, %u bytes\n\n", name, layout->name, (unsigned)layout->size);
    cli_print(output, "| byte | field | type |\n|---|---|---|\n");
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        cli_print(output, "| %zu | %s | %s", bsp_layout_offset(layout, f),
                  field->name[0] == '\0' ? "(bare)" : field->name, bsp_type_name(field->type));
        if (field->count != 1) {
            cli_print(output, "[%u]", (unsigned)field->count);
        }
        if (field->bits != 0) {
            cli_print(output, ", bits %u to %u", (unsigned)field->shift,
                      (unsigned)field->shift + field->bits - 1);
        }
        cli_print(output, " |\n");
    }
}

void cli_markdown_models(cli_output *output) {
    cli_print(output, "# Models and sprites\n\n");
    cli_print_wrapped(output, 0, intro);
    cli_print(output, "\nThis page is made from the tables in `src/model` by `make docs`.\n\n"
                      "| format | ending | what | name |\n|---|---|---|---|\n");
    for (uint32_t i = 0; bsp_model_format_at(i) != NULL; i++) {
        const bsp_model_format *format = bsp_model_format_at(i);
        cli_print(output, "| [%s](#%s) | `%s` | %s | %s |\n", format->name, format->name,
                  format->ending, kind_of(format), format->title);
    }
    for (uint32_t i = 0; bsp_model_format_at(i) != NULL; i++) {
        const bsp_model_format *format = bsp_model_format_at(i);
        const char *name;
        const bsp_layout *layout;
        cli_print(output, "\n## %s\n", format->name);
        for (uint32_t n = 0; (layout = bsp_model_format_layout(format, n, &name)) != NULL; n++) {
            markdown_layout(output, name, layout);
        }
    }
}
