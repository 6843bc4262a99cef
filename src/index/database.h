// SPDX-License-Identifier: MIT
// The open file, and statements on it.
#ifndef BSPI_DATABASE_H
#define BSPI_DATABASE_H

#include "bspkit_index/index.h"

#include <pthread.h>
#include <sqlite3.h>

/// The statements that are prepared once.
typedef enum bspi_statement {
    BSPI_FIND_SOURCE,
    BSPI_ADD_MAP,
    BSPI_FIND_TEXT,
    BSPI_ADD_TEXT,
    BSPI_ADD_WORDS,
    BSPI_FIND_FACT,
    BSPI_ADD_FACT,
    BSPI_ADD_ENTITY,
    BSPI_ADD_ENTITY_FACT,
    BSPI_ADD_MAP_FACT,
    BSPI_ADD_PLACE,
    BSPI_ADD_NAME,
    BSPI_ADD_COUNT,
    BSPI_ADD_ISSUE,
    BSPI_ADD_SKETCH,
    BSPI_STATEMENTS
} bspi_statement;

struct bsp_index {
    sqlite3 *db;
    pthread_mutex_t lock;
    sqlite3_stmt *statements[BSPI_STATEMENTS];
    bool writing; ///< a transaction has begun
};

/// Fills an error with what SQLite says of the database. Returns false.
bool bspi_index_fail(const bsp_index *index, bsp_error *error);
/// Runs statements without results.
bool bspi_index_run(const bsp_index *index, const char *sql, bsp_error *error);
/// Begins a transaction, if none has begun. The lock is held.
bool bspi_index_begin(bsp_index *index, bsp_error *error);
/// Returns a prepared statement without values. The lock is held. NULL on failure.
sqlite3_stmt *bspi_index_statement(bsp_index *index, bspi_statement which, bsp_error *error);
/// Runs a statement that has no result.
bool bspi_index_step(const bsp_index *index, sqlite3_stmt *statement, bsp_error *error);

#endif
