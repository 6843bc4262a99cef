// SPDX-License-Identifier: MIT
// Follows the tokens of JSON by the path of the value that they are in, and keeps the values of the
// columns until their row ends.
#include "cli/parts/rows.h"

#include "cli/parts/capture.h"
#include "cli/parts/message.h"
#include "cli/parts/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_ROOM 1024u
#define FLUSH_AT 16384u

typedef struct column {
    char *path;
    char title[CLI_ROWS_TITLE];
    cli_capture text;
    bool set;
} column;

// An array or object that is open.
typedef struct level {
    bool array;
    bool on_the_way; // its elements are rows, or hold them
    uint32_t index;
    size_t path; // length of the path of the array or object
} level;

struct cli_rows {
    cli_rows_kind kind;
    char *pattern;
    column *columns;
    size_t count;
    size_t next; // the column that is probably meant next
    bool failed;
    bsp_sink sink;
    void *user;
    cli_capture out;
    const char *input;
    cli_tokens tokens;
    char path[PATH_ROOM];
    size_t path_size;
    level levels[CLI_TOKENS_DEEPEST];
    size_t depth;
    uint64_t emitted; // rows of this value
};

static bool fail(cli_rows *r, const char *why) {
    if (!r->failed && why != NULL) {
        cli_message(r->input, "%s", why);
    }
    r->failed = true;
    return false;
}

static bool add(cli_rows *r, cli_capture *to, const char *data, size_t size) {
    return cli_capture_add(to, data, size) || fail(r, "no memory");
}

// --- cells --------------------------------------------------------------------------------------

static bool flush(cli_rows *r) {
    bool done = r->out.size == 0 || r->sink(r->user, r->out.data, r->out.size);
    r->out.size = 0;
    return done || fail(r, NULL);
}

// A line of one empty cell would be an empty line, which readers skip.
static bool needs_quotes(const cli_rows *r, const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (data[i] == ',' || data[i] == '"' || data[i] == '\n' || data[i] == '\r') {
            return true;
        }
    }
    return size == 0 && r->count == 1;
}

static void put_csv(cli_rows *r, const char *data, size_t size) {
    bool quotes = needs_quotes(r, data, size);
    (void)add(r, &r->out, "\"", quotes ? 1 : 0);
    while (size != 0) {
        const char *quote = quotes ? memchr(data, '"', size) : NULL;
        size_t piece = quote == NULL ? size : (size_t)(quote - data) + 1;
        (void)add(r, &r->out, data, piece);
        (void)add(r, &r->out, "\"", quote == NULL ? 0 : 1); // doubled
        data += piece;
        size -= piece;
    }
    (void)add(r, &r->out, "\"", quotes ? 1 : 0);
}

static void put_tsv(cli_rows *r, const char *data, size_t size) {
    static const char special[] = "\t\n\r\\";
    static const char letters[] = "tnr\\";
    for (size_t i = 0; i < size; i++) {
        const char *found = data[i] == '\0' ? NULL : strchr(special, data[i]);
        if (found != NULL) {
            const char escaped[2] = {'\\', letters[found - special]};
            (void)add(r, &r->out, escaped, sizeof escaped);
        } else {
            (void)add(r, &r->out, data + i, 1);
        }
    }
}

static void put_cell(cli_rows *r, size_t number, const char *data, size_t size) {
    bool csv = r->kind == CLI_ROWS_CSV;
    if (number != 0) {
        (void)add(r, &r->out, csv ? "," : "\t", 1);
    }
    if (csv) {
        put_csv(r, data, size);
    } else {
        put_tsv(r, data, size);
    }
    if (number + 1 == r->count) {
        (void)add(r, &r->out, "\n", 1);
    }
}

static void put_header(cli_rows *r) {
    for (size_t i = 0; i < r->count; i++) {
        put_cell(r, i, r->columns[i].title, strlen(r->columns[i].title));
    }
}

static void put_row(cli_rows *r) {
    for (size_t i = 0; i < r->count; i++) {
        const column *c = &r->columns[i];
        bool name = strcmp(c->path, "@") == 0 && r->input != NULL;
        put_cell(r, i, name ? r->input : c->text.data, name ? strlen(r->input) : c->text.size);
    }
    r->emitted++;
    if (r->out.size >= FLUSH_AT) {
        (void)flush(r);
    }
}

// --- columns ------------------------------------------------------------------------------------

static char *copy_of(const char *text, size_t size) {
    char *copy = malloc(size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

// Returns what follows the last "[]" and a dot.
static const char *last_part(const char *path) {
    const char *title = path;
    for (const char *next; (next = strstr(title, "[]")) != NULL;) {
        title = next + 2;
    }
    title += *title == '.' ? 1 : 0;
    return strcmp(path, "@") == 0 ? "file" : *title == '\0' ? "value" : title;
}

void cli_rows_title(const char *text, char title[CLI_ROWS_TITLE]) {
    const char *equals = strchr(text, '=');
    const char *from = equals == NULL ? last_part(text) : text;
    size_t size = equals == NULL ? strlen(from) : (size_t)(equals - text);
    size -= size > 2 && memcmp(from + size - 2, ".*", 2) == 0 ? 2 : 0;
    (void)snprintf(title, CLI_ROWS_TITLE, "%.*s", (int)size, from);
}

static bool add_column(cli_rows *r, const char *text) {
    column *grown = realloc(r->columns, (r->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return fail(r, "no memory");
    }
    r->columns = grown;
    const char *equals = strchr(text, '=');
    const char *path = equals == NULL ? text : equals + 1;
    column *c = &r->columns[r->count++];
    *c = (column){.path = copy_of(path, strlen(path))};
    cli_rows_title(text, c->title);
    return c->path != NULL || fail(r, "no memory");
}

static bool is_prefix(const char *prefix, const char *path) {
    return strncmp(prefix, path, strlen(prefix)) == 0;
}

static bool takes(const column *c, const char *path) {
    size_t size = strlen(c->path);
    bool all = size > 2 && c->path[size - 1] == '*';
    return all ? strncmp(c->path, path, size - 1) == 0 : strcmp(c->path, path) == 0;
}

// Returns the column of the current path, or NULL.
static column *find_column(cli_rows *r) {
    for (size_t i = 0; i < r->count; i++) {
        size_t at = r->next + i < r->count ? r->next + i : r->next + i - r->count;
        if (takes(&r->columns[at], r->path)) {
            r->next = at + 1 < r->count ? at + 1 : 0;
            return &r->columns[at];
        }
    }
    return NULL;
}

// Empties the cells of values below `path`.
static void clear(cli_rows *r, const char *path) {
    for (size_t i = 0; i < r->count; i++) {
        if (is_prefix(path, r->columns[i].path)) {
            r->columns[i].text.size = 0;
            r->columns[i].set = false;
        }
    }
}

static void put_value(cli_rows *r, const char *text, size_t size) {
    column *c = find_column(r);
    if (c == NULL) {
        return;
    }
    (void)add(r, &c->text, " ", c->set ? 1 : 0);
    (void)add(r, &c->text, text, size);
    c->set = true;
}

static bool has_error(const cli_rows *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->columns[i].set && strcmp(r->columns[i].path, "error") == 0) {
            return true;
        }
    }
    return false;
}

// --- paths --------------------------------------------------------------------------------------

static void set_path(cli_rows *r, size_t size) {
    r->path_size = size;
    r->path[size] = '\0';
}

static void append(cli_rows *r, const char *text, size_t size) {
    if (size >= PATH_ROOM - r->path_size) {
        (void)fail(r, "the names are too long for a table");
        return;
    }
    memcpy(r->path + r->path_size, text, size);
    set_path(r, r->path_size + size);
}

// True if the elements of the array at the current path are rows, or hold them.
static bool is_on_the_way(const cli_rows *r) {
    const char *rest = r->pattern + r->path_size;
    return is_prefix(r->path, r->pattern) && strncmp(rest, "[]", 2) == 0;
}

static void begin_element(cli_rows *r, level *l) {
    char number[16];
    if (l->on_the_way) {
        append(r, "[]", 2);
        clear(r, r->path);
    } else {
        int size = snprintf(number, sizeof number, "%s%u", l->path == 0 ? "" : ".", l->index);
        append(r, number, (size_t)size);
    }
    l->index++;
}

// Sets the path of a value that begins.
static void begin_value(cli_rows *r) {
    if (r->depth == 0) {
        set_path(r, 0);
        clear(r, "");
        r->emitted = 0;
        r->next = 0;
    } else if (r->levels[r->depth - 1].array) {
        begin_element(r, &r->levels[r->depth - 1]);
    }
}

static void end_value(cli_rows *r) {
    if (strcmp(r->path, r->pattern) == 0 && (r->depth != 0 || !has_error(r))) {
        put_row(r);
    }
    if (r->depth != 0) {
        set_path(r, r->levels[r->depth - 1].path);
        return;
    }
    if (r->emitted == 0 && has_error(r)) {
        put_row(r);
    }
    (void)flush(r);
}

static void open_level(cli_rows *r, bool array) {
    begin_value(r);
    r->levels[r->depth++] =
        (level){.array = array, .path = r->path_size, .on_the_way = array && is_on_the_way(r)};
}

static void close_level(cli_rows *r) {
    if (r->depth != 0) {
        set_path(r, r->levels[--r->depth].path);
        end_value(r);
    }
}

static void take_key(cli_rows *r, const char *text, size_t size) {
    set_path(r, r->levels[r->depth - 1].path);
    append(r, ".", r->path_size == 0 ? 0 : 1);
    append(r, text, size);
}

static bool take(void *user, cli_token token, const char *text, size_t size) {
    cli_rows *r = user;
    switch (token) {
    case CLI_TOKEN_OBJECT:
    case CLI_TOKEN_ARRAY:
        open_level(r, token == CLI_TOKEN_ARRAY);
        break;
    case CLI_TOKEN_CLOSE:
        close_level(r);
        break;
    case CLI_TOKEN_KEY:
        take_key(r, text, size);
        break;
    default:
        begin_value(r);
        if (token != CLI_TOKEN_NULL) {
            put_value(r, text, size);
        }
        end_value(r);
        break;
    }
    return !r->failed;
}

// --- what others call ---------------------------------------------------------------------------

cli_rows *cli_rows_new(cli_rows_kind kind, const cli_row_form *form, bsp_sink sink, void *user) {
    cli_rows *r = calloc(1, sizeof *r);
    if (r == NULL) {
        cli_message(NULL, "no memory");
        return NULL;
    }
    r->kind = kind;
    r->pattern = copy_of(form->rows, strlen(form->rows));
    r->failed = r->pattern == NULL;
    r->sink = sink;
    r->user = user;
    r->tokens = (cli_tokens){.take = take, .user = r};
    for (size_t i = 0; form->columns[i] != NULL && !r->failed; i++) {
        (void)add_column(r, form->columns[i]);
    }
    if (!r->failed) {
        put_header(r);
        (void)flush(r);
    }
    return r;
}

void cli_rows_free(cli_rows *rows) {
    if (rows == NULL) {
        return;
    }
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->columns[i].path);
        cli_capture_free(&rows->columns[i].text);
    }
    free(rows->columns);
    free(rows->pattern);
    cli_capture_free(&rows->out);
    cli_tokens_free(&rows->tokens);
    free(rows);
}

void cli_rows_input(cli_rows *rows, const char *path) {
    rows->input = path;
    rows->depth = 0;
    cli_tokens_restart(&rows->tokens);
}

bool cli_rows_put(cli_rows *rows, const char *data, size_t size) {
    if (!rows->failed && !cli_tokens_put(&rows->tokens, data, size)) {
        bool deep = rows->depth == CLI_TOKENS_DEEPEST;
        (void)fail(rows, deep ? "the values are too deep for a table" : "no memory");
    }
    return !rows->failed;
}
