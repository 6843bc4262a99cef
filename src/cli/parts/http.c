// SPDX-License-Identifier: MIT
// A request is a line "METHOD TARGET HTTP/1.1", fields "name: value", and an empty line; all end in
// CRLF. Bytes that RFC 9112 does not allow are refused, so that nothing is read in two ways.
#include "cli/parts/http.h"

#include <ctype.h>
#include <string.h>

static bool is_token(char c) {
    return isalnum((unsigned char)c) != 0 || (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

// Returns the line at `*at` without its end, and moves past it. False if its end is missing.
static bool next_line(bsp_text all, size_t *at, bsp_text *line) {
    const char *start = all.data + *at;
    const char *end = memchr(start, '\n', all.size - *at);
    if (end == NULL) {
        return false;
    }
    *line = (bsp_text){start, (size_t)(end - start)};
    *at += line->size + 1;
    return true;
}

// Takes the CR off a line. False if there is none, or a byte that is not allowed in any line.
static bool end_line(bsp_text *line) {
    if (line->size == 0 || line->data[line->size - 1] != '\r') {
        return false;
    }
    line->size--;
    for (size_t i = 0; i < line->size; i++) {
        unsigned char c = (unsigned char)line->data[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F) {
            return false;
        }
    }
    return true;
}

static bsp_text word(bsp_text *line) {
    const char *blank = memchr(line->data, ' ', line->size);
    size_t size = blank == NULL ? line->size : (size_t)(blank - line->data);
    bsp_text out = {line->data, size};
    size_t taken = size + (blank == NULL ? 0 : 1);
    *line = (bsp_text){line->data + taken, line->size - taken};
    return out;
}

static int parse_first(bsp_text line, cli_http_request *request) {
    bsp_text method = word(&line);
    request->target = word(&line);
    bsp_text version = line;
    bsp_text one = bsp_text_of("HTTP/1.");
    bool tokens = method.size != 0;
    for (size_t i = 0; i < method.size; i++) {
        tokens = tokens && is_token(method.data[i]);
    }
    bool named = version.size == one.size + 1 && memcmp(version.data, "HTTP/", 5) == 0;
    if (!tokens || !named || request->target.size == 0 || request->target.data[0] != '/') {
        return CLI_HTTP_BAD;
    }
    char minor = version.data[one.size];
    if (memcmp(version.data, one.data, one.size) != 0 || (minor != '0' && minor != '1')) {
        return CLI_HTTP_VERSION;
    }
    request->head = bsp_text_equal(method, bsp_text_of("HEAD"));
    return request->head || bsp_text_equal(method, bsp_text_of("GET")) ? CLI_HTTP_GOOD
                                                                       : CLI_HTTP_METHOD;
}

static bool is_host(bsp_text name) {
    static const char host[] = "host";
    bool same = name.size == sizeof host - 1;
    for (size_t i = 0; same && i < name.size; i++) {
        same = tolower((unsigned char)name.data[i]) == host[i];
    }
    return same;
}

static bool parse_field(bsp_text line, cli_http_request *request) {
    const char *colon = memchr(line.data, ':', line.size);
    if (colon == NULL || colon == line.data) {
        return false;
    }
    bsp_text name = {line.data, (size_t)(colon - line.data)};
    for (size_t i = 0; i < name.size; i++) {
        if (!is_token(name.data[i])) {
            return false; // also blanks before the colon, and lines that continue another
        }
    }
    if (!is_host(name)) {
        return true;
    }
    bsp_text value = {colon + 1, line.size - name.size - 1};
    while (value.size != 0 && (value.data[0] == ' ' || value.data[0] == '\t')) {
        value = (bsp_text){value.data + 1, value.size - 1};
    }
    while (value.size != 0 &&
           (value.data[value.size - 1] == ' ' || value.data[value.size - 1] == '\t')) {
        value.size--;
    }
    bool first = request->host.data == NULL;
    request->host = value;
    return first && value.size != 0;
}

int cli_http_parse(const char *data, size_t size, cli_http_request *request) {
    bsp_text all = {data, size};
    bsp_text line;
    size_t at = 0;
    *request = (cli_http_request){.head = false};
    if (!next_line(all, &at, &line)) {
        return size >= CLI_HTTP_ROOM ? CLI_HTTP_TOO_LONG : 0;
    }
    int status = end_line(&line) ? parse_first(line, request) : CLI_HTTP_BAD;
    while (status == CLI_HTTP_GOOD && next_line(all, &at, &line)) {
        if (!end_line(&line)) {
            return CLI_HTTP_BAD;
        }
        if (line.size == 0) {
            return request->host.data == NULL ? CLI_HTTP_BAD : CLI_HTTP_GOOD;
        }
        status = parse_field(line, request) ? CLI_HTTP_GOOD : CLI_HTTP_BAD;
    }
    return status != CLI_HTTP_GOOD ? status : size >= CLI_HTTP_ROOM ? CLI_HTTP_TOO_LONG : 0;
}

const char *cli_http_reason(int status) {
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {CLI_HTTP_GOOD, "OK"},
        {CLI_HTTP_BAD, "Bad Request"},
        {CLI_HTTP_NOT_FOUND, "Not Found"},
        {CLI_HTTP_METHOD, "Method Not Allowed"},
        {CLI_HTTP_TIMEOUT, "Request Timeout"},
        {CLI_HTTP_OTHER_HOST, "Misdirected Request"},
        {CLI_HTTP_TOO_LONG, "Request Header Fields Too Large"},
        {CLI_HTTP_VERSION, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "";
}
