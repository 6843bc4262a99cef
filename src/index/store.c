// SPDX-License-Identifier: MIT
// Writes what was gathered of a map into the tables.
#include "index/database.h"
#include "index/record.h"

#include <assert.h>
#include <string.h>

#define MOST_TEXT 4096u // bytes of a text that are kept
#define PLACE_BITS 24   // of an entity's number in the id of its place
#define MOST_PLACED ((uint32_t)1 << PLACE_BITS)

// --- texts --------------------------------------------------------------------------------------

// Returns how many bytes a character of UTF-8 has, or 0.
static size_t utf8_size(const uint8_t *at, size_t left) {
    uint8_t first = at[0];
    size_t size = first < 0x80   ? 1
                  : first < 0xC2 ? 0
                  : first < 0xE0 ? 2
                  : first < 0xF0 ? 3
                  : first < 0xF5 ? 4
                                 : 0;
    for (size_t i = 1; i < size; i++) {
        if (i >= left || (at[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool wrong = (first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F) ||
                 (first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F);
    return size > 1 && wrong ? 0 : size;
}

// Writes a text as SQLite has it: bytes that are no UTF-8 are taken for Latin-1, and NULs are left
// out. Returns its size.
static size_t clean(bsp_text text, char out[MOST_TEXT]) {
    const uint8_t *data = (const uint8_t *)text.data;
    size_t used = 0;
    for (size_t i = 0; i < text.size && used + 4 <= MOST_TEXT;) {
        size_t size = utf8_size(data + i, text.size - i);
        if (size != 0) {
            memcpy(out + used, data + i, size);
            used += data[i] != 0 ? size : 0;
            i += size;
        } else {
            out[used++] = (char)(0xC0 | data[i] >> 6);
            out[used++] = (char)(0x80 | (data[i] & 0x3F));
            i++;
        }
    }
    return used;
}

typedef struct store {
    bsp_index *index;
    const bspi_record *record;
    int64_t map;
    bsp_error *error;
} store;

static void bind_text(sqlite3_stmt *statement, int n, const char *text) {
    (void)sqlite3_bind_text(statement, n, text, -1, SQLITE_STATIC);
}

// Returns the number of a text, which is added if it is new; 0 on failure.
static int64_t text_id(const store *s, bsp_text text) {
    char room[MOST_TEXT];
    size_t size = clean(text, room);
    sqlite3_stmt *find = bspi_index_statement(s->index, BSPI_FIND_TEXT, s->error);
    if (find == NULL) {
        return 0;
    }
    (void)sqlite3_bind_text(find, 1, room, (int)size, SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW) {
        return sqlite3_column_int64(find, 0);
    }
    sqlite3_stmt *add = bspi_index_statement(s->index, BSPI_ADD_TEXT, s->error);
    if (add == NULL) {
        return 0;
    }
    (void)sqlite3_bind_text(add, 1, room, (int)size, SQLITE_STATIC);
    if (!bspi_index_step(s->index, add, s->error)) {
        return 0;
    }
    int64_t id = sqlite3_last_insert_rowid(s->index->db);
    sqlite3_stmt *words = bspi_index_statement(s->index, BSPI_ADD_WORDS, s->error);
    if (words == NULL) {
        return 0;
    }
    (void)sqlite3_bind_int64(words, 1, id);
    (void)sqlite3_bind_text(words, 2, room, (int)size, SQLITE_STATIC);
    return bspi_index_step(s->index, words, s->error) ? id : 0;
}

// Returns the number of a pair of texts; 0 on failure.
static int64_t fact_id(const store *s, int64_t key, int64_t value) {
    sqlite3_stmt *find = bspi_index_statement(s->index, BSPI_FIND_FACT, s->error);
    if (find == NULL || key == 0 || value == 0) {
        return 0;
    }
    (void)sqlite3_bind_int64(find, 1, key);
    (void)sqlite3_bind_int64(find, 2, value);
    if (sqlite3_step(find) == SQLITE_ROW) {
        return sqlite3_column_int64(find, 0);
    }
    sqlite3_stmt *add = bspi_index_statement(s->index, BSPI_ADD_FACT, s->error);
    if (add == NULL) {
        return 0;
    }
    (void)sqlite3_bind_int64(add, 1, key);
    (void)sqlite3_bind_int64(add, 2, value);
    return bspi_index_step(s->index, add, s->error) ? sqlite3_last_insert_rowid(s->index->db) : 0;
}

// --- entities -----------------------------------------------------------------------------------

static bool add_pairs(const store *s, const bsp_entity *entity, uint32_t number) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        const bsp_pair *pair = &entity->pairs[i];
        int64_t key = text_id(s, pair->key);
        int64_t fact = key == 0 ? 0 : fact_id(s, key, text_id(s, pair->value));
        sqlite3_stmt *one =
            fact == 0 ? NULL : bspi_index_statement(s->index, BSPI_ADD_ENTITY_FACT, s->error);
        sqlite3_stmt *all =
            one == NULL ? NULL : bspi_index_statement(s->index, BSPI_ADD_MAP_FACT, s->error);
        if (all == NULL) {
            return false;
        }
        const int64_t values[] = {s->map, number, i, fact};
        for (int n = 0; n < 4; n++) {
            (void)sqlite3_bind_int64(one, n + 1, values[n]);
        }
        (void)sqlite3_bind_int64(all, 1, fact);
        (void)sqlite3_bind_int64(all, 2, s->map);
        if (!bspi_index_step(s->index, one, s->error) ||
            !bspi_index_step(s->index, all, s->error)) {
            return false;
        }
    }
    return true;
}

static bool add_place(const store *s, uint32_t number, const float origin[3]) {
    sqlite3_stmt *place = bspi_index_statement(s->index, BSPI_ADD_PLACE, s->error);
    if (place == NULL) {
        return false;
    }
    (void)sqlite3_bind_int64(place, 1, s->map << PLACE_BITS | number);
    for (int i = 0; i < 3; i++) {
        (void)sqlite3_bind_double(place, i + 2, (double)origin[i]);
    }
    return bspi_index_step(s->index, place, s->error);
}

static bool add_entity(const store *s, const bsp_entity *entity, uint32_t number) {
    float origin[3];
    bool placed =
        number < MOST_PLACED && bsp_parse_vector(bsp_entity_value(entity, "origin"), origin) &&
        origin[0] - origin[0] == 0 && origin[1] - origin[1] == 0 && origin[2] - origin[2] == 0;
    int64_t name = text_id(s, bsp_entity_value(entity, "classname"));
    sqlite3_stmt *add =
        name == 0 ? NULL : bspi_index_statement(s->index, BSPI_ADD_ENTITY, s->error);
    if (add == NULL) {
        return false;
    }
    (void)sqlite3_bind_int64(add, 1, s->map);
    (void)sqlite3_bind_int64(add, 2, number);
    (void)sqlite3_bind_int64(add, 3, name);
    for (int i = 0; placed && i < 3; i++) {
        (void)sqlite3_bind_double(add, i + 4, (double)origin[i]);
    }
    return bspi_index_step(s->index, add, s->error) && add_pairs(s, entity, number) &&
           (!placed || add_place(s, number, origin));
}

static bool add_entities(const store *s) {
    const bsp_entities *entities = s->record->map == NULL ? NULL : s->record->map->entities;
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        if (!add_entity(s, &entities->list[i], i)) {
            return false;
        }
    }
    return true;
}

// --- the rest -----------------------------------------------------------------------------------

static bool add_names(const store *s) {
    for (size_t i = 0; i < s->record->num_names; i++) {
        const bspi_name *name = &s->record->names[i];
        int64_t text = text_id(s, name->text);
        sqlite3_stmt *add =
            text == 0 ? NULL : bspi_index_statement(s->index, BSPI_ADD_NAME, s->error);
        if (add == NULL) {
            return false;
        }
        (void)sqlite3_bind_int64(add, 1, s->map);
        bind_text(add, 2, name->kind);
        (void)sqlite3_bind_int64(add, 3, text);
        if (name->found >= 0) {
            (void)sqlite3_bind_int(add, 4, name->found);
        }
        (void)sqlite3_bind_int64(add, 5, (int64_t)name->size);
        if (name->hash != 0) {
            (void)sqlite3_bind_int64(add, 6, (int64_t)name->hash);
        }
        if (!bspi_index_step(s->index, add, s->error)) {
            return false;
        }
    }
    return true;
}

static bool add_counts(const store *s) {
    const bsp_file *file = s->record->file;
    const bsp_file_info *info = bsp_file_get_info(file);
    const bsp_game *game = bsp_file_game(file);
    for (uint32_t i = 0; i < info->num_lumps; i++) {
        const bsp_lump *lump = bsp_file_lump(file, i);
        bsp_limit limit = {0, false};
        if (lump->def != NULL) {
            limit = bsp_game_lump_limit(game, lump->def);
        }
        bool records =
            lump->id != BSP_ID_NONE && !limit.in_bytes && bsp_file_find_id(file, lump->id) == i;
        uint32_t used = records ? bsp_file_count(file, lump->id) : lump->unpacked_size;
        sqlite3_stmt *add =
            used == 0 ? NULL : bspi_index_statement(s->index, BSPI_ADD_COUNT, s->error);
        if (add == NULL) {
            if (used != 0) {
                return false;
            }
            continue;
        }
        (void)sqlite3_bind_int64(add, 1, s->map);
        bind_text(add, 2, lump->name);
        (void)sqlite3_bind_int64(add, 3, used);
        if (limit.max != 0) {
            (void)sqlite3_bind_int64(add, 4, limit.max);
        }
        if (!bspi_index_step(s->index, add, s->error)) {
            return false;
        }
    }
    return true;
}

static bool add_issues(const store *s) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(s->record->issues, &count);
    for (size_t i = 0; i < count; i++) {
        sqlite3_stmt *add = bspi_index_statement(s->index, BSPI_ADD_ISSUE, s->error);
        if (add == NULL) {
            return false;
        }
        (void)sqlite3_bind_int64(add, 1, s->map);
        bind_text(add, 2, list[i].kind->id);
        bind_text(add, 3, bsp_severity_name(list[i].kind->severity));
        (void)sqlite3_bind_int64(add, 4,
                                 (int64_t)bsp_issues_count_kind(s->record->issues, list[i].kind));
        bind_text(add, 5, list[i].text);
        if (!bspi_index_step(s->index, add, s->error)) {
            return false;
        }
    }
    return true;
}

static bool add_sketch(const store *s) {
    for (uint32_t i = 0; i < s->record->num_sketch; i++) {
        sqlite3_stmt *add = bspi_index_statement(s->index, BSPI_ADD_SKETCH, s->error);
        if (add == NULL) {
            return false;
        }
        (void)sqlite3_bind_int64(add, 1, s->map);
        (void)sqlite3_bind_int64(add, 2, (int64_t)s->record->sketch[i]);
        if (!bspi_index_step(s->index, add, s->error)) {
            return false;
        }
    }
    return true;
}

// --- a map --------------------------------------------------------------------------------------

// Takes out what the tables have of a map.
static bool remove_map(const bsp_index *index, int64_t map, bsp_error *error) {
    char sql[1024];
    (void)sqlite3_snprintf(
        sizeof sql, sql,
        "DELETE FROM map_facts WHERE map=%lld AND fact IN"
        " (SELECT fact FROM entity_facts WHERE map=%lld);"
        "DELETE FROM places WHERE id IN"
        " (SELECT %lld<<%d|number FROM entities WHERE map=%lld AND x IS NOT NULL);"
        "DELETE FROM entity_facts WHERE map=%lld; DELETE FROM entities WHERE map=%lld;"
        "DELETE FROM names WHERE map=%lld; DELETE FROM counts WHERE map=%lld;"
        "DELETE FROM issues WHERE map=%lld; DELETE FROM sketches WHERE map=%lld;"
        "DELETE FROM maps WHERE id=%lld;",
        map, map, map, PLACE_BITS, map, map, map, map, map, map, map, map);
    return bspi_index_run(index, sql, error);
}

// Finds the row of a path; 0: there is none.
static bool find_row(bsp_index *index, const bsp_index_source *source, int64_t *map, bool *current,
                     bsp_error *error) {
    sqlite3_stmt *find = bspi_index_statement(index, BSPI_FIND_SOURCE, error);
    *map = 0;
    *current = false;
    if (find == NULL) {
        return false;
    }
    bind_text(find, 1, source->path);
    int status = sqlite3_step(find);
    if (status == SQLITE_ROW) {
        *map = sqlite3_column_int64(find, 0);
        *current = sqlite3_column_int64(find, 1) == (int64_t)source->size &&
                   sqlite3_column_int64(find, 2) == source->changed;
    }
    (void)sqlite3_reset(find);
    return status == SQLITE_ROW || status == SQLITE_DONE || bspi_index_fail(index, error);
}

bool bsp_index_is_current(bsp_index *index, const bsp_index_source *source, bool *current,
                          bsp_error *error) {
    assert(index != NULL && source != NULL && source->path != NULL && current != NULL);
    int64_t map;
    (void)pthread_mutex_lock(&index->lock);
    bool done = find_row(index, source, &map, current, error);
    (void)pthread_mutex_unlock(&index->lock);
    return done;
}

static void bind_facts(sqlite3_stmt *add, const bspi_record *r) {
    const bsp_file_info *info = bsp_file_get_info(r->file);
    const bsp_branch *branch = info->detection.branch;
    const bsp_game *game = bsp_file_game(r->file);
    uint64_t errors = bsp_issues_count(r->issues, BSP_ERROR);
    (void)sqlite3_bind_int64(add, 5, (int64_t)info->bytes.size);
    bind_text(add, 6, r->sha256);
    bind_text(add, 7, branch->name);
    bind_text(add, 8, bsp_family_name(branch->family));
    bind_text(add, 9, game == NULL ? "" : game->title);
    (void)sqlite3_bind_int64(add, 10, info->detection.version);
    bind_text(add, 11, r->checksum);
    if (info->revision != BSP_NONE) {
        (void)sqlite3_bind_int64(add, 12, info->revision);
    }
    (void)sqlite3_bind_int64(add, 17, (int64_t)errors);
    (void)sqlite3_bind_int64(add, 18, (int64_t)(bsp_issues_count(r->issues, BSP_WARNING) - errors));
}

static void bind_map(sqlite3_stmt *add, const bspi_record *r) {
    const bsp_map *map = r->map;
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    const uint32_t counts[] = {entities, map->num_faces, map->num_leaves, map->num_brushes};
    for (int i = 0; i < 4; i++) {
        (void)sqlite3_bind_int64(add, 13 + i, counts[i]);
    }
    for (int i = 0; map->num_models != 0 && i < 3; i++) {
        (void)sqlite3_bind_double(add, 19 + i, (double)map->models[0].mins[i]);
        (void)sqlite3_bind_double(add, 22 + i, (double)map->models[0].maxs[i]);
    }
    (void)sqlite3_bind_int64(add, 25, (int64_t)r->geometry);
    if (r->light != 0) {
        (void)sqlite3_bind_int64(add, 26, (int64_t)r->light);
    }
}

// Puts the row of a map in the place of the one that its path had.
static bool add_row(store *s, const bsp_index_source *source, const char *problem) {
    int64_t old;
    bool current;
    if (!bspi_index_begin(s->index, s->error) ||
        !find_row(s->index, source, &old, &current, s->error) ||
        (old != 0 && !remove_map(s->index, old, s->error))) {
        return false;
    }
    sqlite3_stmt *add = bspi_index_statement(s->index, BSPI_ADD_MAP, s->error);
    if (add == NULL) {
        return false;
    }
    bind_text(add, 1, source->path);
    (void)sqlite3_bind_int64(add, 2, (int64_t)source->size);
    (void)sqlite3_bind_int64(add, 3, source->changed);
    bind_text(add, 4, problem);
    if (s->record != NULL) {
        bind_facts(add, s->record);
        if (s->record->map != NULL) {
            bind_map(add, s->record);
        }
    }
    bool done = bspi_index_step(s->index, add, s->error);
    s->map = sqlite3_last_insert_rowid(s->index->db);
    return done;
}

// A map is in the tables whole or not at all.
static bool add_whole(store *s, const bsp_index_source *source, const char *problem) {
    (void)pthread_mutex_lock(&s->index->lock);
    bool done =
        bspi_index_begin(s->index, s->error) && bspi_index_run(s->index, "SAVEPOINT one", s->error);
    if (done) {
        done = add_row(s, source, problem) &&
               (s->record == NULL || (add_entities(s) && add_names(s) && add_counts(s) &&
                                      add_issues(s) && add_sketch(s)));
        (void)bspi_index_run(s->index, done ? "RELEASE one" : "ROLLBACK TO one; RELEASE one", NULL);
    }
    (void)pthread_mutex_unlock(&s->index->lock);
    return done;
}

bool bsp_index_add(bsp_index *index, const bsp_index_source *source, const bsp_file *file,
                   const bsp_search *game, bsp_error *error) {
    assert(index != NULL && source != NULL && source->path != NULL && file != NULL);
    bspi_record record;
    store s = {.index = index, .record = &record, .error = error};
    bool done =
        bspi_record_gather(&record, file, game, error) && add_whole(&s, source, record.problem);
    bspi_record_free(&record);
    return done;
}

bool bsp_index_add_unread(bsp_index *index, const bsp_index_source *source, const char *why,
                          bsp_error *error) {
    assert(index != NULL && source != NULL && source->path != NULL && why != NULL);
    store s = {.index = index, .error = error};
    return add_whole(&s, source, why);
}

bool bsp_index_forget(bsp_index *index, bool (*gone)(void *user, const char *path), void *user,
                      uint32_t *count, bsp_error *error) {
    assert(index != NULL && gone != NULL && count != NULL);
    sqlite3_stmt *list = NULL;
    *count = 0;
    (void)pthread_mutex_lock(&index->lock);
    bool done = bspi_index_begin(index, error) &&
                (sqlite3_prepare_v2(index->db, "SELECT id, path FROM maps ORDER BY id", -1, &list,
                                    NULL) == SQLITE_OK ||
                 bspi_index_fail(index, error));
    while (done && sqlite3_step(list) == SQLITE_ROW) {
        if (gone(user, (const char *)sqlite3_column_text(list, 1))) {
            done = remove_map(index, sqlite3_column_int64(list, 0), error);
            *count += done ? 1 : 0;
        }
    }
    (void)sqlite3_finalize(list);
    (void)pthread_mutex_unlock(&index->lock);
    return done;
}
