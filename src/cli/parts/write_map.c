// SPDX-License-Identifier: MIT
// Changed maps: their destination, and the checks before they are written.
#define _POSIX_C_SOURCE 200809L // stat

#include "cli/parts/write_map.h"

#include "core/os_calls.h"

#include "cli/parts/budget.h"
#include "cli/parts/folder.h"
#include "cli/parts/inputs.h"
#include "cli/parts/member.h"
#include "cli/parts/new_issues.h"
#include "cli/replace/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ITSELF "that is the map itself; --in-place replaces it, and keeps the old one"

// --- destinations --------------------------------------------------------------------------------

static bool is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

static bool means_folder(const char *path) {
    size_t size = strlen(path);
    return !is_standard(path) && (cli_is_folder(path) || (size != 0 && path[size - 1] == '/'));
}

static bool is_same_file(const char *a, const char *b) {
    struct stat x;
    struct stat y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool refuse(const cli_call *call, const char *what) {
    cli_message(call->command->name, "%s; see bspkit help %s", what, call->command->name);
    return false;
}

// Two maps with one name cannot both be written to one folder.
static bool check_names(const cli_call *call, char *const *maps, int count) {
    for (int i = 0; i < count; i++) {
        for (int before = 0; before < i; before++) {
            if (strcmp(cli_member_file(maps[i]), cli_member_file(maps[before])) == 0) {
                cli_message(call->command->name,
                            "two maps are called %s: they cannot go to one folder",
                            cli_member_file(maps[i]));
                return false;
            }
        }
    }
    return true;
}

// Returns false after a message where the result can have no place: what is made of a map may take
// hours, after which find_place would say so.
static bool check_output(const char *output, char *const *maps, int count) {
    char folder[CLI_PATH_ROOM];
    if (is_standard(output) || means_folder(output)) {
        return true;
    }
    for (int i = 0; i < count; i++) {
        if (is_same_file(output, maps[i])) {
            cli_message(output, ITSELF);
            return false;
        }
    }
    if (cli_join_beside(output, ".", folder) && !cli_is_folder(folder)) {
        cli_message(output, "there is no such folder");
        return false;
    }
    return true;
}

// Returns false after a message unless the call gives a destination for `count` maps, all
// different.
static bool check_call(const cli_call *call, char *const *maps, int count) {
    const char *output = call->common->output;
    bool in_place = call->common->in_place;
    if ((output != NULL) == in_place) {
        return refuse(call, in_place
                                ? "--output and --in-place contradict each other"
                                : "the changed map has no destination: give -o FILE or --in-place");
    }
    if (call->common->no_backup && !in_place) {
        return refuse(call, "--no-backup belongs to --in-place");
    }
    if (call->common->backup && (!in_place || call->common->no_backup)) {
        return refuse(call, in_place ? "--backup and --no-backup contradict each other"
                                     : "--backup belongs to --in-place");
    }
    for (int i = 0; i < count; i++) {
        char archive[CLI_PATH_ROOM];
        const char *name;
        if (in_place && cli_member_split(maps[i], archive, &name)) {
            return refuse(call,
                          "a map in an archive is not changed in place; write it with -o FILE");
        }
        if (is_standard(maps[i]) && (in_place || means_folder(output) || count > 1)) {
            return refuse(call, "standard input has no name that its changed map could get");
        }
    }
    return in_place || count < 2 || check_names(call, maps, count);
}

// The destination of a changed map, or of a file beside one.
typedef struct place {
    const char *path; // for messages and for opening
    char room[CLI_PATH_ROOM];
    cli_folder folder; // of --output; its `fd` is -1 if that is no folder
    size_t name;       // where the name in the path begins
} place;

// Finds the destination; `own` is the path of what changes. Returns false after a message; else
// call close_place.
static bool find_place(place *p, const cli_input *input, const char *own) {
    const char *output = input->call->common->output;
    *p = (place){.path = output == NULL ? own : output, .folder.fd = -1};
    if (output == NULL) {
        return true;
    }
    if (input->several || means_folder(output)) {
        if (!cli_folder_open(&p->folder, output)) {
            return false;
        }
        if (!cli_join(output, cli_member_file(own), p->room, sizeof p->room)) {
            cli_message_system(output, errno);
            cli_folder_close(&p->folder);
            return false;
        }
        p->path = p->room;
        p->name = strlen(p->room) - strlen(cli_member_file(own));
    }
    if (is_same_file(p->path, own) || is_same_file(p->path, input->path)) {
        cli_message(p->path, ITSELF);
        cli_folder_close(&p->folder);
        return false;
    }
    return true;
}

static bool begin(cli_replacement *replacement, const place *p, const cli_original *original) {
    return p->folder.fd >= 0 ? cli_replace_begin_in(replacement, p->folder.fd, p->path, p->name)
                             : cli_replace_begin(replacement, p->path, original);
}

static cli_backup backup_of(const cli_call *call) {
    return !call->common->in_place || call->common->no_backup ? CLI_BACKUP_NONE
           : call->common->backup                             ? CLI_BACKUP_LAST
                                                              : CLI_BACKUP_FIRST;
}

// --- checks --------------------------------------------------------------------------------------

static bool check_file(const cli_input *input, const char *path, const bsp_file *file,
                       const bsp_branch *branch, bsp_issues *issues) {
    const bsp_branch *found = bsp_file_get_info(file)->detection.branch;
    if (found != branch) {
        cli_message(path, "not written: the changed map would be read as one of branch %s",
                    found->name);
        return false;
    }
    return cli_no_new_issues(input, path, file, issues);
}

// A map being written.
typedef struct result {
    const cli_input *input;
    const place *place;
    const char *path; // of the result
    const bsp_plan *plan;
    const bsp_branch *branch; // that the result must have
    bool differ;              // the checksums that servers compare differ
    uint32_t before;
    uint32_t after;
} result;

static bool check_content(result *r, const bsp_file *file, bsp_issues *issues) {
    bsp_error error;
    // The check is first: bytes that it has verified are not compared or summed again.
    if (!r->input->call->common->force && !check_file(r->input, r->path, file, r->branch, issues)) {
        return false;
    }
    if (!bsp_plan_matches(r->plan, file, &error)) {
        (void)cli_report(r->path, &error);
        return false;
    }
    return true;
}

// Players whose map is not the server's cannot join.
static bool check_checksum(result *r, const bsp_file *file) {
    r->differ = bsp_file_checksum_changes(r->input->file, file, &r->before, &r->after);
    bool good = !r->differ || !r->input->call->common->keep_checksum;
    if (!good) {
        cli_message(r->path, "not written: the checksum that servers compare would change");
    }
    return good;
}

static void warn_of_checksum(const result *r) {
    if (r->differ) {
        cli_message(r->path, "the checksum that servers compare changes from %08x to %08x",
                    (unsigned)r->before, (unsigned)r->after);
    }
}

// Opens what was written and checks it: `temporary`, or the bytes where that is NULL.
static bool check_result(result *r, const char *temporary, bsp_bytes bytes) {
    bsp_error error;
    const char *name = r->input->call->common->branch;
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    const bsp_file_info *info = bsp_file_get_info(r->input->file);
    bsp_open_options options = {.branch = name == NULL ? NULL : r->branch->name,
                                .budget = cli_budget(),
                                .no_external = true,
                                .external = info->external,
                                .num_external = info->num_external,
                                .issues = issues};
    if (issues == NULL) {
        cli_message(r->path, "no memory");
        return false;
    }
    bsp_file *file = temporary != NULL ? bsp_file_open(temporary, &options, &error)
                                       : bsp_file_open_memory(bytes, &options, &error);
    bool good = file != NULL && check_content(r, file, issues) && check_checksum(r, file);
    if (file == NULL) {
        (void)cli_report(r->path, &error);
    }
    bsp_file_close(file);
    bsp_issues_free(issues);
    return good;
}

// --- writing ------------------------------------------------------------------------------------

static cli_status write_stream(const char *path, const bsp_blob *blob) {
    cli_output output;
    if (!cli_output_open(&output, path)) {
        return CLI_FAILED;
    }
    (void)cli_sink(&output, (const char *)blob->data, blob->size);
    return cli_output_close(&output, CLI_DONE);
}

// Returns true for a pipe, a device or standard output. In a folder nothing else than files is
// written.
static bool is_stream(const place *p) {
    struct stat status;
    return is_standard(p->path) ||
           (p->folder.fd < 0 && stat(p->path, &status) == 0 && !S_ISREG(status.st_mode));
}

// What was written to a pipe cannot be taken back, so everything is checked before.
static cli_status write_to_stream(result *r) {
    bsp_error error;
    bsp_blob blob;
    if (!bsp_plan_make(r->plan, NULL, &blob, &error)) {
        return cli_report(r->path, &error);
    }
    bool good = check_result(r, NULL, (bsp_bytes){blob.data, blob.size});
    cli_status status = good ? write_stream(r->path, &blob) : CLI_FAILED;
    bsp_blob_free(&blob);
    return status;
}

static cli_status write_to_file(result *r) {
    const cli_input *input = r->input;
    cli_replacement replacement;
    if (!begin(&replacement, r->place, input->original) ||
        !cli_replace_write(&replacement, r->plan) || !cli_replace_flush(&replacement)) {
        return CLI_FAILED;
    }
    if (!check_result(r, replacement.temporary, (bsp_bytes){NULL, 0})) {
        cli_replace_abandon(&replacement);
        return CLI_FAILED;
    }
    bsp_bytes old = bsp_file_get_info(input->file)->bytes;
    if (!cli_replace_finish(&replacement, backup_of(input->call), old)) {
        return CLI_FAILED;
    }
    cli_inputs_add(r->path); // no other output takes its place
    return CLI_DONE;
}

cli_status cli_edited_write(const cli_input *input, bsp_plan *plan, const bsp_branch *branch,
                            const bsp_error *error) {
    place p;
    if (plan == NULL) {
        return cli_report(input->path, error);
    }
    if (!find_place(&p, input, input->path)) {
        bsp_plan_free(plan);
        return CLI_FAILED;
    }
    result r = {.input = input,
                .place = &p,
                .path = p.path,
                .plan = plan,
                .branch =
                    branch != NULL ? branch : bsp_file_get_info(input->file)->detection.branch};
    cli_status status = is_stream(&p) ? write_to_stream(&r) : write_to_file(&r);
    if (status == CLI_DONE) {
        warn_of_checksum(&r);
    }
    cli_folder_close(&p.folder);
    bsp_plan_free(plan);
    return status;
}

// --- files beside the map -----------------------------------------------------------------------

static bool is_beside(const cli_input *input, const bsp_lump_change *change) {
    if (change->lump == BSP_NONE || change->remove || change->plan != NULL ||
        change->version != BSP_NONE) {
        return false;
    }
    const bsp_lump *lump = bsp_file_lump(input->file, change->lump);
    return lump->external != BSP_NONE && lump->place != BSP_IN_GAME_LUMP;
}

// Opens the map with the changed file instead of the old one, and checks it.
static bool check_beside(const cli_input *input, const char *path, uint32_t number,
                         bsp_bytes bytes) {
    const bsp_file_info *info = bsp_file_get_info(input->file);
    bsp_error error;
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_external *files = calloc(info->num_external, sizeof *files);
    bool good = issues != NULL && files != NULL;
    if (!good) {
        cli_message(path, "no memory");
    } else {
        memcpy(files, info->external, info->num_external * sizeof *files);
        files[number].bytes = bytes;
        bsp_open_options options = {.branch = info->detection.branch->name,
                                    .budget = cli_budget(),
                                    .external = files,
                                    .num_external = info->num_external,
                                    .issues = issues};
        bsp_file *file = bsp_file_open_memory(info->bytes, &options, &error);
        good = file != NULL ? cli_no_new_issues(input, path, file, issues)
                            : cli_report(path, &error) == CLI_DONE;
        bsp_file_close(file);
    }
    free(files);
    bsp_issues_free(issues);
    return good;
}

// Opens a file beside the map and checks that it is still what was read with the map, since it was
// not locked then.
static bool open_beside(cli_original *original, const char *path, bsp_bytes old) {
    if (!cli_original_open(original, path)) {
        return false;
    }
    if (!cli_original_holds(original, old)) {
        cli_message(path, "another program has changed it since it was read: nothing was written");
        cli_original_close(original);
        return false;
    }
    return true;
}

static cli_status replace_beside(const cli_input *input, const place *p, const bsp_blob *blob,
                                 bsp_bytes old) {
    bsp_error error;
    cli_original original = {.fd = -1};
    bool in_place = input->call->common->in_place;
    if (in_place && !open_beside(&original, p->path, old)) {
        return CLI_FAILED;
    }
    bsp_plan *plan = bsp_plan_bytes((bsp_bytes){blob->data, blob->size}, NULL, &error);
    cli_status status = plan == NULL ? cli_report(p->path, &error) : CLI_FAILED;
    cli_replacement replacement;
    if (plan != NULL && begin(&replacement, p, in_place ? &original : NULL) &&
        cli_replace_write(&replacement, plan) && cli_replace_flush(&replacement) &&
        cli_replace_finish(&replacement, backup_of(input->call), old)) {
        status = CLI_DONE;
    }
    bsp_plan_free(plan);
    cli_original_close(&original);
    return status;
}

static cli_status write_beside(const cli_input *input, uint32_t number, const bsp_blob *blob) {
    const bsp_external *old = &bsp_file_get_info(input->file)->external[number];
    char own[CLI_PATH_ROOM];
    place p;
    if (!cli_join_beside(input->path, old->name, own)) {
        cli_message(input->path, "the path is too long");
        return CLI_FAILED;
    }
    if (!find_place(&p, input, own)) {
        return CLI_FAILED;
    }
    cli_status status = CLI_FAILED;
    if (input->call->common->force ||
        check_beside(input, p.path, number, (bsp_bytes){blob->data, blob->size})) {
        status = is_stream(&p) ? write_stream(p.path, blob)
                               : replace_beside(input, &p, blob, old->bytes);
    }
    cli_folder_close(&p.folder);
    return status;
}

cli_status cli_edited_lump(const cli_input *input, const bsp_lump_change *change, bool same) {
    bsp_blob blob;
    bsp_error error;
    if (!is_beside(input, change)) {
        bsp_lump_change placed = *change;
        placed.apart = input->call->common->keep_checksum; // offsets count in it too
        bsp_plan *plan = bsp_file_plan(input->file, &placed, same ? 0 : 1, NULL, &error);
        return cli_edited_write(input, plan, NULL, &error);
    }
    if (!bsp_external_rewrite(input->file, change->lump, change->data, NULL, &blob, &error)) {
        return cli_report(input->path, &error);
    }
    uint32_t number = bsp_file_lump(input->file, change->lump)->external;
    cli_status status = write_beside(input, number, &blob);
    bsp_blob_free(&blob);
    return status;
}

cli_status cli_for_each_edited(const cli_call *call, char *const *maps, int count, cli_work work) {
    const char *output = call->common->output;
    if (!check_call(call, maps, count)) {
        return CLI_USAGE;
    }
    if (output != NULL && !check_output(output, maps, count)) {
        return CLI_FAILED;
    }
    return cli_for_each_changed(call, maps, count, work);
}
