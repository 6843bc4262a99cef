// SPDX-License-Identifier: MIT
// What models and sprites name: lists of names by the tables, and what stands elsewhere in a model.
// Formats: sheet model-files. Every offset is checked where it is used.
#include "compare/assets/finder.h"

#include "core/reader.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define MOST_FOLDERS 64u

typedef struct reading {
    bspi_finder *f;
    bsp_bytes bytes;
    bool big_endian;
    bsp_text by; // the name of the model
    bsp_text folders[MOST_FOLDERS];
    uint32_t num_folders;
} reading;

static uint32_t number(const reading *r, uint64_t at) {
    bsp_bytes bytes = bspi_slice(r->bytes, at, 4);
    return bytes.size == 0 ? 0 : bspi_load32(bytes.data, r->big_endian);
}

// Returns the text at an offset up to its NUL, at most `most` characters long.
static bsp_text text_at(bsp_bytes bytes, uint64_t at, size_t most) {
    bsp_text text = {NULL, 0};
    if (at >= bytes.size) {
        return text;
    }
    text.data = (const char *)bytes.data + at;
    while (text.size < most && text.size < bytes.size - at && text.data[text.size] != '\0') {
        text.size++;
    }
    return text;
}

// Returns how many of `count` records lie in the file.
static uint32_t present(const reading *r, uint64_t at, uint32_t count, uint32_t record) {
    uint64_t room = at >= r->bytes.size ? 0 : (r->bytes.size - at) / record;
    return count < room ? count : (uint32_t)room;
}

// --- lists by the tables -------------------------------------------------------------------------

static bool add_word(reading *r, const bspi_model_names *row, bsp_text name) {
    switch (row->word) {
    case BSPI_WORD_FOLDER:
        if (r->num_folders < MOST_FOLDERS) {
            r->folders[r->num_folders++] = name;
        }
        return true;
    case BSPI_WORD_MATERIAL:
        return bspi_finder_add_in(r->f, BSPI_FORM_MATERIAL, r->folders, r->num_folders, name,
                                  r->by);
    case BSPI_WORD_SHADER:
        return bspi_finder_add_shader(r->f, name, r->by);
    default:
        return bspi_finder_add(r->f, row->form, name, r->by, true);
    }
}

static bool read_row(reading *r, const bspi_model_names *row) {
    uint64_t start = row->table == 0 ? row->start : number(r, row->table);
    uint32_t count = present(r, start, number(r, row->count), row->record);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t record = start + (uint64_t)i * row->record;
        uint64_t at = record + row->name;
        if (row->size == 0) {
            at = number(r, at) + (row->from_file ? 0 : record);
        }
        bsp_text name = text_at(r->bytes, at, row->size == 0 ? 512 : row->size);
        if (!bspi_heap_work(r->f->heap, 1, r->f->error) || !add_word(r, row, name)) {
            return false;
        }
    }
    return true;
}

// Reads the rows of a format: the folders first, in which its materials are looked for.
static bool read_rows(reading *r, uint32_t version) {
    size_t count;
    const bspi_model_names *rows = bspi_asset_model_names(&count);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            bool folders = rows[i].word == BSPI_WORD_FOLDER;
            bool fits = memcmp(r->bytes.data, rows[i].magic, 4) == 0 && version >= rows[i].first &&
                        version <= rows[i].last && folders == (pass == 0);
            if (fits && !read_row(r, &rows[i])) {
                return false;
            }
        }
    }
    return true;
}

// --- Source -------------------------------------------------------------------------------------

static bsp_text stem_of(bsp_text name) {
    (void)bspi_text_cut_end(&name, ".mdl");
    return name;
}

// Each level of detail of the strips may have materials of its own: a list for each level, of
// records of six bytes, the last four the offset of the name from the record.
static bool read_strips(reading *r, bsp_bytes strips) {
    reading v = {.f = r->f, .bytes = strips};
    uint32_t lists = number(&v, 24);
    uint32_t levels = present(&v, lists, number(&v, 20), 8);
    if (number(&v, 0) != 7) {
        return true;
    }
    for (uint32_t level = 0; level < levels; level++) {
        uint64_t list = (uint64_t)lists + 8 * (uint64_t)level;
        uint64_t first = list + number(&v, list + 4);
        uint32_t count = present(&v, first, number(&v, list), 6);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t record = first + 6 * (uint64_t)i;
            bsp_text name = text_at(strips, record + number(&v, record + 2), 512);
            if (!bspi_heap_work(r->f->heap, 1, r->f->error) ||
                !bspi_finder_add_in(r->f, BSPI_FORM_MATERIAL, r->folders, r->num_folders, name,
                                    r->by)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_strip_file(reading *r) {
    static const char *const endings[] = {".dx90.vtx", ".vtx", ".dx80.vtx", ".sw.vtx"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[1024];
        bsp_text stem = stem_of(r->by);
        bsp_asset_use use = {.found = false};
        int size =
            snprintf(name, sizeof name, "%.*s%s", (int)(stem.size & 0x1FF), stem.data, endings[i]);
        use.name = (bsp_text){name, size < 0 ? 0 : (size_t)size};
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

// Animations may stand in a file of their own, which the head names (sheet model-files, section 1).
static bool read_source(reading *r) {
    if (number(r, 352) != 0) {
        bsp_text animations = text_at(r->bytes, number(r, 348), 512);
        if (!bspi_finder_add(r->f, BSPI_FORM_FILE, animations, r->by, true)) {
            return false;
        }
    }
    return read_strip_file(r);
}

// --- GoldSrc ------------------------------------------------------------------------------------

static bool add_ended(reading *r, const char *ending) {
    bsp_text stem = stem_of(r->by);
    char name[1024];
    int size = snprintf(name, sizeof name, "%.*s%s", (int)(stem.size & 0x1FF), stem.data, ending);
    return size < 0 ||
           bspi_finder_add(r->f, BSPI_FORM_MODEL, (bsp_text){name, (size_t)size}, r->by, true);
}

// Sounds that sequences play, and sprites that they show: 76 bytes each, with the name from
// byte 12.
static bool read_events(reading *r) {
    uint64_t first = number(r, 168);
    uint32_t sequences = present(r, first, number(r, 164), 176);
    for (uint32_t s = 0; s < sequences; s++) {
        uint64_t at = first + 176 * (uint64_t)s;
        uint64_t event = number(r, at + 52);
        uint32_t events = present(r, event, number(r, at + 48), 76);
        if (!bspi_heap_work(r->f->heap, 1 + (uint64_t)events, r->f->error)) {
            return false;
        }
        for (uint32_t e = 0; e < events; e++) {
            bsp_text name = text_at(r->bytes, event + 76 * (uint64_t)e + 12, 64);
            if (!bspi_finder_add_value(r->f, BSPI_ROLE_ENTITY, bsp_text_of(""), name, r->by,
                                       NULL)) {
                return false;
            }
        }
    }
    return true;
}

// Textures and groups of sequences may stand in files of their own: nameT.mdl, name01.mdl ...
// (sheet model-files, section 4).
static bool read_goldsrc(reading *r) {
    bool textures = number(r, 180) == 0 && number(r, 204) != 0;
    uint32_t groups = present(r, number(r, 176), number(r, 172), 104);
    if (textures && !add_ended(r, "T.mdl")) {
        return false;
    }
    for (uint32_t i = 1; i < groups && i < 100; i++) {
        char ending[16];
        snprintf(ending, sizeof ending, "%02u.mdl", (unsigned)i);
        if (!add_ended(r, ending)) {
            return false;
        }
    }
    return read_events(r);
}

// --- Quake 3 ------------------------------------------------------------------------------------

// MD3: surfaces follow each other by their sizes, each with names of 64 characters.
static bool read_md3(reading *r) {
    uint64_t at = number(r, 100);
    uint32_t count = number(r, 84);
    for (uint32_t s = 0; s < count && at + 108 <= r->bytes.size; s++) {
        uint64_t names = at + number(r, at + 92);
        uint32_t shaders = present(r, names, number(r, at + 76), 68);
        uint32_t size = number(r, at + 104);
        for (uint32_t i = 0; i < shaders; i++) {
            bsp_text name = text_at(r->bytes, names + 68 * (uint64_t)i, 64);
            if (!bspi_finder_add_shader(r->f, name, r->by)) {
                return false;
            }
        }
        if (size < 108 || !bspi_heap_work(r->f->heap, 1, r->f->error)) {
            return size < 108;
        }
        at += size;
    }
    return true;
}

// GLM: the file of its animations, and a tree of surfaces, to which offsets after the head lead.
static bool read_glm(reading *r) {
    uint32_t count = present(r, 164, number(r, 152), 4);
    bsp_text animations = text_at(r->bytes, 72, 64);
    char name[80];
    int size = snprintf(name, sizeof name, "%.*s.gla", (int)animations.size,
                        animations.size == 0 ? "" : animations.data);
    if (animations.size != 0 && animations.data[0] != '*' && size > 0 &&
        !bspi_finder_add(r->f, BSPI_FORM_FILE, (bsp_text){name, (size_t)size}, r->by, true)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t surface = 164 + (uint64_t)number(r, 164 + 4 * (uint64_t)i);
        bsp_text shader = text_at(r->bytes, surface + 68, 64);
        bool shown = shader.size != 0 && shader.data[0] != '[';
        if (shown && !bspi_finder_add_shader(r->f, shader, r->by)) {
            return false;
        }
    }
    return true;
}

// IQM: meshes of 24 bytes, whose second number is the place of the material's name in the texts.
static bool read_iqm(reading *r) {
    uint64_t texts = number(r, 32);
    uint64_t first = number(r, 40);
    uint32_t count = present(r, first, number(r, 36), 24);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = number(r, first + 24 * (uint64_t)i + 4);
        if (!bspi_finder_add_shader(r->f, text_at(r->bytes, texts + at, 256), r->by)) {
            return false;
        }
    }
    return true;
}

bool bspi_finder_read_model(bspi_finder *f, const bsp_asset_use *use, bsp_bytes bytes) {
    static const struct {
        char magic[5];
        uint32_t first;
        uint32_t last;
        bool (*read)(reading *r);
    } formats[] = {
        {"IDST", 44, 49, read_source},     {"IDST", 10, 10, read_goldsrc},
        {"IDP3", 15, 15, read_md3},        {"2LGM", 5, 6, read_glm},
        {"INTE", 0, UINT32_MAX, read_iqm}, // INTERQUAKEMODEL
    };
    reading r = {.f = f, .bytes = bytes, .by = use->name};
    if (bytes.size < 64) {
        return true;
    }
    uint32_t version = number(&r, 4);
    bool done = read_rows(&r, version);
    for (size_t i = 0; done && i < sizeof formats / sizeof *formats; i++) {
        if (memcmp(bytes.data, formats[i].magic, 4) == 0 && version >= formats[i].first &&
            version <= formats[i].last) {
            done = formats[i].read(&r);
        }
    }
    return done;
}
