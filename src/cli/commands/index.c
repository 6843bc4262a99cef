// SPDX-License-Identifier: MIT
// bspkit index: what many maps are and name, in one file of SQLite.
#define _POSIX_C_SOURCE 200809L // st_mtim

#include "core/os_calls.h"

#include "bspkit_index/index.h"
#include "cli/parts/commands.h"
#include "cli/parts/game.h"
#include "cli/parts/input.h"
#include "cli/parts/inputs.h"
#include "cli/parts/json.h"
#include "cli/parts/member.h"
#include "cli/parts/open_map.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define COMMIT_AFTER 64u // maps that are lost at most if the process is killed
#define NANOSECONDS 1000000000

typedef struct index_options {
    cli_common common;
    bool again;
    bool prune;
    bool merge;
} index_options;

static const index_options *options_of(const cli_call *call) {
    return (const index_options *)call->common;
}

// What the work on each map writes to: a call has one index.
typedef struct indexing {
    pthread_mutex_t lock;
    bsp_index *index;
    uint32_t added;
    bool failed;
} indexing;

static indexing now = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Gives size and date of the file that holds a map. A file that is not there has zeros.
static bsp_index_source source_of(const char *path) {
    char archive[CLI_PATH_ROOM];
    const char *name;
    struct stat status;
    bsp_index_source source = {.path = path};
    if (stat(cli_member_split(path, archive, &name) ? archive : path, &status) == 0) {
        source.size = (uint64_t)status.st_size;
        source.changed = (int64_t)status.st_mtim.tv_sec * NANOSECONDS + status.st_mtim.tv_nsec;
    }
    return source;
}

static bool is_gone(void *user, const char *path) {
    char archive[CLI_PATH_ROOM];
    const char *name;
    struct stat status;
    (void)user;
    return stat(cli_member_split(path, archive, &name) ? archive : path, &status) != 0;
}

// --- a map --------------------------------------------------------------------------------------

static cli_status note_added(bool done, const char *path, bsp_error *error) {
    (void)pthread_mutex_lock(&now.lock);
    now.added += done ? 1 : 0;
    if (done && now.added % COMMIT_AFTER == 0) {
        done = bsp_index_commit(now.index, error);
    }
    now.failed = now.failed || !done;
    (void)pthread_mutex_unlock(&now.lock);
    return done ? CLI_DONE : cli_report(path, error);
}

static cli_status work(const cli_input *input) {
    bsp_error error = {.code = BSP_OK};
    bsp_search *game = NULL;
    if (now.failed) {
        return CLI_FAILED;
    }
    if (input->call->common->games.count != 0) {
        game = cli_open_search(input->call, NULL);
        if (game == NULL) {
            return CLI_FAILED;
        }
    }
    bsp_index_source source = source_of(input->path);
    bool done = bsp_index_add(now.index, &source, input->file, game, &error);
    bsp_search_free(game);
    return note_added(done, input->path, &error);
}

// --- all maps -----------------------------------------------------------------------------------

typedef struct totals {
    uint32_t maps;
    uint32_t added;
    uint32_t unchanged;
    uint32_t unread;
    uint32_t gone;
} totals;

// Takes the operands that the index has not as they are. NULL after a message; the caller frees it.
static char **find_changed(const cli_call *call, int *count, totals *t) {
    char **list = calloc((size_t)call->num_operands, sizeof *list);
    bsp_error error;
    *count = 0;
    for (int i = 1; list != NULL && i < call->num_operands; i++) {
        bsp_index_source source = source_of(call->operands[i]);
        bool current = false;
        if (!options_of(call)->again &&
            !bsp_index_is_current(now.index, &source, &current, &error)) {
            (void)cli_report(call->operands[0], &error);
            free(list);
            return NULL;
        }
        t->maps++;
        t->unchanged += current ? 1 : 0;
        if (!current) {
            list[(*count)++] = call->operands[i];
        }
    }
    if (list == NULL) {
        cli_message(call->operands[0], "no memory for so many names");
    }
    return list;
}

// Adds those that could not be opened, with the reason.
static bool add_unread(const cli_call *call, char *const *list, int count, totals *t,
                       bsp_error *error) {
    for (int i = 0; i < count; i++) {
        bsp_index_source source = source_of(list[i]);
        bool current;
        if (!bsp_index_is_current(now.index, &source, &current, error)) {
            return false;
        }
        if (!current) {
            bsp_error why;
            bool opens = cli_map_opens(call, list[i], &why); // as it is by now
            t->unread++;
            if (!bsp_index_add_unread(now.index, &source,
                                      opens ? "it could not be read" : why.message, error)) {
                return false;
            }
        }
    }
    return true;
}

static cli_status print_totals(const cli_call *call, const totals *t, cli_status status) {
    cli_output output;
    if (!cli_output_open(&output, NULL)) {
        return CLI_FAILED;
    }
    if (call->common->json) {
        bsp_json json;
        bsp_json_begin(&json, cli_sink, &output);
        bsp_json_object(&json);
        cli_json_string(&json, "index", call->operands[0]);
        cli_json_uint(&json, "maps", t->maps);
        cli_json_uint(&json, "added", t->added);
        cli_json_uint(&json, "unchanged", t->unchanged);
        cli_json_uint(&json, "unread", t->unread);
        cli_json_uint(&json, "gone", t->gone);
        bsp_json_object_end(&json);
        (void)bsp_json_flush(&json);
        cli_print(&output, "\n");
    } else {
        cli_print(&output, "%u maps: %u added, %u unchanged, %u could not be read, %u taken out\n",
                  t->maps, t->added, t->unchanged, t->unread, t->gone);
    }
    return cli_output_close(&output, status);
}

static cli_status index_maps(const cli_call *call, totals *t) {
    int count;
    bsp_error error;
    char **list = find_changed(call, &count, t);
    if (list == NULL) {
        return CLI_FAILED;
    }
    cli_common common = *call->common;
    common.json = false; // the totals alone
    cli_call changed = *call;
    changed.operands = list;
    changed.num_operands = count;
    changed.common = &common;
    cli_status status = count == 0 ? CLI_DONE : cli_for_each_input(&changed, count, work);
    t->added = now.added;
    bool done =
        !now.failed && add_unread(call, list, count, t, &error) &&
        (!options_of(call)->prune || bsp_index_forget(now.index, is_gone, NULL, &t->gone, &error));
    free(list);
    return now.failed ? CLI_FAILED : done ? status : cli_report(call->operands[0], &error);
}

static cli_status merge_all(const cli_call *call, totals *t) {
    bsp_error error;
    for (int i = 1; i < call->num_operands; i++) {
        if (!bsp_index_merge(now.index, call->operands[i], &error)) {
            return cli_report(call->operands[i], &error);
        }
        t->added++;
    }
    return CLI_DONE;
}

static cli_status run(const cli_call *call) {
    totals t = {0};
    bsp_error error;
    if (!cli_may_write_to(call->operands[0])) {
        return CLI_FAILED;
    }
    now.index = bsp_index_open(call->operands[0], false, &error);
    if (now.index == NULL) {
        return cli_report(call->operands[0], &error);
    }
    bool merges = options_of(call)->merge;
    cli_status status = merges ? merge_all(call, &t) : index_maps(call, &t);
    if (!bsp_index_close(now.index, &error)) {
        status = cli_report(call->operands[0], &error);
    }
    return merges ? status : print_totals(call, &t, status);
}

static const cli_option options[] = {
    CLI_OPTION_GAME_FOR("files that maps name"),
    {.name = "again",
     CLI_FLAG_TO(index_options, again),
     .help = "Read maps again that the index has, with the same size and date"},
    {.name = "prune",
     CLI_FLAG_TO(index_options, prune),
     .help = "Take out maps whose files are gone"},
    {.name = "merge",
     CLI_FLAG_TO(index_options, merge),
     .help = "The other operands are indexes, whose maps are added: the shards of several machines "
             "become one"},
    CLI_OPTION_JSON,
    CLI_OPTION_FILES_FROM,
    {.name = "recursive",
     .letter = 'r',
     CLI_FLAG_TO(cli_common, recursive),
     .help = "Has no effect: a folder always stands for the maps in the folders below it, too"},
    CLI_OPTION_JOBS,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_index = {
    .name = "index",
    .group = CLI_GROUP_CHECK,
    .operands = "DB PATH...",
    .summary = "Keep what many maps are and name in an index",
    .description =
        "Adds maps to an index, a file of SQLite that is made if it is not there, for bspkit find "
        "and for other programs (docs/index.md has its tables). Folders and archives stand for all "
        "maps in them and in the folders below. A map is read again only if the file that holds it "
        "has another size or date. What was added stays if the command is stopped.\n\n"
        "An index has of each map: branch, game, checksums, counts beside limits, bounds, "
        "problems, its entities with their keys and places, the materials, models, sounds and "
        "files that it names (with --game also which of them are missing), the files and textures "
        "in it, and numbers by which maps of the same or nearly the same geometry are found.",
    .examples = {"bspkit index maps.db maps/",
                 "bspkit index maps.db --game content maps/source.bsp --prune"},
    CLI_OPTIONS(options, index_options),
    .min_operands = 2,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .reads = "tf",
    .whole_folders = true,
    .run = run,
};
