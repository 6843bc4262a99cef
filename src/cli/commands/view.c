// SPDX-License-Identifier: MIT
// bspkit view: a page of one file that shows a map in any browser.
#include "cli/parts/commands.h"
#include "cli/parts/game.h"
#include "cli/parts/input.h"

#include "cli/commands/view_page.h"
#include "cli/commands/view_serve.h"

#include <string.h>

typedef struct view_options {
    cli_common common;
    const char *page;
} view_options;

static const view_options *options_of(const cli_call *call) {
    return (const view_options *)call->common;
}

static cli_status work(const cli_input *input) {
    bsp_blob page = {0};
    cli_output output;
    if (!cli_output_open(&output, input->call->common->output)) {
        return CLI_FAILED;
    }
    cli_status status = cli_view_read(options_of(input->call)->page, &page);
    if (status == CLI_DONE) {
        const cli_view view = {
            .call = input->call, .path = input->path, .file = input->file, .page = &page};
        status = cli_view_write(&view, &output);
    }
    bsp_blob_free(&page);
    return status == CLI_DONE ? cli_output_close(&output, status) : cli_output_fail(&output);
}

static cli_status serve(const cli_call *call) {
    bsp_blob page = {0};
    if (call->common->output != NULL) {
        cli_message("view", "--serve writes no page: --output is for one that opens from the disk");
        return CLI_USAGE;
    }
    if (strcmp(call->operands[0], "-") == 0) {
        cli_message("view", "--serve reads the map again, which standard input cannot");
        return CLI_USAGE;
    }
    cli_status status = cli_view_read(options_of(call)->page, &page);
    if (status == CLI_DONE) {
        status = cli_view_serve(call, &page);
    }
    bsp_blob_free(&page);
    return status;
}

static cli_status run(const cli_call *call) {
    if (call->common->serve) {
        return serve(call);
    }
    if (call->common->output == NULL) {
        cli_message("view", "--output names the page to be written, and --serve needs none");
        return CLI_USAGE;
    }
    return cli_for_each_of(call, call->operands, 1, NULL, work);
}

static cli_status begin(const cli_call *call) {
    return !call->common->serve || cli_view_listen() ? CLI_DONE : CLI_FAILED;
}

static const cli_option options[] = {
    CLI_OPTION_GAME_FOR("textures and models"),
    {.name = "page",
     CLI_FILE_TO(view_options, page),
     .argument = "FILE",
     .help = "Take this page of the viewer in the place of the one that is installed"},
    {.name = "serve",
     CLI_FLAG_TO(cli_common, serve),
     .help = "Serve the page to browsers of this machine, at the address that is printed, until "
             "Ctrl-C; it loads again when the map is compiled again"},
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_view = {
    .name = "view",
    .group = CLI_GROUP_LOOK,
    .operands = "FILE",
    .summary = "Show a map in a browser",
    .description =
        "The page has the map, the files of the game that it names, and the viewer in it. It opens "
        "from the disk in any browser with WebAssembly and WebGL 2, and asks no network. make web "
        "makes the viewer, which is installed as share/bspkit/view.html; without it the exit "
        "status is 3.\n\n"
        "With --serve the page is not written: it is at the address that is printed, on the "
        "loopback alone, with a random port and a random word in the address, which a site cannot "
        "guess. When a compiler has written the map again, pages that are open show it. Ctrl-C "
        "ends it.\n\n"
        "In the page: fly, walk as in the game, look from above; pick faces, entities and props; "
        "find; the records of all lumps; pictures, .glb and documents of editors; entities are "
        "changed and saved; two maps are compared. The question mark shows the keys.",
    .examples = {"bspkit view maps/start.bsp -o start.html",
                 "bspkit view --game content maps/source.bsp -o source.html"},
    CLI_OPTIONS(options, view_options),
    .min_operands = 1,
    .max_operands = 1,
    .reads_maps = true,
    .begin = begin,
    .run = run,
};
