// SPDX-License-Identifier: MIT
// PCRE2 under the limits of a heap: its memory is the heap's, and a search is stopped after a
// number of ways that is paid as work.
#include "core/regex.h"

#ifdef BSPI_WITH_PCRE2

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <string.h>

// An expression is no longer than this, and no text in it is repeated to more than that.
#define MOST_PATTERN ((size_t)4096)
// Ways that one search may try before it is paid; ordinary expressions stay far below.
#define FREE_WAYS 1000u
// Kibibytes that one search may take.
#define MOST_MEMORY 16384u

struct bspi_regex {
    bspi_heap *heap;
    pcre2_general_context *general;
    pcre2_code *code;
};

// --- memory -------------------------------------------------------------------------------------

// PCRE2 does not say the size of what it frees.
typedef union head {
    size_t size;
    max_align_t align;
} head;

static void *take(size_t size, void *user) {
    head *block =
        size > SIZE_MAX - sizeof *block ? NULL : bspi_heap_alloc(user, sizeof *block + size, NULL);
    if (block == NULL) {
        return NULL;
    }
    block->size = size;
    return block + 1;
}

static void give(void *memory, void *user) {
    if (memory != NULL) {
        head *block = (head *)memory - 1;
        bspi_heap_free(user, block, sizeof *block + block->size);
    }
}

// --- compiling ----------------------------------------------------------------------------------

static bool refuse(int code, size_t at, bsp_error *error) {
    PCRE2_UCHAR why[128];
    if (code == PCRE2_ERROR_HEAP_FAILED || code == PCRE2_ERROR_NOMEMORY) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for a regular expression");
    }
    if (pcre2_get_error_message(code, why, sizeof why) < 0) {
        why[0] = '\0';
    }
    return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                    "the regular expression is wrong at its character %zu: %s", at + 1,
                    (const char *)why);
}

static bool compile(bspi_regex *regex, bsp_text pattern, bsp_error *error) {
    int code;
    PCRE2_SIZE at;
    regex->general = pcre2_general_context_create(take, give, regex->heap);
    pcre2_compile_context *context =
        regex->general == NULL ? NULL : pcre2_compile_context_create(regex->general);
    if (context == NULL) {
        return refuse(PCRE2_ERROR_NOMEMORY, 0, error);
    }
    pcre2_set_max_pattern_length(context, MOST_PATTERN);
    regex->code = pcre2_compile((PCRE2_SPTR)pattern.data, pattern.size,
                                PCRE2_CASELESS | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C, &code,
                                &at, context);
    pcre2_compile_context_free(context);
    return regex->code != NULL || refuse(code, at, error);
}

bspi_regex *bspi_regex_new(bsp_text pattern, bspi_heap *heap, bsp_error *error) {
    bspi_regex *regex = bspi_heap_alloc(heap, sizeof *regex, error);
    if (regex == NULL) {
        return NULL;
    }
    *regex = (bspi_regex){.heap = heap};
    pattern = pattern.size == 0 ? bsp_text_of("") : pattern;
    if (!compile(regex, pattern, error)) {
        bspi_regex_free(regex);
        return NULL;
    }
    return regex;
}

void bspi_regex_free(bspi_regex *regex) {
    if (regex != NULL) {
        pcre2_code_free(regex->code);
        pcre2_general_context_free(regex->general);
        bspi_heap_free(regex->heap, regex, sizeof *regex);
    }
}

// --- searching ----------------------------------------------------------------------------------

// PCRE2 tells when a search passes a number of ways, not how many it took: a search that fails so
// is begun again with twice as many, which are paid before.
static bool search(const bspi_regex *regex, bsp_text text, pcre2_match_context *context,
                   pcre2_match_data *data, bool *found, bsp_error *error) {
    int code = PCRE2_ERROR_MATCHLIMIT;
    for (uint32_t ways = FREE_WAYS; code == PCRE2_ERROR_MATCHLIMIT; ways *= 2) {
        if (ways > UINT32_MAX / 2) {
            return bsp_fail(error, BSP_E_LIMIT, NULL, "a regular expression tries too many ways");
        }
        if (ways != FREE_WAYS && !bspi_heap_work(regex->heap, ways, error)) {
            return false;
        }
        pcre2_set_match_limit(context, ways);
        code = pcre2_match(regex->code, (PCRE2_SPTR)text.data, text.size, 0, 0, data, context);
    }
    *found = code >= 0;
    if (code >= 0 || code == PCRE2_ERROR_NOMATCH) {
        return true;
    }
    return bsp_fail(error, code == PCRE2_ERROR_NOMEMORY ? BSP_E_MEMORY : BSP_E_LIMIT, NULL,
                    "a regular expression takes too much memory");
}

bool bspi_regex_find(const bspi_regex *regex, bsp_text text, bool *found, bsp_error *error) {
    pcre2_match_context *context = pcre2_match_context_create(regex->general);
    pcre2_match_data *data = pcre2_match_data_create(1, regex->general);
    bool done = context != NULL && data != NULL;
    text = text.size == 0 ? bsp_text_of("") : text;
    *found = false;
    if (done) {
        pcre2_set_heap_limit(context, MOST_MEMORY);
        done = search(regex, text, context, data, found, error);
    } else {
        (void)refuse(PCRE2_ERROR_NOMEMORY, 0, error);
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
    return done;
}

#else

bspi_regex *bspi_regex_new(bsp_text pattern, bspi_heap *heap, bsp_error *error) {
    (void)pattern;
    (void)heap;
    bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
             "this library was built without PCRE2, and has no regular expressions");
    return NULL;
}

void bspi_regex_free(bspi_regex *regex) {
    (void)regex;
}

bool bspi_regex_find(const bspi_regex *regex, bsp_text text, bool *found, bsp_error *error) {
    (void)regex;
    (void)text;
    *found = false;
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "there are no regular expressions");
}

#endif
