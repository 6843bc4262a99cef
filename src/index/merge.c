// SPDX-License-Identifier: MIT
// Takes what another index has of its maps. Numbers of texts, facts and maps are those of one file:
// they are translated by what they stand for.
#include "index/database.h"

#include <assert.h>

// The columns of `maps` but the number.
#define MAP_COLUMNS                                                                                \
    "path, file_size, changed, problem, size, sha256, branch, family, game, version, checksum,"    \
    " revision, entities, faces, leaves, brushes, errors, warnings, minx, miny, minz, maxx, maxy," \
    " maxz, geometry, light"

// The maps of the other index that this one has too go first.
static const char merge[] =
    "CREATE TEMP TABLE gone AS SELECT m.id FROM main.maps m JOIN other.maps o ON o.path = m.path;"
    "DELETE FROM map_facts WHERE (fact, map) IN"
    " (SELECT fact, map FROM entity_facts WHERE map IN (SELECT id FROM gone));"
    "DELETE FROM places WHERE id IN (SELECT map << 24 | number FROM entities WHERE x IS NOT NULL"
    " AND map IN (SELECT id FROM gone));"
    "DELETE FROM entity_facts WHERE map IN (SELECT id FROM gone);"
    "DELETE FROM entities WHERE map IN (SELECT id FROM gone);"
    "DELETE FROM names WHERE map IN (SELECT id FROM gone);"
    "DELETE FROM counts WHERE map IN (SELECT id FROM gone);"
    "DELETE FROM issues WHERE map IN (SELECT id FROM gone);"
    "DELETE FROM sketches WHERE map IN (SELECT id FROM gone);"
    "DELETE FROM maps WHERE id IN (SELECT id FROM gone);"
    "CREATE TEMP TABLE last AS SELECT ifnull(max(id), 0) AS id FROM texts;"
    "INSERT OR IGNORE INTO texts(text) SELECT text FROM other.texts ORDER BY id;"
    "INSERT INTO words(rowid, text) SELECT id, text FROM texts WHERE id > (SELECT id FROM last);"
    "CREATE TEMP TABLE text_of(old INTEGER PRIMARY KEY, new INTEGER);"
    "INSERT INTO text_of SELECT o.id, t.id FROM other.texts o JOIN main.texts t ON t.text = o.text;"
    "INSERT OR IGNORE INTO facts(key, value) SELECT k.new, v.new FROM other.facts f"
    " JOIN text_of k ON k.old = f.key JOIN text_of v ON v.old = f.value ORDER BY f.id;"
    "CREATE TEMP TABLE fact_of(old INTEGER PRIMARY KEY, new INTEGER);"
    "INSERT INTO fact_of SELECT o.id, f.id FROM other.facts o JOIN text_of k ON k.old = o.key"
    " JOIN text_of v ON v.old = o.value JOIN main.facts f ON f.key = k.new AND f.value = v.new;"
    "INSERT INTO maps(" MAP_COLUMNS ") SELECT " MAP_COLUMNS " FROM other.maps ORDER BY id;"
    "CREATE TEMP TABLE map_of(old INTEGER PRIMARY KEY, new INTEGER);"
    "INSERT INTO map_of SELECT o.id, m.id FROM other.maps o JOIN main.maps m ON m.path = o.path;"
    "INSERT INTO entities SELECT m.new, e.number, t.new, e.x, e.y, e.z FROM other.entities e"
    " JOIN map_of m ON m.old = e.map JOIN text_of t ON t.old = e.class;"
    "INSERT INTO entity_facts SELECT m.new, e.entity, e.position, f.new FROM other.entity_facts e"
    " JOIN map_of m ON m.old = e.map JOIN fact_of f ON f.old = e.fact;"
    "INSERT INTO map_facts SELECT f.new, m.new FROM other.map_facts e"
    " JOIN map_of m ON m.old = e.map JOIN fact_of f ON f.old = e.fact;"
    "INSERT INTO places SELECT m.new << 24 | (p.id & 0xFFFFFF), p.minx, p.maxx, p.miny, p.maxy,"
    " p.minz, p.maxz FROM other.places p JOIN map_of m ON m.old = p.id >> 24;"
    "INSERT INTO names SELECT m.new, n.kind, t.new, n.found, n.size, n.hash FROM other.names n"
    " JOIN map_of m ON m.old = n.map JOIN text_of t ON t.old = n.text;"
    "INSERT INTO counts SELECT m.new, c.name, c.used, c.most FROM other.counts c"
    " JOIN map_of m ON m.old = c.map;"
    "INSERT INTO issues SELECT m.new, i.issue, i.severity, i.count, i.text FROM other.issues i"
    " JOIN map_of m ON m.old = i.map;"
    "INSERT INTO sketches SELECT m.new, s.hash FROM other.sketches s JOIN map_of m ON m.old = "
    "s.map;";

static const char clear[] = "DROP TABLE IF EXISTS temp.gone; DROP TABLE IF EXISTS temp.last;"
                            "DROP TABLE IF EXISTS temp.text_of; DROP TABLE IF EXISTS temp.fact_of;"
                            "DROP TABLE IF EXISTS temp.map_of;";

static bool attach(bsp_index *index, const char *path, bsp_error *error) {
    sqlite3_stmt *statement = NULL;
    bool done =
        sqlite3_prepare_v2(index->db, "ATTACH ?1 AS other", -1, &statement, NULL) == SQLITE_OK;
    if (done) {
        (void)sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
        done = sqlite3_step(statement) == SQLITE_DONE;
    }
    if (!done) {
        (void)bspi_index_fail(index, error);
    }
    (void)sqlite3_finalize(statement);
    return done;
}

bool bsp_index_merge(bsp_index *index, const char *path, bsp_error *error) {
    assert(index != NULL && path != NULL);
    bsp_index *other = bsp_index_open(path, true, error); // an index of this version?
    if (other == NULL) {
        return false;
    }
    (void)bsp_index_close(other, NULL);
    if (!bsp_index_commit(index, error)) { // nothing is attached in a transaction
        return false;
    }
    (void)pthread_mutex_lock(&index->lock);
    bool attached = attach(index, path, error);
    bool done = attached && bspi_index_run(index, "BEGIN IMMEDIATE", error);
    if (done) {
        done = bspi_index_run(index, merge, error);
        done = bspi_index_run(index, done ? "COMMIT" : "ROLLBACK", done ? error : NULL) && done;
    }
    (void)bspi_index_run(index, clear, NULL);
    if (attached) {
        (void)bspi_index_run(index, "DETACH other", NULL);
    }
    (void)pthread_mutex_unlock(&index->lock);
    return done;
}
