// SPDX-License-Identifier: MIT
// The tables, and opening and closing of the file.
#include "index/database.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define APPLICATION 1112756299 // "BSPK": PRAGMA application_id
#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)
#define CACHE "-65536" // KiB

static const char schema[] =
    "CREATE TABLE maps("
    " id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, file_size INTEGER NOT NULL,"
    " changed INTEGER NOT NULL, problem TEXT NOT NULL DEFAULT '', size INTEGER, sha256 TEXT,"
    " branch TEXT, family TEXT, game TEXT, version INTEGER, checksum TEXT, revision INTEGER,"
    " entities INTEGER, faces INTEGER, leaves INTEGER, brushes INTEGER, errors INTEGER,"
    " warnings INTEGER, minx REAL, miny REAL, minz REAL, maxx REAL, maxy REAL, maxz REAL,"
    " geometry INTEGER, light INTEGER);"
    "CREATE INDEX maps_geometry ON maps(geometry);"
    "CREATE INDEX maps_sha256 ON maps(sha256);"
    "CREATE TABLE texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
    "CREATE VIRTUAL TABLE words USING fts5(text, content='texts', content_rowid='id');"
    "CREATE TABLE facts(id INTEGER PRIMARY KEY, key INTEGER NOT NULL, value INTEGER NOT NULL,"
    " UNIQUE(key, value));"
    "CREATE INDEX facts_value ON facts(value);"
    "CREATE TABLE entities(map INTEGER NOT NULL, number INTEGER NOT NULL, class INTEGER NOT NULL,"
    " x REAL, y REAL, z REAL, PRIMARY KEY(map, number)) WITHOUT ROWID;"
    "CREATE TABLE entity_facts(map INTEGER NOT NULL, entity INTEGER NOT NULL,"
    " position INTEGER NOT NULL, fact INTEGER NOT NULL,"
    " PRIMARY KEY(map, entity, position)) WITHOUT ROWID;"
    "CREATE TABLE map_facts(fact INTEGER NOT NULL, map INTEGER NOT NULL,"
    " PRIMARY KEY(fact, map)) WITHOUT ROWID;"
    "CREATE VIRTUAL TABLE places USING rtree(id, minx, maxx, miny, maxy, minz, maxz);"
    "CREATE TABLE names(map INTEGER NOT NULL, kind TEXT NOT NULL, text INTEGER NOT NULL,"
    " found INTEGER, size INTEGER, hash INTEGER, PRIMARY KEY(map, kind, text)) WITHOUT ROWID;"
    "CREATE INDEX names_text ON names(text, kind);"
    "CREATE TABLE counts(map INTEGER NOT NULL, name TEXT NOT NULL, used INTEGER NOT NULL,"
    " most INTEGER, PRIMARY KEY(map, name)) WITHOUT ROWID;"
    "CREATE TABLE issues(map INTEGER NOT NULL, issue TEXT NOT NULL, severity TEXT NOT NULL,"
    " count INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(map, issue)) WITHOUT ROWID;"
    "CREATE TABLE sketches(map INTEGER NOT NULL, hash INTEGER NOT NULL,"
    " PRIMARY KEY(map, hash)) WITHOUT ROWID;"
    "CREATE INDEX sketches_hash ON sketches(hash, map);"
    "PRAGMA application_id=" AS_TEXT(APPLICATION) ";"
                                                  "PRAGMA user_version=1;";
static_assert(BSP_INDEX_VERSION == 1, "the tables above are those of the version");

static const char *const texts[BSPI_STATEMENTS] = {
    [BSPI_FIND_SOURCE] = "SELECT id, file_size, changed FROM maps WHERE path=?1",
    [BSPI_ADD_MAP] =
        "INSERT INTO maps(path, file_size, changed, problem, size, sha256, branch, family, game,"
        " version, checksum, revision, entities, faces, leaves, brushes, errors, warnings, minx,"
        " miny, minz, maxx, maxy, maxz, geometry, light) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,"
        "?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26)",
    [BSPI_FIND_TEXT] = "SELECT id FROM texts WHERE text=?1",
    [BSPI_ADD_TEXT] = "INSERT INTO texts(text) VALUES(?1)",
    [BSPI_ADD_WORDS] = "INSERT INTO words(rowid, text) VALUES(?1, ?2)",
    [BSPI_FIND_FACT] = "SELECT id FROM facts WHERE key=?1 AND value=?2",
    [BSPI_ADD_FACT] = "INSERT INTO facts(key, value) VALUES(?1, ?2)",
    [BSPI_ADD_ENTITY] = "INSERT INTO entities VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [BSPI_ADD_ENTITY_FACT] = "INSERT INTO entity_facts VALUES(?1, ?2, ?3, ?4)",
    [BSPI_ADD_MAP_FACT] = "INSERT OR IGNORE INTO map_facts VALUES(?1, ?2)",
    [BSPI_ADD_PLACE] = "INSERT INTO places VALUES(?1, ?2, ?2, ?3, ?3, ?4, ?4)",
    [BSPI_ADD_NAME] = "INSERT OR IGNORE INTO names VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [BSPI_ADD_COUNT] = "INSERT OR IGNORE INTO counts VALUES(?1, ?2, ?3, ?4)",
    [BSPI_ADD_ISSUE] = "INSERT OR IGNORE INTO issues VALUES(?1, ?2, ?3, ?4, ?5)",
    [BSPI_ADD_SKETCH] = "INSERT OR IGNORE INTO sketches VALUES(?1, ?2)",
};

static bsp_code code_of(int status) {
    switch (status) {
    case SQLITE_NOMEM:
        return BSP_E_MEMORY;
    case SQLITE_NOTADB:
        return BSP_E_FORMAT;
    case SQLITE_CORRUPT:
        return BSP_E_DAMAGED;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return BSP_E_PERMISSION;
    default:
        return BSP_E_IO;
    }
}

bool bspi_index_fail(const bsp_index *index, bsp_error *error) {
    bsp_code code = code_of(sqlite3_errcode(index->db));
    return bsp_fail(error, code, NULL, "the index: %s", sqlite3_errmsg(index->db));
}

// Says why there is no database, in the words of the other calls that open files.
static void fail_to_open(const bsp_index *index, bsp_error *error) {
    int number =
        sqlite3_errcode(index->db) == SQLITE_CANTOPEN ? sqlite3_system_errno(index->db) : 0;
    char reason[BSP_REASON_TEXT];
    if (number == 0) {
        (void)bspi_index_fail(index, error);
        return;
    }
    (void)bsp_format_reason(reason, number);
    (void)bsp_fail(error,
                   number == ENOENT                      ? BSP_E_NOT_FOUND
                   : number == EACCES || number == EPERM ? BSP_E_PERMISSION
                                                         : BSP_E_IO,
                   NULL, "%s", reason);
}

bool bspi_index_run(const bsp_index *index, const char *sql, bsp_error *error) {
    return sqlite3_exec(index->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           bspi_index_fail(index, error);
}

bool bspi_index_begin(bsp_index *index, bsp_error *error) {
    index->writing = index->writing || bspi_index_run(index, "BEGIN IMMEDIATE", error);
    return index->writing;
}

sqlite3_stmt *bspi_index_statement(bsp_index *index, bspi_statement which, bsp_error *error) {
    sqlite3_stmt **statement = &index->statements[which];
    if (*statement == NULL &&
        sqlite3_prepare_v3(index->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT, statement,
                           NULL) != SQLITE_OK) {
        (void)bspi_index_fail(index, error);
        return NULL;
    }
    (void)sqlite3_reset(*statement);
    (void)sqlite3_clear_bindings(*statement);
    return *statement;
}

bool bspi_index_step(const bsp_index *index, sqlite3_stmt *statement, bsp_error *error) {
    return sqlite3_step(statement) == SQLITE_DONE || bspi_index_fail(index, error);
}

// --- opening ------------------------------------------------------------------------------------

// Returns the whole number that a statement gives first.
static bool ask(const bsp_index *index, const char *sql, int64_t *answer, bsp_error *error) {
    sqlite3_stmt *statement;
    bool done = sqlite3_prepare_v2(index->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;
    if (done) {
        *answer = sqlite3_column_int64(statement, 0);
    } else {
        (void)bspi_index_fail(index, error);
    }
    (void)sqlite3_finalize(statement);
    return done;
}

// Looks whether the file is an index; makes the tables of an empty one.
static bool take_file(bsp_index *index, bool read_only, bsp_error *error) {
    int64_t tables, application, version;
    if (!ask(index, "SELECT count(*) FROM sqlite_master", &tables, error) ||
        !ask(index, "PRAGMA application_id", &application, error) ||
        !ask(index, "PRAGMA user_version", &version, error)) {
        return false;
    }
    if (tables == 0 && application == 0 && !read_only) {
        return bspi_index_begin(index, error) && bspi_index_run(index, schema, error) &&
               bsp_index_commit(index, error);
    }
    if (application != APPLICATION) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "the file is a database, but no index of maps");
    }
    return version == BSP_INDEX_VERSION ||
           bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "the index has version %lld, this program %d",
                    (long long)version, BSP_INDEX_VERSION);
}

bsp_index *bsp_index_open(const char *path, bool read_only, bsp_error *error) {
    assert(path != NULL);
    bsp_index *index = sqlite3_malloc64(sizeof *index);
    if (index == NULL) {
        (void)bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for an index");
        return NULL;
    }
    memset(index, 0, sizeof *index);
    (void)pthread_mutex_init(&index->lock, NULL);
    int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool opened = sqlite3_open_v2(path, &index->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK;
    if (!opened) {
        fail_to_open(index, error);
    }
    (void)sqlite3_extended_result_codes(index->db, 0);
    (void)sqlite3_busy_timeout(index->db, 10000);
    // What a process that ends has not written is lost; the file stays whole.
    const char *settings = "PRAGMA cache_size=" CACHE "; PRAGMA temp_store=MEMORY;";
    if (opened && bspi_index_run(index, settings, error) && take_file(index, read_only, error)) {
        return index;
    }
    (void)bsp_index_close(index, NULL);
    return NULL;
}

bool bsp_index_commit(bsp_index *index, bsp_error *error) {
    assert(index != NULL);
    (void)pthread_mutex_lock(&index->lock);
    bool done = !index->writing || bspi_index_run(index, "COMMIT", error);
    index->writing = index->writing && !done;
    (void)pthread_mutex_unlock(&index->lock);
    return done;
}

bool bsp_index_close(bsp_index *index, bsp_error *error) {
    if (index == NULL) {
        return true;
    }
    for (int i = 0; i < BSPI_STATEMENTS; i++) {
        (void)sqlite3_finalize(index->statements[i]);
    }
    bool done = bsp_index_commit(index, error);
    (void)sqlite3_close(index->db);
    (void)pthread_mutex_destroy(&index->lock);
    sqlite3_free(index);
    return done;
}
