// SPDX-License-Identifier: MIT
// The map is looked at several times a second. Compilers write for a while, so that a map is read
// when it has not changed between two looks; if it cannot be read then, the last page stays, and
// pages that are open say why.
#define _POSIX_C_SOURCE 200809L // stat

#include "cli/commands/view_serve.h"

#include "core/os_calls.h"

#include "cli/parts/budget.h"
#include "cli/parts/clock.h"
#include "cli/parts/member.h"
#include "cli/parts/open_map.h"
#include "cli/parts/server.h"
#include "cli/commands/view_page.h"

#include <string.h>

#define QUIET UINT64_C(300000000) // nanoseconds without a change

// A file as it was at one time.
typedef struct file_state {
    bool there;
    dev_t device;
    ino_t number;
    int64_t size;
    struct timespec date;
} file_state;

typedef struct view_server {
    const cli_call *call;
    const bsp_blob *page; // the viewer's
    cli_shared *made;     // with the map
    uint32_t number;      // how often the map was read, from 1 on
    file_state shown;     // the map when it was read
    file_state seen;      // at the last look
    uint64_t since;       // the time of the last change
    char policy[CLI_FIELD_ROOM];
    char problem[CLI_MESSAGE_ROOM]; // of the last reading; "" if there was none
} view_server;

static cli_loopback listening;

bool cli_view_listen(void) {
    return cli_loopback_open(&listening);
}

// --- pages --------------------------------------------------------------------------------------

// Gives the policy of the page as a field of the answer: browsers apply both, and only in a field
// can it forbid frames.
static void find_policy(const bsp_blob *page, char out[CLI_FIELD_ROOM]) {
    static const char mark[] = "http-equiv=\"Content-Security-Policy\" content=\"";
    const char *at = (const char *)page->data;
    const char *end = at + page->size;
    bsp_text policy = bsp_text_of("default-src 'none'");
    while (at != NULL && (size_t)(end - at) >= sizeof mark - 1) {
        if (memcmp(at, mark, sizeof mark - 1) == 0) {
            const char *from = at + sizeof mark - 1;
            const char *quote = memchr(from, '"', (size_t)(end - from));
            policy = quote == NULL ? policy : (bsp_text){from, (size_t)(quote - from)};
            break;
        }
        at = memchr(at + 1, mark[0], (size_t)(end - at - 1));
    }
    bool plain = policy.size < CLI_FIELD_ROOM - 100;
    for (size_t i = 0; plain && i < policy.size; i++) {
        plain = !cli_is_control(policy.data[i]);
    }
    policy = plain ? policy : bsp_text_of("default-src 'none'");
    (void)snprintf(out, CLI_FIELD_ROOM, "Content-Security-Policy: %.*s; frame-ancestors 'none'\r\n",
                   (int)policy.size, policy.data);
}

static cli_status write_page(const view_server *s, cli_capture *out) {
    cli_output output = {.kept = out};
    cli_opened opened;
    const char *path = s->call->operands[0];
    if (!cli_open_map(s->call, path, NULL, &opened)) {
        return CLI_FAILED;
    }
    const cli_view view = {
        .call = s->call, .path = path, .file = opened.file, .page = s->page, .number = s->number};
    cli_status status = cli_view_write(&view, &output);
    cli_close_map(&opened);
    if (status == CLI_DONE && output.failure != 0) {
        cli_message_system(path, output.failure);
        status = CLI_FAILED;
    }
    return status;
}

// Reads the map, with limits of its own, and makes its page; the page before it stays if that
// fails.
static cli_status make_page(view_server *s) {
    cli_capture text = {.data = NULL};
    cli_messages messages = {.lines = NULL};
    s->number++;
    cli_limits_end();
    if (!cli_limits_begin(s->call)) {
        return CLI_FAILED;
    }
    cli_messages_of(&messages);
    cli_status status = write_page(s, &text);
    cli_messages_of(NULL);
    cli_shared *made = status == CLI_DONE ? cli_share(&text) : NULL;
    cli_capture_free(&text);
    if (made != NULL) {
        cli_unshare(s->made);
        s->made = made;
        s->problem[0] = '\0';
        return CLI_DONE;
    }
    (void)snprintf(s->problem, sizeof s->problem, "%s",
                   messages.last[0] == '\0' ? "no memory" : messages.last);
    return CLI_FAILED;
}

// --- the map on the disk ------------------------------------------------------------------------

static file_state look(const char *path) {
    struct stat status;
    char archive[CLI_PATH_ROOM];
    const char *name;
    path = cli_member_split(path, archive, &name) ? archive : path;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return (file_state){.there = false};
    }
    return (file_state){.there = true,
                        .device = status.st_dev,
                        .number = status.st_ino,
                        .size = (int64_t)status.st_size,
                        .date = status.st_mtim};
}

static bool is_same(const file_state *a, const file_state *b) {
    return a->there == b->there && a->device == b->device && a->number == b->number &&
           a->size == b->size && a->date.tv_sec == b->date.tv_sec &&
           a->date.tv_nsec == b->date.tv_nsec;
}

static bool tick(void *user) {
    view_server *s = user;
    file_state now = look(s->call->operands[0]);
    if (!is_same(&now, &s->seen)) {
        s->seen = now;
        s->since = cli_clock();
    } else if (now.there && !is_same(&now, &s->shown) && cli_clock() - s->since >= QUIET) {
        s->shown = now;
        if (make_page(s) == CLI_DONE) {
            cli_message(s->call->operands[0], "compiled again: this is page %u", s->number);
        }
    }
    return true;
}

static bool answer(void *user, bsp_text name, cli_answer *out) {
    const view_server *s = user;
    memcpy(out->field, s->policy, sizeof s->policy);
    if (name.size == 0) {
        out->type = "text/html; charset=utf-8";
        out->shared = s->made;
        return true;
    }
    if (bsp_text_equal(name, bsp_text_of(CLI_VIEW_STATE))) {
        out->type = "text/plain; charset=utf-8";
        (void)snprintf(out->text, sizeof out->text, "%u\n%s", s->number, s->problem);
        return true;
    }
    return false;
}

static bool print_address(void) {
    cli_output output;
    if (!cli_output_open(&output, NULL)) {
        return false;
    }
    cli_print(&output, "http://127.0.0.1:%u/%s/\n", listening.port, listening.token);
    return cli_output_close(&output, CLI_DONE) == CLI_DONE;
}

cli_status cli_view_serve(const cli_call *call, const bsp_blob *page) {
    view_server s = {.call = call, .page = page, .shown = look(call->operands[0])};
    const cli_server server = {.loopback = listening, .answer = answer, .tick = tick, .user = &s};
    s.seen = s.shown;
    find_policy(page, s.policy);
    cli_status status = make_page(&s);
    if (status == CLI_DONE && (!print_address() || !cli_serve(&server))) {
        status = CLI_FAILED;
    }
    cli_unshare(s.made);
    cli_loopback_close(listening.socket);
    return status;
}
