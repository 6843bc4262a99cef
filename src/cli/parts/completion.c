// SPDX-License-Identifier: MIT
// bspkit completion: shell completions, made from the command tables at build time.
#include "cli/parts/completion.h"
#include "cli/parts/input.h"
#include "cli/parts/lower.h"

#include <ctype.h>
#include <string.h>

// --- lumps --------------------------------------------------------------------------------------

// Compares ignoring case.
static bool begins(bsp_text name, const char *start) {
    size_t size = strlen(start);
    for (size_t i = 0; i < size; i++) {
        if (i >= name.size || cli_lower(name.data[i]) != cli_lower(start[i])) {
            return false;
        }
    }
    return true;
}

// Returns true if a name from a file has no character that is special in a shell.
static bool is_plain(bsp_text name) {
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (c == '\0' || (!isalnum((unsigned char)c) && strchr("_-.:/", c) == NULL)) {
            return false;
        }
    }
    return name.size != 0 && name.data[0] != '-';
}

static void print_name(const cli_input *input, bsp_text name) {
    const char *start = input->call->num_operands > 1 ? input->call->operands[1] : "";
    if (is_plain(name) && begins(name, start)) {
        cli_print(input->output, "%.*s\n", (int)name.size, name.data);
    }
}

static cli_status print_lumps(const cli_input *input) {
    for (uint32_t i = 0; i < bsp_file_get_info(input->file)->num_lumps; i++) {
        print_name(input, bsp_text_of(bsp_file_lump(input->file, i)->name));
    }
    return CLI_DONE;
}

static cli_status print_files(const cli_input *input) {
    bsp_error error;
    bsp_pak *pak = bsp_file_pak(input->file, input->issues, &error);
    for (uint32_t i = 0; pak != NULL && i < pak->count; i++) {
        print_name(input, pak->entries[i].name);
    }
    bsp_pak_close(pak);
    return CLI_DONE;
}

// --- the command --------------------------------------------------------------------------------

static cli_status print(void (*shell)(cli_output *output)) {
    cli_output output;
    (void)cli_output_open(&output, NULL);
    shell(&output);
    return cli_output_close(&output, CLI_DONE);
}

static cli_status run_bash(const cli_call *call) {
    (void)call;
    return print(cli_complete_bash);
}

static cli_status run_zsh(const cli_call *call) {
    (void)call;
    return print(cli_complete_zsh);
}

static cli_status run_fish(const cli_call *call) {
    (void)call;
    return print(cli_complete_fish);
}

static cli_status run_lumps(const cli_call *call) {
    return cli_for_each_input(call, 1, print_lumps);
}

static cli_status run_files(const cli_call *call) {
    return cli_for_each_input(call, 1, print_files);
}

static const cli_option options[] = {CLI_OPTION_HELP};

#define SHELL(word, function)                                                                      \
    {                                                                                              \
        .name = "completion " word, .operands = "", .summary = "Print the completions for " word,  \
        CLI_COMMON_OPTIONS(options), .run = (function)                                             \
    }

#define PARTS(word, what, function)                                                                \
    {                                                                                              \
        .name = "completion " word, .operands = "FILE [START]",                                    \
        .summary = "Print the names of " what " of a map that begin so, one a line",               \
        CLI_COMMON_OPTIONS(options), .min_operands = 1, .max_operands = 2, .reads_maps = true,     \
        .reads = "f-", .run = (function)                                                           \
    }

static const cli_command verbs[] = {
    SHELL("bash", run_bash),
    SHELL("zsh", run_zsh),
    SHELL("fish", run_fish),
    PARTS("lumps", "the lumps", run_lumps),
    PARTS("files", "the embedded files", run_files),
};

const cli_command cli_command_completion = {
    .name = "completion",
    .group = CLI_GROUP_HIDDEN,
    .summary = "Print the completions for a shell, or the names that they offer",
    CLI_VERBS(verbs),
};
