// SPDX-License-Identifier: MIT
// A map under another name: the files of its zip that games look for by its name, and the paths of
// these in materials, entities and texts. Nothing is written here: the changes of all lumps are
// made together, or none.
#include "bspkit/edit.h"

#include "core/buffer.h"
#include "core/options.h"
#include "core/text.h"
#include "edit/heap.h"
#include "formats/map_files.h"

#include <assert.h>
#include <string.h>

#define LONGEST_NAME 63u // with the folder and ending a path of the engine, MAX_QPATH
#define MOST_LUMPS 4u

typedef struct owner {
    bsp_rename public;
    bspi_heap heap;
    bspi_arena arena;
    bsp_pak *pak;
    bsp_plan *zip;
    bsp_blob *blobs; // contents of files
    uint32_t num_blobs;
    bsp_blob packed[MOST_LUMPS];
    bsp_blob data[MOST_LUMPS];
    bsp_lump_change changes[MOST_LUMPS];
} owner;

typedef struct renamer {
    owner *to;
    const bsp_file *file;
    bsp_family family;
    bsp_text from;
    bsp_text name;
    bsp_error *error;
} renamer;

// --- names --------------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool good_name(bsp_text name) {
    static const char bad[] = "/\\:*?\"<>|{};,";
    for (size_t i = 0; i < name.size; i++) {
        unsigned char c = (unsigned char)name.data[i];
        if (c <= ' ' || c == 0x7F || strchr(bad, (char)c) != NULL) {
            return false;
        }
    }
    return name.size != 0 && name.size <= LONGEST_NAME && name.data[0] != '.' &&
           name.data[0] != '-';
}

// --- paths in texts ------------------------------------------------------------------------------

// Returns true if a path may begin at the place: nothing of a longer one stands before it.
static bool begins_path(bsp_bytes text, size_t at) {
    static const char before[] = " \t\r\n\"'=,;{}()[]<>!*#@^)$?&~`+";
    return at == 0 || text.data[at - 1] < ' ' || strchr(before, (char)text.data[at - 1]) != NULL;
}

// Returns the characters from a place on that may be of one path.
static bsp_text path_at(const renamer *r, bsp_bytes text, size_t at) {
    bool blanks = false; // the old name has some
    for (size_t i = 0; i < r->from.size; i++) {
        blanks = blanks || is_blank(r->from.data[i]);
    }
    size_t end = at;
    while (end < text.size && end - at < 512 && text.data[end] >= ' ' &&
           strchr("\"{};,", (char)text.data[end]) == NULL &&
           (blanks || !is_blank((char)text.data[end]))) {
        end++;
    }
    return (bsp_text){(const char *)text.data + at, end - at};
}

// Finds the next path that bears the old name, from `at` on: gives where the name stands. SIZE_MAX
// without one. The compilers put paths into folders of such a name too (maps/NAME/maps/NAME/...),
// so that a path may begin there.
static size_t next_name(const renamer *r, bsp_bytes text, size_t at) {
    bool inside = at != 0 && at < text.size && (text.data[at] == '/' || text.data[at] == '\\');
    for (size_t i = at; i < text.size; i++) {
        char c = bspi_lower((char)text.data[i]);
        if (c < 'a' || c > 'z' || !(begins_path(text, i) || (inside && i == at + 1))) {
            continue;
        }
        size_t name = bspi_map_file_name_at(r->family, path_at(r, text, i), r->from);
        if (name != SIZE_MAX) {
            return i + name;
        }
    }
    return SIZE_MAX;
}

// Writes a text with the new name in its paths. Returns how many there were.
static uint32_t write_renamed(const renamer *r, bsp_bytes text, bspi_buffer *out) {
    uint32_t count = 0;
    size_t at = 0;
    for (size_t name; (name = next_name(r, text, at)) != SIZE_MAX; count++) {
        bspi_buffer_add(out, text.data + at, name - at);
        bspi_buffer_add(out, r->name.data, r->name.size);
        at = name + r->from.size;
    }
    if (at < text.size) {
        bspi_buffer_add(out, text.data + at, text.size - at);
    }
    return count;
}

// Moves the bytes out of a buffer, which is empty then.
static bool take(bspi_buffer *from, bsp_blob *to) {
    bspi_buffer bytes = *from;
    *from = (bspi_buffer){.heap = bytes.heap, .error = bytes.error};
    if (!bytes.failed && bspi_buffer_give(&bytes, to)) {
        return true;
    }
    bspi_buffer_free(&bytes);
    return false;
}

// --- the lumps ----------------------------------------------------------------------------------

// Adds the change of a lump; its bytes are taken from the buffer.
static bool add_lump(renamer *r, uint32_t lump, bspi_buffer *bytes) {
    owner *to = r->to;
    uint32_t n = to->public.num_changes;
    if (n == MOST_LUMPS || !take(bytes, &to->data[n])) {
        return false;
    }
    if (!bsp_lump_change_make(r->file, lump, (bsp_bytes){to->data[n].data, to->data[n].size},
                              &to->heap.allocator, &to->packed[n], &to->changes[n], r->error)) {
        return false;
    }
    to->public.num_changes++;
    return true;
}

static bool read_lump(const renamer *r, bsp_table_id id, uint32_t *lump, bsp_bytes *bytes) {
    *bytes = (bsp_bytes){NULL, 0};
    *lump = bsp_file_find_id(r->file, id);
    return *lump == BSP_NONE || bsp_file_data(r->file, *lump, bytes, r->error);
}

static bool rename_entities(renamer *r) {
    uint32_t lump;
    bsp_bytes text;
    bspi_buffer out = {.heap = &r->to->heap, .error = r->error};
    if (!read_lump(r, BSP_ID_ENTITIES, &lump, &text)) {
        return false;
    }
    uint32_t count = write_renamed(r, text, &out);
    r->to->public.num_paths += count;
    bool done = !out.failed && (count == 0 || add_lump(r, lump, &out));
    bspi_buffer_free(&out);
    return done;
}

// Where the strings of materials went.
typedef struct moves {
    const uint32_t *old; // where each string begins, ascending
    const uint32_t *now;
    uint32_t count;
    uint32_t changed;
} moves;

static bool move_strings(renamer *r, bsp_bytes strings, bspi_buffer *out, moves *m) {
    uint32_t count = 0;
    for (size_t i = 0; i < strings.size; i++) {
        count += i + 1 == strings.size || strings.data[i] == '\0' ? 1 : 0;
    }
    uint32_t *old = bspi_arena_raw(&r->to->arena, count, sizeof *old, r->error);
    uint32_t *now = bspi_arena_raw(&r->to->arena, count, sizeof *now, r->error);
    if (old == NULL || now == NULL || !bspi_heap_work(&r->to->heap, count, r->error)) {
        return false;
    }
    *m = (moves){.old = old, .now = now};
    for (size_t at = 0; at < strings.size;) {
        size_t end = at;
        while (end < strings.size && strings.data[end] != '\0') {
            end++;
        }
        end += end < strings.size ? 1 : 0;
        old[m->count] = (uint32_t)at;
        now[m->count++] = (uint32_t)out->size;
        m->changed += write_renamed(r, (bsp_bytes){strings.data + at, end - at}, out);
        at = end;
    }
    return !out->failed;
}

// Returns where an offset is now; one inside of a string stays as far from its end. `*in` is the
// string's number.
static uint32_t moved(const moves *m, uint32_t offset, uint32_t old_size, uint32_t new_size) {
    uint32_t low = 0;
    uint32_t high = m->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (m->old[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (m->count == 0 || offset >= old_size || m->old[low] == offset) {
        return m->count == 0 || offset >= old_size ? offset : m->now[low];
    }
    uint32_t old_end = low + 1 < m->count ? m->old[low + 1] : old_size;
    uint32_t new_end = low + 1 < m->count ? m->now[low + 1] : new_size;
    uint32_t left = old_end - offset;
    return left <= new_end - m->now[low] ? new_end - left : m->now[low];
}

static bool move_table(renamer *r, const moves *m, uint32_t old_size, uint32_t new_size) {
    bsp_parts parts;
    bsp_table table;
    bspi_buffer out = {.heap = &r->to->heap, .error = r->error};
    if (!bsp_file_table(r->file, BSP_ID_STRING_TABLE, &parts, &table)) {
        return bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                        "the map has no table of its strings: they cannot be changed");
    }
    bool big_endian = bsp_file_get_info(r->file)->detection.big_endian;
    for (uint32_t i = 0; i < table.count; i++) {
        uint32_t offset = (uint32_t)bsp_table_int(&table, i, 0, 0);
        bspi_buffer_u32(&out, moved(m, offset, old_size, new_size), big_endian);
    }
    bsp_parts_free(&parts);
    bool done = !out.failed && (out.size == 0 ||
                                add_lump(r, bsp_file_find_id(r->file, BSP_ID_STRING_TABLE), &out));
    bspi_buffer_free(&out);
    return done;
}

static bool rename_materials(renamer *r) {
    uint32_t lump;
    bsp_bytes strings;
    moves m;
    bspi_buffer out = {.heap = &r->to->heap, .error = r->error};
    if (!read_lump(r, BSP_ID_STRING_DATA, &lump, &strings)) {
        return false;
    }
    bool done = move_strings(r, strings, &out, &m);
    uint32_t size = (uint32_t)out.size;
    r->to->public.num_paths += done ? m.changed : 0;
    if (done && m.changed != 0) {
        done = add_lump(r, lump, &out) && move_table(r, &m, (uint32_t)strings.size, size);
    }
    bspi_buffer_free(&out);
    return done;
}

// --- the zip ------------------------------------------------------------------------------------

// The files of the zip, as they change.
typedef struct files {
    bsp_pak_change *changes; // two for each file at most
    uint32_t count;
} files;

static bool is_text(bsp_bytes bytes) {
    while (bytes.size != 0 && bytes.data[bytes.size - 1] == '\0') {
        bytes.size--;
    }
    return bytes.size == 0 || memchr(bytes.data, '\0', bytes.size) == NULL;
}

static bool new_name(renamer *r, bsp_text old, bsp_text *out) {
    bspi_buffer name = {.heap = &r->to->heap, .error = r->error};
    (void)write_renamed(r, (bsp_bytes){(const uint8_t *)old.data, old.size}, &name);
    const char *copy =
        name.failed ? NULL
                    : bspi_arena_text(&r->to->arena, (bsp_text){(const char *)name.data, name.size},
                                      r->error);
    *out = (bsp_text){copy, name.size};
    bspi_buffer_free(&name);
    return copy != NULL;
}

// Refuses a name that another file of the zip has.
static bool is_free(const renamer *r, bsp_text name, uint32_t besides) {
    const bsp_pak *pak = r->to->pak;
    for (uint32_t i = 0; i < pak->count; i++) {
        if (i != besides && bspi_text_equal_nocase(pak->entries[i].name, name)) {
            return bsp_fail(r->error, BSP_E_ARGUMENT, NULL, "the pak has a file %.*s already",
                            (int)name.size, name.data);
        }
    }
    return true;
}

// Replaces the contents of a file where they name paths that change. Returns false on failure.
static bool rename_contents(renamer *r, uint32_t n, bsp_blob *blob, bool *changed) {
    const bsp_pak_entry *entry = &r->to->pak->entries[n];
    bsp_bytes bytes = {blob->data, blob->size};
    bspi_buffer out = {.heap = &r->to->heap, .error = r->error};
    *changed = next_name(r, bytes, 0) != SIZE_MAX;
    if (!*changed) {
        return true;
    }
    if (!is_text(bytes)) {
        return bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                        "%.*s names files of the map, and only texts are changed",
                        (int)entry->name.size, entry->name.data);
    }
    r->to->public.num_paths += write_renamed(r, bytes, &out);
    bsp_blob_free(blob);
    return take(&out, blob);
}

static uint16_t method_of(const bsp_pak_entry *entry) {
    bool known = entry->method == BSP_PAK_DEFLATE || entry->method == BSP_PAK_LZMA;
    return known ? entry->method : BSP_PAK_STORED;
}

static bool rename_file(renamer *r, uint32_t n, files *f) {
    owner *to = r->to;
    const bsp_pak_entry *entry = &to->pak->entries[n];
    size_t at = bspi_map_file_name_at(r->family, entry->name, r->from);
    bsp_text name = entry->name;
    bool changed;
    if (!bspi_heap_work(&to->heap, 1 + entry->size / 64, r->error)) {
        return false;
    }
    if (at != SIZE_MAX && !new_name(r, entry->name, &name)) {
        return false;
    }
    bsp_blob *blob = &to->blobs[to->num_blobs];
    bsp_error why = {0};
    if (!bsp_pak_read(to->pak, n, &to->heap.allocator, blob, &why)) {
        // What cannot be read, and does not bear the name, stays as it is: no engine reads it.
        return at == SIZE_MAX ? !bspi_out_of_memory(&why, r->error)
                              : bsp_fail(r->error, why.code, &why.place, "%.*s: %s",
                                         BSPI_TEXT(entry->name), why.message);
    }
    to->num_blobs++;
    if (!rename_contents(r, n, blob, &changed)) {
        return false;
    }
    if (at == SIZE_MAX && !changed) {
        bsp_blob_free(blob);
        to->num_blobs--;
        return true;
    }
    if (at != SIZE_MAX) {
        if (!is_free(r, name, n)) {
            return false;
        }
        f->changes[f->count++] = (bsp_pak_change){.name = entry->name, .remove = true};
        to->public.num_files++;
    }
    f->changes[f->count++] = (bsp_pak_change){
        .name = name, .data = {blob->data, blob->size}, .method = method_of(entry)};
    return true;
}

static bool rename_files(renamer *r) {
    owner *to = r->to;
    files f = {.count = 0};
    uint32_t lump = bsp_file_find_id(r->file, BSP_ID_PAK);
    to->pak = bsp_file_pak(r->file, NULL, r->error);
    if (to->pak == NULL) {
        return false;
    }
    size_t count = to->pak->count;
    f.changes = bspi_arena_zero(&to->arena, 2 * count + 1, sizeof *f.changes, r->error);
    to->blobs = bspi_arena_zero(&to->arena, count + 1, sizeof *to->blobs, r->error);
    if (f.changes == NULL || to->blobs == NULL ||
        !bspi_heap_work(&to->heap, count * count / 64, r->error)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!rename_file(r, i, &f)) {
            return false;
        }
    }
    if (f.count == 0) {
        return true;
    }
    to->zip = bsp_pak_plan(to->pak, f.changes, f.count, &to->heap.allocator, r->error);
    if (to->zip == NULL || to->public.num_changes == MOST_LUMPS) {
        return false;
    }
    to->changes[to->public.num_changes++] =
        (bsp_lump_change){.lump = lump, .plan = to->zip, .version = BSP_NONE};
    return true;
}

// --- the whole ----------------------------------------------------------------------------------

static bool check_names(const renamer *r) {
    if (!good_name(r->name)) {
        return bsp_fail(r->error, BSP_E_ARGUMENT, NULL,
                        "'%.*s' cannot be the name of a map: at most %u characters, none of them a "
                        "blank, a slash or one of :*?\"<>|{};,",
                        (int)(r->name.size & 0xFFF), r->name.size == 0 ? "" : r->name.data,
                        LONGEST_NAME);
    }
    if (r->from.size == 0 || r->from.size > 255) {
        return bsp_fail(r->error, BSP_E_ARGUMENT, NULL, "the old name of the map is not known");
    }
    return true;
}

bsp_rename *bsp_file_rename(const bsp_file *file, bsp_text from, bsp_text to,
                            const bsp_allocator *allocator, bsp_error *error) {
    assert(file != NULL);
    owner *own = bspi_object_new(allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    bspi_edit_heap(&own->heap, file, allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->public.owner = own;
    own->public.changes = own->changes;
    renamer r = {.to = own,
                 .file = file,
                 .family = bsp_file_get_info(file)->detection.branch->family,
                 .from = from,
                 .name = to,
                 .error = error};
    if (!check_names(&r) || !rename_files(&r) || !rename_entities(&r) || !rename_materials(&r)) {
        bsp_rename_free(&own->public);
        return NULL;
    }
    return &own->public;
}

void bsp_rename_free(bsp_rename *rename) {
    if (rename == NULL || rename->owner == NULL) {
        return;
    }
    owner *own = rename->owner;
    bsp_plan_free(own->zip);
    bsp_pak_close(own->pak);
    for (uint32_t i = 0; i < own->num_blobs; i++) {
        bsp_blob_free(&own->blobs[i]);
    }
    for (uint32_t i = 0; i < MOST_LUMPS; i++) {
        bsp_blob_free(&own->packed[i]);
        bsp_blob_free(&own->data[i]);
    }
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}

bsp_text bsp_pak_map_name(const bsp_pak *pak) {
    assert(pak != NULL);
    static const char folder[] = "materials/maps/";
    bsp_text name = {NULL, 0};
    for (uint32_t i = 0; i < pak->count; i++) {
        bsp_text path = pak->entries[i].name;
        if (!bspi_text_begins_nocase(path, folder)) {
            continue;
        }
        bsp_text part = {path.data + sizeof folder - 1, 0};
        size_t room = path.size - (sizeof folder - 1);
        while (part.size < room && part.data[part.size] != '/' && part.data[part.size] != '\\') {
            part.size++;
        }
        bool whole = part.size != 0 && part.size < room;
        if (whole && name.size != 0 && !bspi_text_equal_nocase(name, part)) {
            return (bsp_text){NULL, 0};
        }
        name = whole && name.size == 0 ? part : name;
    }
    return name;
}
