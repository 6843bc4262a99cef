// SPDX-License-Identifier: MIT
// Finds maps: each term becomes a condition of SQL. What a value must be is asked of the library's
// own conditions, so that they mean here what they mean for the entities of a map.
#include "index/database.h"

#include <assert.h>
#include <string.h>

#define MOST_TERMS 64u
#define LIMIT "limit:"

typedef struct term {
    char *field;       // before the comparison
    const char *value; // after it; of the caller
    bsp_where *where;  // without "!"
    bool negated;
} term;

typedef struct search {
    bsp_index *index;
    term terms[MOST_TERMS];
    uint32_t count;
    sqlite3_str *sql;
    const char *like; // the value of a term like=
    bsp_error *error; // receives what a condition fails with
    bool failed;
} search;

// --- functions of SQL ---------------------------------------------------------------------------

static bsp_text text_of(sqlite3_value *value) {
    const char *data = (const char *)sqlite3_value_text(value);
    return (bsp_text){data, data == NULL ? 0 : (size_t)sqlite3_value_bytes(value)};
}

// met(number of the term, key, value)
static void call_met(sqlite3_context *context, int count, sqlite3_value **values) {
    search *s = sqlite3_user_data(context);
    bsp_pair pair = {text_of(values[1]), text_of(values[2])};
    bool matches = false;
    (void)count;
    if (!bsp_where_ask(s->terms[sqlite3_value_int(values[0])].where, &pair, 1, &matches,
                       s->error)) {
        s->failed = true;
        sqlite3_result_error(context, "a condition takes too long", -1);
        return;
    }
    sqlite3_result_int(context, matches);
}

// matches(text, pattern)
static void call_matches(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sqlite3_result_int(context, bsp_text_matches(text_of(values[0]), text_of(values[1])));
}

// --- terms --------------------------------------------------------------------------------------

static const char *const columns[] = {"path",     "branch",  "family", "game",     "sha256",
                                      "checksum", "problem", "size",   "version",  "faces",
                                      "leaves",   "brushes", "errors", "warnings", "entities"};

// Fields that are names of a kind, and which rows they are.
typedef struct name_field {
    const char *field;
    const char *rows;
} name_field;

static const name_field name_fields[] = {
    {"material", "n.kind IN ('material', 'texture', 'embedded texture')"},
    {"texture", "n.kind IN ('material', 'texture', 'embedded texture')"},
    {"model", "n.kind IN ('model', 'sprite')"},
    {"sound", "n.kind IN ('sound', 'music')"},
    {"needs", "n.kind NOT LIKE 'embedded%'"},
    {"missing", "n.found = 0"},
    {"embedded", "n.kind LIKE 'embedded%'"},
};

static bool is_column(const char *field) {
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (strcmp(columns[i], field) == 0) {
            return true;
        }
    }
    return false;
}

static bool fail_term(const char *text, const char *why, bsp_error *error) {
    return bsp_fail(error, BSP_E_ARGUMENT, NULL, "the term '%s' %s", text, why);
}

// Takes a term apart, and makes its condition without the "!".
static bool take_term(term *t, const char *text, bsp_error *error) {
    size_t size = 0;
    while (text[size] != '\0' && strchr("=!~<>", text[size]) == NULL) {
        size += text[size] == '\\' && text[size + 1] != '\0' ? 2 : 1;
    }
    if (size == 0 || text[size] == '\0') {
        return fail_term(text, "is not FIELD, a comparison and a value", error);
    }
    t->negated = text[size] == '!';
    const char *rest = text + size + (t->negated ? 1 : 0);
    t->value = rest + 1 + (rest[0] != '\0' && rest[1] == '=' ? 1 : 0);
    t->field = sqlite3_mprintf("%.*s", (int)size, text);
    char *plain = sqlite3_mprintf("%.*s%s", (int)size, text, rest);
    const char *const one = plain;
    t->where = plain == NULL ? NULL : bsp_where_new(&one, 1, NULL, NULL, error);
    sqlite3_free(plain);
    return t->field != NULL && t->where != NULL;
}

// Writes the condition on the keys of entities: the pattern of a key, and the name that the
// condition has for it (NULL: its own).
static void write_key(search *s, uint32_t n, const char *key, const char *name) {
    sqlite3_str_appendf(
        s->sql,
        "m.id IN (SELECT map FROM map_facts WHERE fact IN (SELECT f.id FROM facts f"
        " JOIN texts k ON k.id = f.key JOIN texts v ON v.id = f.value WHERE f.key IN"
        " (SELECT id FROM texts WHERE id IN (SELECT DISTINCT key FROM facts) AND"
        " matches(text, %Q)) AND ",
        key);
    if (name != NULL) {
        sqlite3_str_appendf(s->sql, "met(%u, %Q, v.text)))", n, name);
    } else {
        sqlite3_str_appendf(s->sql, "met(%u, k.text, v.text)))", n);
    }
}

static bool write_near(search *s, const term *t, bsp_error *error) {
    float at[4];
    bsp_text left = bsp_text_of(t->value);
    for (int i = 0; i < 4; i++) {
        const char *comma = left.size == 0 ? NULL : memchr(left.data, ',', left.size);
        size_t size = comma == NULL ? left.size : (size_t)(comma - left.data);
        if (!bsp_parse_float((bsp_text){left.data, size}, &at[i]) || (comma == NULL) != (i == 3)) {
            return fail_term(t->value, "is not X,Y,Z,R", error);
        }
        size += comma == NULL ? 0 : 1;
        left = (bsp_text){left.data + size, left.size - size};
    }
    sqlite3_str_appendf(s->sql, "m.id IN (SELECT id >> 24 FROM places WHERE ");
    for (int i = 0; i < 3; i++) {
        double low = (double)at[i] - (double)at[3], high = (double)at[i] + (double)at[3];
        sqlite3_str_appendf(s->sql, "max%c >= %!.17g AND min%c <= %!.17g AND ", 'x' + i, low,
                            'x' + i, high);
    }
    sqlite3_str_appendf(s->sql,
                        "(minx-(%!.17g))*(minx-(%!.17g))+(miny-(%!.17g))*(miny-(%!.17g))+"
                        "(minz-(%!.17g))*(minz-(%!.17g)) <= %!.17g)",
                        (double)at[0], (double)at[0], (double)at[1], (double)at[1], (double)at[2],
                        (double)at[2], (double)at[3] * (double)at[3]);
    return true;
}

// Full-text search for all words of a value.
static void write_text(search *s, const term *t) {
    sqlite3_str *words = sqlite3_str_new(NULL);
    for (const char *at = t->value; *at != '\0';) {
        size_t size = strcspn(at, " ");
        if (size != 0) {
            sqlite3_str_appendf(words, "\"%.*w\" ", (int)size, at);
        }
        at += size + strspn(at + size, " ");
    }
    char *query = sqlite3_str_finish(words);
    sqlite3_str_appendf(
        s->sql,
        "m.id IN (SELECT map FROM names WHERE text IN (SELECT rowid FROM words WHERE"
        " words MATCH %Q) UNION SELECT map FROM map_facts WHERE fact IN (SELECT id"
        " FROM facts WHERE value IN (SELECT rowid FROM words WHERE words MATCH %Q)))",
        query == NULL ? "\"\"" : query, query == NULL ? "\"\"" : query);
    sqlite3_free(query);
}

// Maps that have half of the hashes of the smaller sketch in common with another map. Of maps of
// one geometry, whose sketches are the same, the first stands for all.
static const char near_duplicates[] =
    "WITH twins AS MATERIALIZED (SELECT geometry, min(id) AS first, count(*) AS n FROM maps"
    " WHERE id IN (SELECT map FROM sketches) GROUP BY ifnull(geometry, -id - 1), geometry),"
    " own AS MATERIALIZED (SELECT hash, map FROM sketches WHERE map IN (SELECT first FROM twins)"
    " ORDER BY hash),"
    " sizes AS MATERIALIZED (SELECT map, count(*) AS n FROM own GROUP BY map),"
    " pairs AS MATERIALIZED (SELECT a.map AS low, b.map AS high, count(*) AS n FROM own a"
    " JOIN own b ON b.hash = a.hash AND b.map > a.map GROUP BY a.map, b.map),"
    " alike AS MATERIALIZED (SELECT p.low, p.high FROM pairs p JOIN sizes l ON l.map = p.low"
    " JOIN sizes h ON h.map = p.high WHERE p.n * 2 >= min(l.n, h.n)),"
    " found AS (SELECT low AS map FROM alike UNION SELECT high FROM alike UNION"
    " SELECT first FROM twins WHERE n > 1)"
    " SELECT map FROM found UNION SELECT o.id FROM found JOIN maps f ON f.id = found.map"
    " JOIN maps o ON o.geometry = f.geometry";

// Writes the condition on the share of a limit, in percent: limit:NAME, a pattern of names of
// lumps.
static void write_limit(search *s, uint32_t n, const term *t) {
    sqlite3_str_appendf(s->sql,
                        "m.id IN (SELECT map FROM counts WHERE most > 0 AND matches(name, %Q) AND"
                        " met(%u, %Q, used * 100.0 / most))",
                        t->field + sizeof LIMIT - 1, n, t->field);
}

// Fails if the index has no map of the path.
static bool has_map(const search *s, const char *path, bsp_error *error) {
    sqlite3_stmt *rows = NULL;
    char *sql = sqlite3_mprintf("SELECT 1 FROM maps WHERE path = %Q", path);
    int status =
        sql == NULL ? SQLITE_NOMEM : sqlite3_prepare_v2(s->index->db, sql, -1, &rows, NULL);
    status = status == SQLITE_OK ? sqlite3_step(rows) : status;
    (void)sqlite3_finalize(rows);
    sqlite3_free(sql);
    return status == SQLITE_ROW ||
           (status == SQLITE_DONE
                ? bsp_fail(error, BSP_E_NOT_FOUND, NULL, "the index has no map %s", path)
                : bspi_index_fail(s->index, error));
}

static bool is_alike(const char *field) {
    return strcmp(field, "same") == 0 || strcmp(field, "copy") == 0 || strcmp(field, "like") == 0;
}

// Writes the terms that compare maps with one of the index.
static bool write_alike(search *s, const term *t, bsp_error *error) {
    const char *column = strcmp(t->field, "same") == 0 ? "geometry" : "sha256";
    if (!has_map(s, t->value, error)) {
        return false;
    }
    if (strcmp(t->field, "like") != 0) {
        sqlite3_str_appendf(s->sql,
                            "m.path <> %Q AND m.%s = (SELECT o.%s FROM maps o WHERE o.path = %Q)",
                            t->value, column, column, t->value);
    } else {
        s->like = t->value;
        sqlite3_str_appendf(s->sql,
                            "m.path <> %Q AND m.id IN (SELECT b.map FROM sketches a JOIN sketches"
                            " b ON b.hash = a.hash WHERE a.map = o.id) AND likeness >= 0.5",
                            t->value);
    }
    return true;
}

static bool write_duplicate(search *s, const term *t, bsp_error *error) {
    const char *column = strcmp(t->value, "content") == 0 ? "sha256" : "geometry";
    if (strcmp(t->value, "near") == 0) {
        sqlite3_str_appendf(s->sql, "m.id IN (%s)", near_duplicates);
        return true;
    }
    if (strcmp(t->value, "content") != 0 && strcmp(t->value, "geometry") != 0) {
        return fail_term(t->value, "is not geometry, content or near", error);
    }
    sqlite3_str_appendf(s->sql,
                        "m.%s IN (SELECT o.%s FROM maps o WHERE o.%s IS NOT NULL GROUP BY o.%s"
                        " HAVING count(*) > 1)",
                        column, column, column, column);
    return true;
}

static bool write_term(search *s, uint32_t n, bsp_error *error) {
    const term *t = &s->terms[n];
    sqlite3_str_appendf(s->sql, " AND %s(", t->negated ? "NOT " : "");
    bool done = true;
    const name_field *names = NULL;
    for (size_t i = 0; i < sizeof name_fields / sizeof *name_fields; i++) {
        names = strcmp(name_fields[i].field, t->field) == 0 ? &name_fields[i] : names;
    }
    if (is_column(t->field)) {
        sqlite3_str_appendf(s->sql, "met(%u, %Q, ifnull(m.%s, ''))", n, t->field, t->field);
    } else if (names != NULL) {
        sqlite3_str_appendf(s->sql,
                            "m.id IN (SELECT n.map FROM names n WHERE %s AND n.text IN (SELECT id"
                            " FROM texts WHERE met(%u, %Q, text)))",
                            names->rows, n, t->field);
    } else if (strcmp(t->field, "issue") == 0) {
        sqlite3_str_appendf(s->sql,
                            "m.id IN (SELECT map FROM issues WHERE met(%u, 'issue', issue))", n);
    } else if (strncmp(t->field, LIMIT, sizeof LIMIT - 1) == 0) {
        write_limit(s, n, t);
    } else if (strcmp(t->field, "near") == 0) {
        done = write_near(s, t, error);
    } else if (strcmp(t->field, "text") == 0) {
        write_text(s, t);
    } else if (strcmp(t->field, "class") == 0) {
        write_key(s, n, "classname", "class");
    } else if (is_alike(t->field)) {
        done = write_alike(s, t, error);
    } else if (strcmp(t->field, "duplicate") == 0) {
        done = write_duplicate(s, t, error);
    } else {
        bool named = strncmp(t->field, "key:", 4) == 0;
        write_key(s, n, t->field + (named ? 4 : 0), named ? t->field : NULL);
    }
    sqlite3_str_appendf(s->sql, ")");
    return done;
}

// --- results ------------------------------------------------------------------------------------

static const char *column_text(sqlite3_stmt *rows, int n) {
    const char *text = (const char *)sqlite3_column_text(rows, n);
    return text == NULL ? "" : text;
}

static void read_map(sqlite3_stmt *rows, bsp_index_map *map) {
    uint32_t *const counts[] = {&map->version, &map->entities, &map->faces,
                                &map->leaves,  &map->errors,   &map->warnings};
    map->path = column_text(rows, 0);
    map->branch = column_text(rows, 1);
    map->family = column_text(rows, 2);
    map->game = column_text(rows, 3);
    map->sha256 = column_text(rows, 4);
    map->problem = column_text(rows, 5);
    map->size = (uint64_t)sqlite3_column_int64(rows, 6);
    for (int i = 0; i < 6; i++) {
        *counts[i] = (uint32_t)sqlite3_column_int64(rows, 7 + i);
    }
    for (int i = 0; i < 3; i++) {
        map->mins[i] = (float)sqlite3_column_double(rows, 13 + i);
        map->maxs[i] = (float)sqlite3_column_double(rows, 16 + i);
    }
    map->likeness = (float)sqlite3_column_double(rows, 19);
}

static bool ask(search *s, bsp_index_found found, void *user, bsp_error *error) {
    sqlite3_stmt *rows = NULL;
    char *sql = sqlite3_str_finish(s->sql);
    s->sql = NULL;
    int status =
        sql == NULL ? SQLITE_NOMEM : sqlite3_prepare_v2(s->index->db, sql, -1, &rows, NULL);
    bool more = status == SQLITE_OK;
    while (more && (status = sqlite3_step(rows)) == SQLITE_ROW) {
        bsp_index_map map;
        read_map(rows, &map);
        more = found(user, &map);
    }
    bool done = status == SQLITE_DONE || (status == SQLITE_ROW && !more);
    if (!done && !s->failed) {
        (void)bspi_index_fail(s->index, error);
    }
    (void)sqlite3_finalize(rows);
    sqlite3_free(sql);
    return done;
}

static bool write_query(search *s, bsp_error *error) {
    static const char likeness[] =
        "(SELECT count(*) FROM sketches a JOIN sketches b ON b.hash = a.hash AND b.map = m.id"
        " WHERE a.map = o.id) * 1.0 / max(1, min((SELECT count(*) FROM sketches WHERE map = o.id),"
        " (SELECT count(*) FROM sketches WHERE map = m.id)))";
    sqlite3_str *conditions = sqlite3_str_new(s->index->db);
    s->sql = conditions;
    bool done = true;
    for (uint32_t i = 0; i < s->count && done; i++) {
        done = write_term(s, i, error);
    }
    char *all = sqlite3_str_finish(conditions);
    s->sql = sqlite3_str_new(s->index->db);
    sqlite3_str_appendf(s->sql,
                        "SELECT m.path, m.branch, m.family, m.game, m.sha256, m.problem, m.size,"
                        " m.version, m.entities, m.faces, m.leaves, m.errors, m.warnings, m.minx,"
                        " m.miny, m.minz, m.maxx, m.maxy, m.maxz, %s AS likeness FROM maps m%s",
                        s->like == NULL ? "0" : likeness, s->like == NULL ? "" : ", maps o");
    sqlite3_str_appendf(s->sql, " WHERE 1%s", all == NULL ? "" : all);
    if (s->like != NULL) {
        sqlite3_str_appendf(s->sql, " AND o.path = %Q", s->like);
    }
    sqlite3_str_appendf(s->sql, " ORDER BY %s m.path", s->like == NULL ? "" : "likeness DESC,");
    sqlite3_free(all);
    return done;
}

bool bsp_index_find(bsp_index *index, const char *const *terms, uint32_t count,
                    bsp_index_found found, void *user, bsp_error *error) {
    assert(index != NULL && (terms != NULL || count == 0) && found != NULL);
    bsp_error kept = {.code = BSP_OK};
    search s = {.index = index, .error = &kept};
    if (count > MOST_TERMS) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "%u terms, but at most %u are taken", count,
                        MOST_TERMS);
    }
    bool done = true;
    for (; s.count < count && done; s.count++) {
        done = take_term(&s.terms[s.count], terms[s.count], error);
    }
    (void)pthread_mutex_lock(&index->lock);
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    (void)sqlite3_create_function(index->db, "met", 3, flags, &s, call_met, NULL, NULL);
    (void)sqlite3_create_function(index->db, "matches", 2, flags, &s, call_matches, NULL, NULL);
    done = done && write_query(&s, error) && ask(&s, found, user, error);
    sqlite3_free(s.sql == NULL ? NULL : sqlite3_str_finish(s.sql));
    (void)pthread_mutex_unlock(&index->lock);
    if (s.failed) {
        (void)bsp_fail(error, kept.code, NULL, "%s", kept.message);
    }
    for (uint32_t i = 0; i < s.count; i++) {
        sqlite3_free(s.terms[i].field);
        bsp_where_free(s.terms[i].where);
    }
    return done;
}
