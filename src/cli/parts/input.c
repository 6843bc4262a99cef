// SPDX-License-Identifier: MIT
// The loop over inputs that all reading commands share.
#include "cli/parts/input.h"

#include "cli/parts/budget.h"
#include "cli/parts/jobs.h"
#include "cli/parts/json.h"
#include "cli/parts/near.h"
#include "cli/parts/open_map.h"
#include "cli/parts/open_model.h"

#include <stdlib.h>

#define MOST_JOBS 64u

/// What is done with an input.
typedef struct works {
    cli_work map;
    cli_work model; // NULL: models are not taken
} works;

static cli_status do_model(cli_input *input, cli_work work) {
    cli_opened_model opened;
    cli_status status = CLI_FAILED;
    if (cli_open_model(input->path, input->issues, &opened)) {
        input->records = opened.file;
        input->model = opened.model;
        status = work(input);
        cli_close_model(&opened);
    }
    return status;
}

static cli_status do_map(cli_input *input, cli_work work) {
    cli_opened opened;
    cli_status status = CLI_FAILED;
    if (cli_open_map(input->call, input->path, input->issues, &opened)) {
        const char *packed_by = bsp_file_get_info(opened.file)->packed_by;
        input->file = opened.file;
        if (input->original != NULL && packed_by != NULL) {
            cli_message(input->path,
                        "it is packed by %s, and is not changed in place; see --output", packed_by);
            status = CLI_USAGE;
        } else {
            status = work(input);
        }
        cli_close_map(&opened);
    }
    return status;
}

static cli_status do_input(cli_input *input, uint32_t keep, works work) {
    input->issues = bsp_issues_new(NULL, keep);
    if (input->issues == NULL) {
        cli_message(input->path, "no memory");
        return CLI_FAILED;
    }
    cli_status status = work.model != NULL && cli_is_model(input->path)
                            ? do_model(input, work.model)
                            : do_map(input, work.map);
    bsp_issues_free(input->issues);
    return status;
}

// Writes one line of JSON: what the work wrote, or the reason why it wrote nothing.
static cli_status do_json_input(cli_input *input, uint32_t keep, works work) {
    bsp_json json;
    cli_messages messages = {.lines = input->messages, .about = input->path};
    bsp_json_begin(&json, cli_sink, input->output);
    input->json = &json;
    cli_messages_of(&messages);
    cli_status status = do_input(input, keep, work);
    cli_messages_of(NULL);
    bool written = json.used != 0 || json.comma;
    bool tabled = cli_rows_wanted(input->call) != CLI_ROWS_NONE;
    bool shown = !tabled || input->call->command->rows != NULL; // else no table was begun
    if (!written && status > CLI_PROBLEMS && shown) {
        bsp_json_object(&json);
        cli_json_string(&json, "file", input->path);
        cli_json_string(&json, "error", messages.last);
        bsp_json_object_end(&json);
        written = true;
    }
    (void)bsp_json_flush(&json);
    if (written) {
        cli_print(input->output, "\n");
    }
    return status;
}

static cli_status do_text_input(cli_input *input, uint32_t keep, works work) {
    cli_messages messages = {.lines = input->messages};
    cli_messages_of(&messages);
    cli_status status = do_input(input, keep, work);
    cli_messages_of(NULL);
    return status;
}

// --- all inputs ---------------------------------------------------------------------------------

// The result of an input that is worked on beside others.
typedef struct kept {
    cli_output output;
    cli_capture text;
    cli_capture messages;
    cli_status status;
} kept;

typedef struct run {
    const cli_call *call;
    char *const *maps;
    int count;
    cli_output *output;
    uint32_t keep;
    bool in_place;
    const cli_row_form *rows; // of --csv and --tsv
    works work;
    kept *ring; // NULL: one input at a time
    uint32_t slots;
    cli_status highest;
    int totals[CLI_FAILED + 1]; // by status
} run;

static cli_status do_one(const run *r, int i, cli_output *output, cli_capture *messages) {
    cli_original original = {.fd = -1};
    cli_input input = {.call = r->call,
                       .path = r->maps[i],
                       .output = output,
                       .messages = messages,
                       .several = r->count > 1,
                       .number = i,
                       .original = r->in_place ? &original : NULL};
    cli_status status = CLI_FAILED;
    if (!r->in_place || cli_original_open(&original, r->maps[i])) {
        status = r->call->common->json ? do_json_input(&input, r->keep, r->work)
                                       : do_text_input(&input, r->keep, r->work);
    }
    cli_original_close(&original);
    return status;
}

// In a table the rows of each input begin with its name.
static void name_rows(const run *r, int i) {
    if (r->output->rows != NULL) {
        cli_rows_input(r->output->rows, r->maps[i]);
    }
}

static void count_status(run *r, cli_status status) {
    r->highest = status > r->highest ? status : r->highest;
    r->totals[status]++;
}

static void do_kept(void *user, int i) {
    run *r = user;
    kept *k = &r->ring[(uint32_t)i % r->slots];
    k->output = cli_output_kept(r->output, &k->text);
    k->status = do_one(r, i, &k->output, &k->messages);
}

static bool hand_over(void *user, int i) {
    run *r = user;
    kept *k = &r->ring[(uint32_t)i % r->slots];
    name_rows(r, i);
    cli_output_add(r->output, &k->output);
    cli_messages_print(&k->messages);
    cli_capture_free(&k->text);
    cli_capture_free(&k->messages);
    count_status(r, k->status);
    return r->output->failure == 0;
}

static void do_in_turn(run *r) {
    for (int i = 0; i < r->count && r->output->failure == 0; i++) {
        name_rows(r, i);
        count_status(r, do_one(r, i, r->output, NULL));
    }
}

// The calls of the library share the threads that the inputs leave.
static void do_at_once(run *r, uint32_t jobs) {
    uint32_t threads = bsp_budget_threads(cli_budget());
    r->slots = jobs * CLI_JOBS_AHEAD;
    r->ring = calloc(r->slots, sizeof *r->ring);
    if (r->ring == NULL) {
        do_in_turn(r);
        return;
    }
    bsp_budget_set_threads(cli_budget(), threads > jobs ? threads / jobs : 1);
    const cli_jobs how = {do_kept, hand_over, r};
    cli_jobs_run(&how, jobs, r->count);
    bsp_budget_set_threads(cli_budget(), threads);
    free(r->ring);
}

static void print_totals(const run *r) {
    int failed = r->totals[CLI_FAILED] + r->totals[CLI_USAGE];
    cli_message(r->call->command->name,
                "%d files: %d without problems, %d with problems, %d failed",
                r->totals[CLI_DONE] + r->totals[CLI_PROBLEMS] + failed, r->totals[CLI_DONE],
                r->totals[CLI_PROBLEMS], failed);
}

static cli_status for_each(run *r, const char *output_path, uint32_t jobs) {
    cli_output output;
    if (!cli_output_open(&output, output_path)) {
        return CLI_FAILED;
    }
    r->output = &output;
    if (!cli_output_rows(&output, cli_rows_wanted(r->call), r->rows)) {
        return cli_output_fail(&output);
    }
    if (jobs > 1) {
        do_at_once(r, jobs);
    } else {
        do_in_turn(r);
    }
    if (r->count > 1 && r->highest != CLI_DONE) {
        print_totals(r);
    }
    bool failed = r->highest == CLI_FAILED || r->highest == CLI_USAGE;
    if (failed && cli_output_is_empty(&output)) { // nothing takes the place of what is there
        (void)cli_output_fail(&output);
        return r->highest;
    }
    return cli_output_close(&output, r->highest);
}

cli_status cli_for_each_of(const cli_call *call, char *const *maps, int count,
                           const char *output_path, cli_work work) {
    run r = {.call = call,
             .maps = maps,
             .count = count,
             .rows = call->command->rows,
             .work = {work, NULL}};
    return for_each(&r, output_path, 1);
}

cli_status cli_for_each_of_rows(const cli_call *call, char *const *maps, int count, cli_work work,
                                const cli_row_form *rows) {
    run r = {.call = call, .maps = maps, .count = count, .rows = rows, .work = {work, NULL}};
    return for_each(&r, call->common->output, 1);
}

cli_status cli_for_each_changed(const cli_call *call, char *const *maps, int count, cli_work work) {
    run r = {.call = call,
             .maps = maps,
             .count = count,
             .in_place = call->common->in_place,
             .work = {work, NULL}};
    return for_each(&r, NULL, 1);
}

static cli_status for_each_call(const cli_call *call, int count, uint32_t keep, works work,
                                const cli_row_form *rows) {
    run r = {.call = call,
             .maps = call->operands,
             .count = count,
             .keep = keep,
             .rows = rows,
             .work = work};
    uint32_t jobs = call->common->jobs;
    jobs = jobs == 0 ? bsp_budget_threads(cli_budget()) : jobs < MOST_JOBS ? jobs : MOST_JOBS;
    return for_each(&r, call->common->output, jobs < (uint32_t)count ? jobs : (uint32_t)count);
}

cli_status cli_for_each_rows(const cli_call *call, int count, cli_work work,
                             const cli_row_form *rows) {
    return for_each_call(call, count, 0, (works){work, NULL}, rows);
}

cli_status cli_for_each_input_or_model(const cli_call *call, int count, uint32_t keep,
                                       cli_work work, cli_work model_work) {
    return for_each_call(call, count, keep, (works){work, model_work}, call->command->rows);
}

cli_status cli_for_each_input(const cli_call *call, int count, cli_work work) {
    return for_each_call(call, count, 0, (works){work, NULL}, call->command->rows);
}

// --- lumps --------------------------------------------------------------------------------------

uint32_t cli_find_lump(const cli_input *input, const char *name) {
    char hint[CLI_NEAR_ROOM];
    cli_near near = {.word = name};
    uint32_t lump = bsp_file_find(input->file, bsp_text_of(name));
    for (uint32_t i = 0; lump == BSP_NONE && i < bsp_file_get_info(input->file)->num_lumps; i++) {
        cli_near_try(&near, bsp_file_lump(input->file, i)->name);
    }
    if (lump == BSP_NONE) {
        cli_message(input->path, "there is no lump '%s'%s", name,
                    cli_near_hint(&near, "", "; bspkit lumps lists them", hint));
    }
    return lump;
}

bool cli_lump_records(const bsp_file *file, uint32_t n, uint32_t *records) {
    const bsp_lump *lump = bsp_file_lump(file, n);
    bool counted = lump->kind == BSP_KIND_ARRAY || lump->kind == BSP_KIND_SECTIONS ||
                   lump->kind == BSP_KIND_TEXTURES;
    if (counted && lump->id != BSP_ID_NONE && bsp_file_find_id(file, lump->id) == n) {
        *records = bsp_file_count(file, lump->id);
        return true;
    }
    bsp_parts parts;
    if (lump->place != BSP_IN_BSPX || !bsp_file_parts(file, n, NULL, &parts, NULL)) {
        return false;
    }
    bool table = parts.count != 0 && parts.parts[0].kind == BSP_PART_TABLE;
    *records = table ? parts.parts[0].count : 0;
    bsp_parts_free(&parts);
    return table;
}

void cli_lump_json(const bsp_file *file, uint32_t n, bsp_json *json) {
    const bsp_lump *lump = bsp_file_lump(file, n);
    uint32_t records;
    cli_json_uint(json, "index", lump->index);
    cli_json_string(json, "name", lump->name);
    cli_json_uint(json, "offset", lump->offset);
    cli_json_uint(json, "size", lump->size);
    cli_json_uint(json, "version", lump->version);
    cli_json_bool(json, "compressed", lump->compressed);
    bool counted = cli_lump_records(file, n, &records);
    cli_json_uint_or_null(json, "records", counted, counted ? records : 0);
    if (lump->external != BSP_NONE) {
        cli_json_string(json, "external", bsp_file_get_info(file)->external[lump->external].name);
    }
}
