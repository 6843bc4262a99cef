// SPDX-License-Identifier: MIT
// bspkit pak add, replace, remove.
#include "cli/commands/pak.h"
#include "cli/parts/lower.h"
#include "cli/commands/pak_files.h"

#include <stdlib.h>

typedef struct editor {
    const cli_input *input;
    const cli_pak *pak;
    const bsp_pak_entry **entries; // of the zip, sorted by name
    bool replaces;
    cli_pak_files files;
    bsp_pak_change *changes;
    uint32_t count;
} editor;

static int compare_names(bsp_text a, bsp_text b) {
    for (size_t i = 0; i < a.size && i < b.size; i++) {
        int order = (uint8_t)cli_lower(a.data[i]) - (uint8_t)cli_lower(b.data[i]);
        if (order != 0) {
            return order;
        }
    }
    return a.size < b.size ? -1 : a.size > b.size;
}

static int compare_entries(const void *a, const void *b) {
    const bsp_pak_entry *x = *(const bsp_pak_entry *const *)a;
    const bsp_pak_entry *y = *(const bsp_pak_entry *const *)b;
    int order = compare_names(x->name, y->name);
    return order != 0 ? order : x < y ? -1 : x > y;
}

static bool sort_entries(editor *e) {
    const bsp_pak *pak = e->pak->pak;
    e->entries = calloc((size_t)pak->count + 1, sizeof *e->entries);
    for (uint32_t i = 0; e->entries != NULL && i < pak->count; i++) {
        e->entries[i] = &pak->entries[i];
    }
    if (e->entries != NULL && pak->count != 0) {
        qsort(e->entries, pak->count, sizeof *e->entries, compare_entries);
    }
    return e->entries != NULL;
}

// Returns the first entry with that name, or NULL.
static const bsp_pak_entry *find_entry(const editor *e, bsp_text name) {
    uint32_t low = 0;
    for (uint32_t high = e->pak->pak->count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_names(e->entries[middle]->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < e->pak->pak->count && compare_names(e->entries[low]->name, name) == 0;
    return found ? e->entries[low] : NULL;
}

static int compare_files(const void *a, const void *b) {
    const cli_pak_file *x = a;
    const cli_pak_file *y = b;
    return compare_names(bsp_text_of(x->name), bsp_text_of(y->name));
}

// --- add -----------------------------------------------------------------------------------------

static bool is_known(uint16_t method) {
    return method == BSP_PAK_STORED || method == BSP_PAK_DEFLATE || method == BSP_PAK_LZMA;
}

static bool add_file(editor *e, const cli_pak_file *file, int method) {
    bsp_text name = bsp_text_of(file->name);
    const bsp_pak_entry *old = find_entry(e, name);
    if ((old != NULL) != e->replaces) {
        cli_message(e->input->path, "%s %s", file->name,
                    e->replaces ? "is not in the map: pak add"
                                : "is in the map already: pak replace");
        return false;
    }
    bsp_pak_change *change = &e->changes[e->count];
    change->name = old == NULL ? name : old->name;
    change->method = BSP_PAK_STORED;
    if (method >= 0) {
        change->method = (uint16_t)method;
    } else if (old != NULL && is_known(old->method)) {
        change->method = old->method;
    }
    change->path = file->path;
    e->count++;
    return true;
}

static bool add_files(editor *e) {
    int method = cli_pak_options_of(e->input->call)->method;
    for (size_t i = 0; i < e->files.count; i++) {
        if (i != 0 && compare_files(&e->files.list[i - 1], &e->files.list[i]) == 0) {
            cli_message("pak", "%s comes from two files", e->files.list[i].name);
            return false;
        }
        if (!add_file(e, &e->files.list[i], method)) {
            return false;
        }
    }
    return true;
}

// --- the map ------------------------------------------------------------------------------------

static cli_status with_files(editor *e) {
    qsort(e->files.list, e->files.count, sizeof *e->files.list, compare_files);
    e->changes = calloc(e->files.count, sizeof *e->changes);
    cli_status status = CLI_FAILED;
    if (e->changes == NULL || !sort_entries(e)) {
        cli_message(e->input->path, "no memory");
    } else if (add_files(e)) {
        status = cli_pak_write(e->input, e->pak, e->changes, e->count);
    }
    free((void *)e->entries);
    free(e->changes);
    return status;
}

static cli_status put(const cli_input *input, bool replaces) {
    cli_pak pak;
    cli_status status = cli_pak_open(input, &pak);
    if (pak.pak == NULL) {
        return status == CLI_DONE ? CLI_PROBLEMS : status;
    }
    editor e = {.input = input, .pak = &pak, .replaces = replaces};
    status = CLI_FAILED;
    const cli_pak_options *options = cli_pak_options_of(input->call);
    if (cli_pak_files_collect(&e.files, input->call, options->list, options->root)) {
        status = with_files(&e);
    }
    cli_pak_files_free(&e.files);
    cli_pak_close(&pak);
    return status;
}

cli_status cli_pak_add(const cli_input *input) {
    return put(input, false);
}

cli_status cli_pak_replace(const cli_input *input) {
    return put(input, true);
}

// --- remove --------------------------------------------------------------------------------------

static cli_status remove_matching(editor *e) {
    const bsp_pak *pak = e->pak->pak;
    e->changes = calloc((size_t)pak->count + 1, sizeof *e->changes);
    if (e->changes == NULL) {
        cli_message(e->input->path, "no memory");
        return CLI_FAILED;
    }
    for (uint32_t i = 0; i < pak->count; i++) {
        if (cli_pak_matches(e->input->call, pak->entries[i].name)) {
            e->changes[e->count].name = pak->entries[i].name;
            e->changes[e->count++].remove = true;
        }
    }
    cli_status status = CLI_PROBLEMS;
    if (e->count == 0) {
        cli_message(e->input->path, "no file matches: nothing is written");
    } else {
        status = cli_pak_write(e->input, e->pak, e->changes, e->count);
    }
    free(e->changes);
    return status;
}

cli_status cli_pak_remove(const cli_input *input) {
    cli_pak pak;
    cli_status status = cli_pak_open(input, &pak);
    if (pak.pak == NULL) {
        return status == CLI_DONE ? CLI_PROBLEMS : status;
    }
    editor e = {.input = input, .pak = &pak};
    status = remove_matching(&e);
    cli_pak_close(&pak);
    return status;
}
