// SPDX-License-Identifier: MIT
// Opens the maps that a command line names, one after the other.
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/parts/original.h"
#include "cli/parts/output.h"

/// One input, as a command gets it.
typedef struct cli_input {
    const cli_call *call;
    const char *path;
    const bsp_file *file;          ///< NULL: it is a model
    const bsp_model_file *records; ///< of a model; else NULL
    const bsp_model_asset *model;  ///< NULL for a map, and for a file that is a part of a model
    bsp_issues *issues;            ///< of opening the file
    cli_output *output;
    cli_capture *messages;        ///< receives the messages; NULL: they are printed
    bsp_json *json;               ///< with --json: writes to `output`; flushed by the caller
    bool several;                 ///< the command line names several
    int number;                   ///< index of this one
    const cli_original *original; ///< the map itself, when the command replaces it; else NULL
} cli_input;

typedef cli_status (*cli_work)(const cli_input *input);

/// Opens --output and the first `count` operands, and calls `work` with each, --jobs of them at
/// once: `work` prints to its output and by cli_message only, and both come out in the order of the
/// operands. A bad input is reported (with --json
/// also as an object with "file" and "error"), and the next one follows; where not all of several
/// are without problems, the totals are a message at the end. Returns the highest status.
cli_status cli_for_each_input(const cli_call *call, int count, cli_work work);

/// Does the same with another table for --csv and --tsv than that of the command.
cli_status cli_for_each_rows(const cli_call *call, int count, cli_work work,
                             const cli_row_form *rows);
/// Does the same, and calls `model_work` with those that are models. `keep` is the number of issues
/// kept of each kind, 0 for the default.
cli_status cli_for_each_input_or_model(const cli_call *call, int count, uint32_t keep,
                                       cli_work work, cli_work model_work);

/// Does the same one by one, with the maps of a list and an output that --output does not name.
cli_status cli_for_each_of(const cli_call *call, char *const *maps, int count,
                           const char *output_path, cli_work work);

/// Does the same, with --output, and another table for --csv and --tsv than that of the command.
cli_status cli_for_each_of_rows(const cli_call *call, char *const *maps, int count, cli_work work,
                                const cli_row_form *rows);

/// Does the same for commands that change maps: with --in-place each map is locked before it is
/// read.
cli_status cli_for_each_changed(const cli_call *call, char *const *maps, int count, cli_work work);

/// Returns the lump of that name or number. BSP_NONE after a message.
uint32_t cli_find_lump(const cli_input *input, const char *name);
/// Gives the number of records of a lump. Returns false for a lump of bytes or text.
bool cli_lump_records(const bsp_file *file, uint32_t lump, uint32_t *records);
/// Writes the `index`, `name`, `offset`, `size`, `version`, `compressed`, `records` of a lump, and
/// the `external` file that holds it, if there is one.
void cli_lump_json(const bsp_file *file, uint32_t lump, bsp_json *json);

#endif
