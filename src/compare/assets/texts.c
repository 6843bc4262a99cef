// SPDX-License-Identifier: MIT
// What texts and particle files name: KeyValues by their keys, lists by their words, particle files
// by the texts in them.
#include "compare/assets/finder.h"

#include "core/text.h"

#include <string.h>

// --- KeyValues ----------------------------------------------------------------------------------

// Textures that the game draws itself, and numbers.
static bool is_rendered(bsp_text value) {
    return bspi_text_is(value, "env_cubemap") || bspi_text_begins_nocase(value, "_rt_") ||
           strchr("[{-.0123456789", value.data[0]) != NULL;
}

static bool add_parameter(bspi_finder *f, bspi_asset_role role, const bsp_key_value *pair,
                          bsp_text by) {
    if (pair->value.size == 0 || (role == BSPI_ROLE_MATERIAL && is_rendered(pair->value)) ||
        bspi_text_begins_nocase(pair->key, "%")) { // for tools only
        return true;
    }
    return bspi_finder_add_value(f, role, pair->key, pair->value, by, NULL);
}

static bool read_pairs(bspi_finder *f, bspi_asset_role role, bsp_text text, bsp_text by) {
    const bsp_text_options options = {.allocator = &f->heap->allocator, .budget = f->heap->budget};
    bsp_key_values *values = bsp_key_values_parse(text, &options, f->error);
    bool done = values != NULL;
    for (uint32_t i = 0; done && i < values->count; i++) {
        done = values->list[i].block || add_parameter(f, role, &values->list[i], by);
    }
    bsp_key_values_free(values);
    return done;
}

// Reads the text after the solids of a collision model.
static bool read_physics(bspi_finder *f, bsp_bytes bytes, bsp_text by) {
    bool done;
    bsp_model_file *file = bspi_finder_open_model(f, bytes, &done);
    const bsp_parts *parts = file == NULL ? NULL : bsp_model_file_parts(file);
    uint32_t keys = parts == NULL ? BSP_NONE : bsp_parts_find(parts, bsp_text_of("keydata"));
    if (keys != BSP_NONE) {
        const bsp_part *part = &parts->parts[keys];
        bsp_text text = {(const char *)bytes.data + part->offset, part->size};
        done = read_pairs(f, BSPI_ROLE_PHYSICS, text, by);
    }
    bsp_model_file_close(file);
    return done;
}

// --- words --------------------------------------------------------------------------------------

static bool is_break(char c) {
    return c == '\0' || strchr(" \t\r\n\",{}", c) != NULL;
}

// Adds what each word stands for. `//` begins a comment, but inside of a word.
static bool read_words(bspi_finder *f, bspi_asset_role role, bsp_text text, bsp_text by) {
    size_t at = 0;
    while (at < text.size) {
        size_t size = 0;
        while (at + size < text.size && !is_break(text.data[at + size])) {
            size++;
        }
        bsp_text word = {text.data + at, size};
        bool comment = size >= 2 && word.data[0] == '/' && word.data[1] == '/';
        while (comment && at + size < text.size && text.data[at + size] != '\n') {
            size++;
        }
        if (!comment && word.size != 0 &&
            !bspi_finder_add_value(f, role, bsp_text_of(""), word, by, NULL)) {
            return false;
        }
        at += size + 1;
    }
    return true;
}

// Lines "surface,shader" of a skin.
static bool read_skin(bspi_finder *f, bsp_text text, bsp_text by) {
    size_t at = 0;
    while (at < text.size) {
        size_t end = at;
        size_t comma = SIZE_MAX;
        while (end < text.size && text.data[end] != '\n' && text.data[end] != '\r') {
            comma = text.data[end] == ',' ? end : comma;
            end++;
        }
        if (comma != SIZE_MAX) {
            bsp_text name = {text.data + comma + 1, end - comma - 1};
            while (name.size != 0 && (name.data[0] == ' ' || name.data[0] == '\t')) {
                name = (bsp_text){name.data + 1, name.size - 1};
            }
            if (!bspi_finder_add_shader(f, name, by)) {
                return false;
            }
        }
        at = end + 1;
    }
    return true;
}

// The second word of each line of a list of detail textures: "WALL detail/plaster 10 10".
static bool read_details(bspi_finder *f, bsp_text text, bsp_text by) {
    size_t at = 0;
    uint32_t word = 0;
    while (at < text.size) {
        size_t size = 0;
        while (at + size < text.size && !is_break(text.data[at + size])) {
            size++;
        }
        bsp_text name = {text.data + at, size};
        word += size != 0 ? 1 : 0;
        bool comment = word == 1 && bspi_text_begins_nocase(name, "//");
        if (size != 0 && word == 2 &&
            !bspi_finder_add_value(f, BSPI_ROLE_DETAIL, bsp_text_of(""), name, by, NULL)) {
            return false;
        }
        while (comment && at + size < text.size && text.data[at + size] != '\n') {
            size++;
        }
        at += size;
        word = at < text.size && text.data[at] == '\n' ? 0 : word;
        at++;
    }
    return true;
}

// --- particles ----------------------------------------------------------------------------------

// Every encoding of a particle file ends its texts with a zero, but for the keys in quotes of the
// text one, so the materials are the texts that end in ".vmt".
static bool read_particles(bspi_finder *f, bsp_bytes bytes, bsp_text by) {
    size_t start = 0;
    for (size_t i = 0; i <= bytes.size; i++) {
        bool inside =
            i < bytes.size && bytes.data[i] >= ' ' && bytes.data[i] < 0x7F && bytes.data[i] != '"';
        if (inside) {
            continue;
        }
        bsp_text text = {(const char *)bytes.data + start, i - start};
        if (text.size > 4 && bspi_text_ends_nocase(text, ".vmt") &&
            !bspi_finder_add(f, BSPI_FORM_MATERIAL, text, by, true)) {
            return false;
        }
        start = i + 1;
    }
    return true;
}

bool bspi_finder_read_text(bspi_finder *f, bspi_asset_role role, bsp_bytes bytes, bsp_text by) {
    bsp_text text = {(const char *)bytes.data, bytes.size};
    if (!bspi_heap_work(f->heap, bytes.size / 64, f->error)) {
        return false;
    }
    switch (role) {
    case BSPI_ROLE_PARTICLES:
        return read_particles(f, bytes, by);
    case BSPI_ROLE_PHYSICS:
        return read_physics(f, bytes, by);
    case BSPI_ROLE_SKIN:
        return read_skin(f, text, by);
    case BSPI_ROLE_DETAIL:
        return read_details(f, text, by);
    case BSPI_ROLE_RESOURCES:
        return read_words(f, role, text, by);
    case BSPI_ROLE_OVERVIEW:
        return f->ways->named_by_files ? read_pairs(f, role, text, by)
                                       : read_words(f, role, text, by);
    case BSPI_ROLE_MATERIAL:
    case BSPI_ROLE_SOUNDS:
    case BSPI_ROLE_PARTICLE_LIST:
        return read_pairs(f, role, text, by);
    default:
        return true;
    }
}
