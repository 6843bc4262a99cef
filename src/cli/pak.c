// SPDX-License-Identifier: MIT
// bspkit pak: the files in a map (Source's embedded zip), listed and taken out.
#include "cli/pak.h"

#include "cli/commands.h"
#include "cli/folder.h"
#include "cli/glob.h"
#include "cli/limits.h"
#include "cli/table.h"
#include "cli/verb.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATH_ROOM 4096u
#define FIRST_DATE 315532800 // 1980-01-01, the first that a zip can have

cli_status cli_pak_open(const cli_input *input, cli_pak *out) {
    bsp_error error;
    *out = (cli_pak){.lump = bsp_file_find_id(input->file, BSP_ID_PAK)};
    if (out->lump == BSP_NONE) {
        cli_message(input->path, "nothing to do: maps of branch %s have no files in them",
                    bsp_file_get_info(input->file)->detection.branch->name);
        return CLI_DONE;
    }
    out->pak = bsp_file_pak(input->file, input->issues, &error);
    return out->pak == NULL ? cli_report(input->path, &error) : CLI_DONE;
}

void cli_pak_close(cli_pak *pak) {
    bsp_pak_close(pak->pak);
}

cli_status cli_pak_write(const cli_input *input, const cli_pak *pak, const bsp_pak_change *changes,
                         uint32_t count) {
    bsp_error error;
    bsp_plan *zip = bsp_pak_plan(pak->pak, changes, count, NULL, &error);
    if (zip == NULL) {
        return cli_report(input->path, &error);
    }
    bsp_lump_change change = {.lump = pak->lump, .plan = zip, .version = BSP_NONE};
    bsp_plan *plan = bsp_file_plan(input->file, &change, 1, NULL, &error);
    cli_status status = cli_edited_write(input, plan, NULL, &error);
    bsp_plan_free(zip);
    return status;
}

bool cli_pak_matches(const cli_call *call, bsp_text name) {
    for (int i = 1; i < call->num_operands; i++) {
        if (cli_glob(bsp_text_of(call->operands[i]), name)) {
            return true;
        }
    }
    return call->num_operands < 2;
}

// --- list ---------------------------------------------------------------------------------------

static void format_method(char out[16], uint16_t method) {
    switch (method) {
    case BSP_PAK_STORED:
        snprintf(out, 16, "stored");
        break;
    case BSP_PAK_DEFLATE:
        snprintf(out, 16, "deflate");
        break;
    case BSP_PAK_LZMA:
    case BSP_PAK_LZMA_LUMP:
        snprintf(out, 16, "lzma");
        break;
    default:
        snprintf(out, 16, "%u", (unsigned)method);
    }
}

// Where a file's head begins in the map.
static uint64_t offset_of(const cli_input *input, const cli_pak *pak, const bsp_pak_entry *entry) {
    return bsp_file_lump(input->file, pak->lump)->offset + entry->offset;
}

static void json_entry(const cli_input *input, const cli_pak *pak, const bsp_pak_entry *entry) {
    bsp_json *json = input->json;
    char text[16];
    bsp_json_object(json);
    bsp_json_key(json, "name");
    bsp_json_text(json, entry->name);
    bsp_json_key(json, "size");
    bsp_json_uint(json, entry->size);
    bsp_json_key(json, "packed_size");
    bsp_json_uint(json, entry->packed_size);
    bsp_json_key(json, "method");
    format_method(text, entry->method);
    bsp_json_string(json, text);
    bsp_json_key(json, "crc");
    snprintf(text, sizeof text, "%08x", (unsigned)entry->crc);
    bsp_json_string(json, text);
    bsp_json_key(json, "offset");
    bsp_json_uint(json, offset_of(input, pak, entry));
    bsp_json_object_end(json);
}

static void list_json(const cli_input *input, const cli_pak *pak) {
    bsp_json_object(input->json);
    bsp_json_key(input->json, "file");
    bsp_json_string(input->json, input->path);
    bsp_json_key(input->json, "comment");
    bsp_text comment = pak->pak == NULL ? bsp_text_of("") : pak->pak->comment;
    while (comment.size != 0 && comment.data[comment.size - 1] == '\0') { // padding
        comment.size--;
    }
    bsp_json_text(input->json, comment);
    bsp_json_key(input->json, "files");
    bsp_json_array(input->json);
    for (uint32_t i = 0; pak->pak != NULL && i < pak->pak->count; i++) {
        if (cli_pak_matches(input->call, pak->pak->entries[i].name)) {
            json_entry(input, pak, &pak->pak->entries[i]);
        }
    }
    bsp_json_array_end(input->json);
    bsp_json_object_end(input->json);
}

static cli_status list_table(const cli_input *input, const cli_pak *pak) {
    static const cli_column columns[] = {{"size", true}, {"packed", true}, {"method", false},
                                         {"crc", false}, {"offset", true}, {"name", false}};
    cli_table table;
    cli_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < pak->pak->count; i++) {
        const bsp_pak_entry *entry = &pak->pak->entries[i];
        if (cli_pak_matches(input->call, entry->name)) {
            char method[16];
            format_method(method, entry->method);
            cli_table_cell(&table, CLI_PLAIN, "%u", (unsigned)entry->size);
            cli_table_cell(&table, CLI_PLAIN, "%u", (unsigned)entry->packed_size);
            cli_table_cell(&table, CLI_PLAIN, "%s", method);
            cli_table_cell(&table, CLI_FAINT, "%08x", (unsigned)entry->crc);
            cli_table_cell(&table, CLI_FAINT, "%llu",
                           (unsigned long long)offset_of(input, pak, entry));
            cli_table_cell(&table, CLI_STRONG, "%.*s", (int)entry->name.size, entry->name.data);
        }
    }
    return cli_table_print(&table, input->output, 0);
}

cli_status cli_pak_list(const cli_input *input) {
    cli_pak pak;
    cli_status status = cli_pak_open(input, &pak);
    if (status == CLI_DONE && input->json != NULL) {
        list_json(input, &pak);
    } else if (pak.pak != NULL) {
        status = list_table(input, &pak);
    }
    cli_pak_close(&pak);
    return status;
}

// --- extract ------------------------------------------------------------------------------------

// A file that is to be written, and where.
typedef struct target {
    uint32_t entry;
    char *path; // below the folder
} target;

static int compare(const void *a, const void *b) {
    const target *x = a;
    const target *y = b;
    int order = strcmp(x->path, y->path);
    return order != 0 ? order : x->entry < y->entry ? -1 : 1;
}

static bool is_folder_name(bsp_text name) {
    char last = name.size == 0 ? '/' : name.data[name.size - 1];
    return last == '/' || last == '\\';
}

// The paths of all files that match, sorted. False after a message.
static bool choose(const cli_input *input, const bsp_pak *pak, target *list, size_t *count) {
    char name[PATH_ROOM];
    for (uint32_t i = 0; i < pak->count; i++) {
        const bsp_pak_entry *entry = &pak->entries[i];
        if (is_folder_name(entry->name) || !cli_pak_matches(input->call, entry->name)) {
            continue;
        }
        cli_safe_name(entry->name, name, sizeof name);
        size_t size = strlen(name) + 1;
        char *path = malloc(size);
        if (path == NULL) {
            cli_message(input->path, "no memory");
            return false;
        }
        memcpy(path, name, size);
        list[(*count)++] = (target){i, path};
    }
    qsort(list, *count, sizeof *list, compare);
    return true;
}

static cli_status extract_one(const cli_input *input, const bsp_pak *pak, const cli_folder *folder,
                              const target *wanted) {
    const struct timespec date = {.tv_sec = FIRST_DATE}; // the same whenever it is done
    bsp_blob blob;
    bsp_error error;
    if (wanted->path[0] == '\0') {
        cli_message(input->path, "a file of the pak has no name that it could have here");
        return CLI_FAILED;
    }
    if (!bsp_pak_read(pak, wanted->entry, NULL, &blob, &error)) {
        bsp_text name = pak->entries[wanted->entry].name;
        cli_message(input->path, "%.*s: %s", (int)name.size, name.data, error.message);
        return CLI_FAILED;
    }
    bool done = cli_folder_put(folder, wanted->path, (bsp_bytes){blob.data, blob.size}, &date);
    bsp_blob_free(&blob);
    return done ? CLI_DONE : CLI_FAILED;
}

// All of it or nothing: what the entries unpack to is known before.
static bool may_extract(const cli_input *input, const bsp_pak *pak, const target *list,
                        size_t count) {
    uint64_t bytes = 0;
    bsp_error error;
    for (size_t i = 0; i < count; i++) {
        bytes += pak->entries[list[i].entry].size;
    }
    return bsp_budget_may_write(cli_budget(), count, bytes, &error) ||
           cli_report(input->path, &error) == CLI_DONE;
}

static cli_status extract_all(const cli_input *input, const bsp_pak *pak, const target *list,
                              size_t count) {
    cli_folder folder = {.fd = -1};
    if (!may_extract(input, pak, list, count)) {
        return CLI_FAILED;
    }
    if (count != 0 && !cli_folder_open(&folder, cli_text(input->call, "output"))) {
        return CLI_FAILED;
    }
    cli_status status = CLI_DONE;
    for (size_t i = 0; i < count; i++) {
        bool again = i != 0 && strcmp(list[i].path, list[i - 1].path) == 0;
        if (again) {
            cli_message(input->path, "%s: a second file of this name is left out", list[i].path);
        }
        cli_status one = again ? CLI_PROBLEMS : extract_one(input, pak, &folder, &list[i]);
        status = one > status ? one : status;
    }
    cli_folder_close(&folder);
    if (count == 0 && input->call->num_operands > 1) {
        cli_message(input->path, "no file matches");
        status = CLI_PROBLEMS;
    }
    return status;
}

cli_status cli_pak_extract(const cli_input *input) {
    cli_pak pak;
    size_t count = 0;
    cli_status status = cli_pak_open(input, &pak);
    if (pak.pak == NULL) {
        return status;
    }
    target *list = calloc((size_t)pak.pak->count + 1, sizeof *list);
    status = CLI_FAILED;
    if (list == NULL) {
        cli_message(input->path, "no memory");
    } else if (choose(input, pak.pak, list, &count)) {
        status = extract_all(input, pak.pak, list, count);
    }
    for (size_t i = 0; i < count; i++) {
        free(list[i].path);
    }
    free(list);
    cli_pak_close(&pak);
    return status;
}

// --- the command --------------------------------------------------------------------------------

static const cli_verb verbs[] = {
    {"list", cli_pak_list, 0, false},    {"extract", cli_pak_extract, 0, false},
    {"add", cli_pak_add, 0, true},       {"replace", cli_pak_replace, 0, true},
    {"remove", cli_pak_remove, 0, true},
};

static cli_status run(const cli_call *call) {
    const cli_verb *v = cli_verb_of(call, verbs, sizeof verbs / sizeof *verbs,
                                    "list, extract, add, replace, remove");
    if (v == NULL) {
        return CLI_USAGE;
    }
    cli_call rest = *call;
    rest.operands++;
    rest.num_operands--;
    if (v->edits) {
        return cli_for_each_edited(&rest, rest.operands, 1, v->work);
    }
    if (v->work == cli_pak_list) {
        return cli_for_each_input(&rest, 1, 0, v->work);
    }
    const char *folder = cli_text(&rest, "output");
    if (folder == NULL || folder[0] == '\0') {
        cli_message(NULL, "pak extract takes a folder: -o DIR");
        return CLI_USAGE;
    }
    return cli_for_each_of(&rest, rest.operands, 1, NULL, 0, v->work);
}

static const cli_option options[] = {
    {"method", 0, CLI_TEXT, false, "METHOD",
     "add, replace: store files (stored), or pack them (deflate, lzma). Without it new files are "
     "stored, and replaced ones packed as before. Engines of before 2013 read stored files only, "
     "later ones lzma too"},
    {"list", 0, CLI_FILE, false, "LIST",
     "add, replace: take the files of a list too, two lines for each: its name in the pak, and its "
     "path on the disk"},
    {"root", 0, CLI_FILE, false, "DIR",
     "add, replace: look for PATHs in this folder, and name files by their place in it"},
    CLI_OPTION_JSON,
    {"output", 'o', CLI_TARGET, false, "FILE",
     "The changed map, or the folder that files are extracted to; made if need be"},
    CLI_OPTION_IN_PLACE,
    CLI_OPTIONS_BACKUP,
    CLI_OPTION_FORCE,
    CLI_OPTION_KEEP_CHECKSUM,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_pak = {
    .name = "pak",
    .operands = "WHAT FILE [NAME|PATH]...",
    .summary = "List, extract and change the files in a map",
    .description =
        "pak list FILE [GLOB]... prints the files of the zip in a map of Source: size, packed "
        "size, method, CRC-32, where in the map they begin, and name.\n\n"
        "pak extract FILE [GLOB]... writes them below the folder --output, and nowhere else: names "
        "that lead out of it are made safe. Their date is 1980-01-01.\n\n"
        "pak add FILE PATH... puts files into the map that are not there yet; pak replace FILE "
        "PATH... puts them in the place of those of the same name. A folder stands for all files "
        "below it, and their names begin behind it: of content/ the file "
        "content/materials/wall.vmt is materials/wall.vmt.\n\n"
        "pak remove FILE GLOB... removes files.\n\n"
        "In a GLOB * stands for any characters, ? for one, the case of letters does not matter. "
        "Files that are not touched keep their bytes.",
    .example = "bspkit pak add maps/start.bsp content/ -o maps/start_packed.bsp",
    CLI_OPTIONS(options),
    .min_operands = 2,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .reads = "-f-",
    .run = run,
};
