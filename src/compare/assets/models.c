// SPDX-License-Identifier: MIT
// What models and sprites name: the fields with names by the table here, their records by the
// tables of the model formats. What names no record holds, files beside the model, is made of its
// own name.
#include "compare/assets/finder.h"

#include "asset/archive/search.h"
#include "core/text.h"
#include "model/rows.h"

#include <stdio.h>
#include <string.h>

#define MOST_FOLDERS 64u
#define MOST_NAME 512u   // characters; games allow 260
#define MOST_GROUPS 100u // of sequences: their files have two digits

typedef struct reading {
    bspi_finder *f;
    const bsp_model_file *file;
    bsp_text by; // the name of the model
    bsp_text folders[MOST_FOLDERS];
    uint32_t num_folders;
} reading;

// --- names in records ---------------------------------------------------------------------------

// Returns the text at an offset up to its NUL; none outside of the file.
static bsp_text text_at(bsp_bytes bytes, int64_t at) {
    bsp_text text = {NULL, 0};
    if (at < 0 || (uint64_t)at >= bytes.size) {
        return text;
    }
    text.data = (const char *)bytes.data + at;
    while (text.size < MOST_NAME && text.size < bytes.size - (size_t)at &&
           text.data[text.size] != '\0') {
        text.size++;
    }
    return text;
}

static int64_t head_number(const reading *r, const char *field) {
    bsp_table head = bspi_model_head(r->file);
    return bspi_model_int(&head, 0, field, 0);
}

static bsp_text name_in(const reading *r, const bspi_model_names *row, const bsp_table *table,
                        uint32_t record) {
    uint32_t field = bsp_layout_find_field(table->layout, bsp_text_of(row->field));
    bsp_bytes bytes = bsp_model_file_get_info(r->file)->bytes;
    if (field == BSP_NONE || table->layout->fields[field].type == BSP_CHAR) {
        return bspi_model_text(table, record, row->field);
    }
    int64_t from = row->from != NULL
                       ? row->from[0] == '\0' ? 0 : head_number(r, row->from)
                       : table->data - bytes.data + (int64_t)record * table->layout->size;
    return text_at(bytes, from + bsp_table_int(table, record, field, 0));
}

// Adds the file of a name with the ending of its row. "*default" is no file (Ghoul 2).
static bool add_file(reading *r, const bspi_model_names *row, bsp_text name) {
    char ended[MOST_NAME + 8];
    if (row->ending == NULL) {
        return bspi_finder_add(r->f, row->form, name, r->by, true);
    }
    int size = snprintf(ended, sizeof ended, "%.*s%s", BSPI_TEXT(name), row->ending);
    return name.size == 0 || name.data[0] == '*' || size < 0 ||
           bspi_finder_add(r->f, row->form, (bsp_text){ended, (size_t)size}, r->by, true);
}

static bool add_word(reading *r, const bspi_model_names *row, bsp_text name) {
    switch (row->word) {
    case BSPI_WORD_FOLDER:
        if (r->num_folders < MOST_FOLDERS) {
            r->folders[r->num_folders++] = name;
        }
        return true;
    case BSPI_WORD_MATERIAL:
        return bspi_finder_add_material(r->f, r->folders, r->num_folders, name, r->by);
    case BSPI_WORD_SHADER:
        // What is in brackets is never drawn ("[nomaterial]" of Ghoul 2).
        return (name.size != 0 && name.data[0] == '[') || bspi_finder_add_shader(r->f, name, r->by);
    case BSPI_WORD_VALUE:
        return bspi_finder_add_value(r->f, BSPI_ROLE_ENTITY, bsp_text_of(""), name, r->by, NULL);
    case BSPI_WORD_FILE:
        break;
    }
    return add_file(r, row, name);
}

static bool read_table(reading *r, const bspi_model_names *row, const bsp_table *table) {
    for (uint32_t i = 0; i < table->count; i++) {
        if (!bspi_heap_work(r->f->heap, 1, r->f->error) ||
            !add_word(r, row, name_in(r, row, table, i))) {
            return false;
        }
    }
    return true;
}

// An array to which the records of another lead is a list of tables.
static bool read_array(reading *r, const bspi_model_names *row, const bsp_parts *parts,
                       uint32_t array) {
    for (uint32_t i = array; i < parts->parts[array].end; i++) {
        if (parts->parts[i].kind == BSP_PART_TABLE || parts->parts[i].kind == BSP_PART_RECORD) {
            bsp_table table = bsp_parts_table(parts, i);
            if (!read_table(r, row, &table)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_row(reading *r, const bspi_model_names *row) {
    const bsp_parts *parts = bsp_model_file_parts(r->file);
    if (row->only_with != NULL && head_number(r, row->only_with) == 0) {
        return true;
    }
    uint32_t array = bsp_parts_find(parts, bsp_text_of(row->array));
    return array == BSP_NONE || read_array(r, row, parts, array);
}

static bool is_format(const reading *r, const char *format) {
    return strcmp(bsp_model_file_get_info(r->file)->format->name, format) == 0;
}

// Reads the rows of a format: the folders first, in which its materials are looked for.
static bool read_rows(reading *r) {
    size_t count;
    const bspi_model_names *rows = bspi_asset_model_names(&count);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            bool folders = rows[i].word == BSPI_WORD_FOLDER;
            if (is_format(r, rows[i].format) && folders == (pass == 0) && !read_row(r, &rows[i])) {
                return false;
            }
        }
    }
    return true;
}

bsp_model_file *bspi_finder_open_model(const bspi_finder *f, bsp_bytes bytes, bool *done) {
    const bsp_model_open_options options = {.allocator = &f->heap->allocator,
                                            .budget = f->heap->budget};
    bsp_error why = {0};
    bsp_model_file *file = bsp_model_file_open_memory(bytes, "", &options, &why);
    *done = file != NULL || !bspi_out_of_memory(&why, f->error);
    return file;
}

// --- files beside a model -----------------------------------------------------------------------

static bsp_text stem_of(bsp_text name) {
    (void)bspi_text_cut_end(&name, ".mdl");
    return name;
}

// Writes the model's name with another ending. Where there is no room it is empty, which names no
// file.
static bsp_text ended_name(const reading *r, const char *ending, char out[BSPI_NAME_ROOM]) {
    bsp_text stem = stem_of(r->by);
    int size = snprintf(out, BSPI_NAME_ROOM, "%.*s%s", BSPI_TEXT(stem), ending);
    return (bsp_text){out, size < 0 || (size_t)size >= BSPI_NAME_ROOM ? 0 : (size_t)size};
}

// Each level of detail of the strips may have materials of its own.
static bool read_strips(const reading *model, bsp_bytes strips) {
    reading r = *model;
    bool done;
    bsp_model_file *file = bspi_finder_open_model(r.f, strips, &done);
    r.file = file;
    done = file == NULL ? done : read_rows(&r);
    bsp_model_file_close(file);
    return done;
}

// Source: the first of the files of strips that is there.
static bool read_strip_file(reading *r) {
    static const char *const endings[] = {".dx90.vtx", ".vtx", ".dx80.vtx", ".sw.vtx"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[BSPI_NAME_ROOM];
        bsp_asset_use use = {.name = ended_name(r, endings[i], name)};
        use.found = bspi_finder_look(r->f, use.name, &use.in_pak) != NULL;
        if (use.found) {
            bsp_blob blob;
            bool done = bspi_finder_read(r->f, &use, &blob) &&
                        read_strips(r, (bsp_bytes){blob.data, blob.size});
            bsp_blob_free(&blob);
            return done;
        }
    }
    return true;
}

static bool add_ended(reading *r, const char *ending) {
    char name[BSPI_NAME_ROOM];
    return bspi_finder_add(r->f, BSPI_FORM_MODEL, ended_name(r, ending, name), r->by, true);
}

// GoldSrc: textures and groups of sequences may stand in files of their own, nameT.mdl, name01.mdl
// ... (sheet model-files, section 4).
static bool add_files(reading *r) {
    bool textures = head_number(r, "numtextures") == 0 && head_number(r, "numbodyparts") != 0;
    int64_t groups = head_number(r, "numseqgroups");
    if (textures && !add_ended(r, "T.mdl")) {
        return false;
    }
    for (int64_t i = 1; i < groups && i < MOST_GROUPS; i++) {
        char ending[16];
        snprintf(ending, sizeof ending, "%02u.mdl", (unsigned)i);
        if (!add_ended(r, ending)) {
            return false;
        }
    }
    return true;
}

bool bspi_finder_read_model(bspi_finder *f, const bsp_asset_use *use, bsp_bytes bytes) {
    bool done;
    bsp_model_file *file = bspi_finder_open_model(f, bytes, &done);
    reading r = {.f = f, .file = file, .by = use->name};
    if (file != NULL) {
        done = (!is_format(&r, "goldsrc-mdl") || add_files(&r)) && read_rows(&r) &&
               (!is_format(&r, "source-mdl") || read_strip_file(&r));
    }
    bsp_model_file_close(file);
    return done;
}
