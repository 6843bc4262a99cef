// SPDX-License-Identifier: MIT
// bspkit pak: lists and extracts the files embedded in a map of Source.
#include "cli/commands/pak.h"

#include "cli/parts/budget.h"
#include "cli/parts/commands.h"
#include "cli/parts/folder.h"
#include "cli/parts/json.h"
#include "cli/parts/table.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST_DATE 315532800 // 1980-01-01, the earliest date of a zip

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

// Returns where a file's head begins in the map.
static uint64_t offset_of(const cli_input *input, const cli_pak *pak, const bsp_pak_entry *entry) {
    return bsp_file_lump(input->file, pak->lump)->offset + entry->offset;
}

static void json_entry(const cli_input *input, const cli_pak *pak, const bsp_pak_entry *entry) {
    bsp_json *json = input->json;
    char text[16];
    bsp_json_object(json);
    cli_json_text(json, "name", entry->name);
    cli_json_uint(json, "size", entry->size);
    cli_json_uint(json, "packed_size", entry->packed_size);
    format_method(text, entry->method);
    cli_json_string(json, "method", text);
    cli_json_sum_or_null(json, "crc", true, entry->crc);
    cli_json_uint(json, "offset", offset_of(input, pak, entry));
    bsp_json_object_end(json);
}

static void list_json(const cli_input *input, const cli_pak *pak) {
    bsp_json_object(input->json);
    cli_json_string(input->json, "file", input->path);
    bsp_json_key(input->json, "comment");
    bsp_text comment = pak->pak == NULL ? bsp_text_of("") : pak->pak->comment;
    while (comment.size != 0 && comment.data[comment.size - 1] == '\0') { // padding
        comment.size--;
    }
    bsp_json_text(input->json, comment);
    cli_json_array(input->json, "files");
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

static cli_status list_pak(const cli_input *input) {
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

// A file to be written, and its path.
typedef struct target {
    uint32_t entry;
    char *path; // relative to the folder
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

// Chooses the paths of all matching files, sorted. Returns false after a message.
static bool choose(const cli_input *input, const bsp_pak *pak, target *list, size_t *count) {
    char name[CLI_PATH_ROOM];
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
    const struct timespec date = {.tv_sec = FIRST_DATE}; // the same date at every run
    bsp_blob blob;
    bsp_error error;
    if (wanted->path[0] == '\0') {
        cli_message(input->path, "the name of a file of the pak cannot be used here");
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

// Checks the limits for all files before the first is written: the entries state the unpacked
// sizes.
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
    if (count != 0 && !cli_folder_open(&folder, input->call->common->output)) {
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

static cli_status extract_pak(const cli_input *input) {
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

static cli_status run_list(const cli_call *call) {
    return cli_for_each_input(call, 1, list_pak);
}

static cli_status run_extract(const cli_call *call) {
    const char *folder = call->common->output;
    if (folder == NULL || folder[0] == '\0') {
        cli_message(NULL, "pak extract takes a folder: -o DIR");
        return CLI_USAGE;
    }
    return cli_for_each_of(call, call->operands, 1, NULL, extract_pak);
}

static cli_status run_add(const cli_call *call) {
    return cli_for_each_edited(call, call->operands, 1, cli_pak_add);
}

static cli_status run_replace(const cli_call *call) {
    return cli_for_each_edited(call, call->operands, 1, cli_pak_replace);
}

static cli_status run_remove(const cli_call *call) {
    return cli_for_each_edited(call, call->operands, 1, cli_pak_remove);
}

static cli_status run_rename(const cli_call *call) {
    return cli_for_each_edited(call, call->operands, 1, cli_pak_rename);
}

static const cli_choice methods[] = {
    {"stored", BSP_PAK_STORED, "as they are, which all engines read"},
    {"deflate", BSP_PAK_DEFLATE, "packed as most zips are, which engines do not read"},
    {"lzma", BSP_PAK_LZMA, "packed as engines since 2013 read it"},
    {NULL, 0, NULL},
};

static const cli_pak_options defaults = {.method = -1};

static const cli_option list_options[] = {
    CLI_OPTION_JSON, CLI_OPTIONS_ROWS, CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option extract_options[] = {
    {.name = "output",
     .letter = 'o',
     CLI_TARGET_TO(cli_common, output),
     .argument = "DIR",
     .help = "The folder that files are extracted to; made if need be"},
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const cli_option add_options[] = {
    {.name = "method",
     CLI_CHOICE_TO(cli_pak_options, method, methods),
     .argument = "METHOD",
     .help = "Pack the files with this method; by default new files are stored, and replaced ones "
             "packed as before"},
    {.name = "list",
     CLI_NAMES_TO(cli_pak_options, list),
     .argument = "LIST",
     .help = "Also take the files of a list, two lines for each: its name in the pak, and its path "
             "on disk"},
    {.name = "root",
     CLI_NAMES_TO(cli_pak_options, root),
     .argument = "DIR",
     .help = "Resolve PATHs in this folder, and name files relative to it"},
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const cli_option remove_options[] = {
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const cli_option rename_options[] = {
    {.name = "from",
     CLI_TEXT_TO(cli_pak_rename_options, from),
     .argument = "NAME",
     .help = "The old name of the map; by default that of its folder materials/maps/NAME in the "
             "pak, or else that of the file"},
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const char *const columns[] = {"@",
                                      "files[].name",
                                      "files[].size",
                                      "files[].packed_size",
                                      "files[].method",
                                      "files[].crc",
                                      "files[].offset",
                                      "error",
                                      NULL};

static const cli_row_form rows = {"files[]", columns};

static const cli_command verbs[] = {
    {
        .name = "pak list",
        .operands = "FILE [GLOB]...",
        .summary = "Print size, packed size, method, CRC-32, place in the map, and name of files",
        .examples = {"bspkit pak list maps/source.bsp", "bspkit pak list maps/source.bsp '*.vmt'"},
        CLI_COMMON_OPTIONS(list_options),
        .min_operands = 1,
        .max_operands = CLI_ANY,
        .reads_maps = true,
        .reads = "fp",
        .rows = &rows,
        .run = run_list,
    },
    {
        .name = "pak extract",
        .operands = "FILE [GLOB]...",
        .summary = "Write files below the folder --output, and nowhere else",
        .description = "Names that lead out of the folder are made safe. The date of the files is "
                       "1980-01-01.",
        .examples = {"bspkit pak extract maps/source.bsp -o content",
                     "bspkit pak extract maps/source.bsp '*.vmt' -o content"},
        CLI_COMMON_OPTIONS(extract_options),
        .min_operands = 1,
        .max_operands = CLI_ANY,
        .reads_maps = true,
        .reads = "fp",
        .run = run_extract,
    },
    {
        .name = "pak add",
        .operands = "FILE [PATH]...",
        .summary = "Put files into the map that are not there yet",
        .description = "A folder stands for all files below it, and their names begin after it: "
                       "of content/ the file content/materials/wall.vmt is materials/wall.vmt.",
        .examples = {"bspkit pak add maps/source.bsp extra/ -o out.bsp",
                     "bspkit pak add --method lzma maps/source.bsp extra/ -o out.bsp"},
        CLI_OPTIONS(add_options, cli_pak_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = CLI_ANY,
        .reads_maps = true,
        .reads = "f-",
        .run = run_add,
    },
    {
        .name = "pak replace",
        .operands = "FILE [PATH]...",
        .summary = "Replace files of the same name",
        .description = "PATH is as for pak add.",
        .examples = {"bspkit pak replace maps/source.bsp content/ -o out.bsp",
                     "bspkit pak replace --in-place maps/source.bsp content/"},
        CLI_OPTIONS(add_options, cli_pak_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = CLI_ANY,
        .reads_maps = true,
        .reads = "f-",
        .run = run_replace,
    },
    {
        .name = "pak remove",
        .operands = "FILE GLOB...",
        .summary = "Remove files from the map",
        .examples = {"bspkit pak remove maps/source.bsp '*.vtf' -o out.bsp",
                     "bspkit pak remove --in-place maps/source.bsp '*.vtf'"},
        CLI_COMMON_OPTIONS(remove_options),
        .min_operands = 2,
        .max_operands = CLI_ANY,
        .reads_maps = true,
        .reads = "fp",
        .run = run_remove,
    },
    {
        .name = "pak rename",
        .operands = "FILE NAME",
        .summary = "Give the map another name: in its files, and wherever these are named",
        .description =
            "A game looks for the files of a map by the map's name, so a map whose file gets "
            "another name loses its cubemaps, overview or navigation. NAME is the new one, without "
            "folder and .bsp; call the output so. Files such as materials/maps/OLD/... and "
            "maps/OLD_level_sounds.txt are renamed, and their paths change in the names of "
            "materials, in entities, and in texts of the pak. If a path cannot be changed, nothing "
            "is written.",
        .examples = {"bspkit pak rename maps/source.bsp arena2 -o arena2.bsp",
                     "bspkit pak rename --from lobby maps/source.bsp arena2 -o arena2.bsp"},
        CLI_OPTIONS(rename_options, cli_pak_rename_options),
        .min_operands = 2,
        .max_operands = 2,
        .reads_maps = true,
        .reads = "f-",
        .run = run_rename,
    },
};

const cli_command cli_command_pak = {
    .name = "pak",
    .group = CLI_GROUP_CHANGE,
    .summary = "List, extract and change the files in a map",
    .description = "The files are those of the zip in a map of Source. In a GLOB * stands for any "
                   "characters, ? for one, the case of letters does not matter. Files that are not "
                   "changed keep their bytes.",
    .examples = {"bspkit pak list maps/source.bsp",
                 "bspkit pak add maps/source.bsp extra/ -o out.bsp"},
    CLI_VERBS(verbs),
};
