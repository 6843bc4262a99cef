// SPDX-License-Identifier: MIT
// A target as a plain program, built by any compiler:
//
//   fuzz_map PATH...                      runs every file, folders and what is in them included
//   fuzz_map --mutate N [--seed S] [--from I] PATH...
//                                         runs N inputs, numbers I and up, made out of these files
//   fuzz_map --records ...                most changes are of records and directories of maps
//   fuzz_map --write FILE --from I ...    writes input number I to FILE instead of running it
//
// Prints how many inputs ran, the slowest and the highest memory. When an input breaks the target,
// its number is the last thing printed. An input that takes longer than a minute is broken off.
#define _POSIX_C_SOURCE 200809L // scandir, alarm

#include "meter.h"
#include "mutate.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TOO_LONG 60u                 // seconds; for finding slow inputs, not a tested limit
#define MOST_INPUT ((size_t)1 << 26) // bytes
#define ROOM_TO_GROW ((size_t)1 << 14)

typedef struct driver {
    bsp_bytes *inputs;
    size_t count;
    size_t room;
    uint64_t mutations;
    uint64_t seed;
    uint64_t from;
    bool records;
    const char *write;
} driver;

typedef struct slowest {
    double seconds;
    uint64_t number;
    size_t size;
} slowest;

static volatile sig_atomic_t current_low; // of the current input, in two halves
static volatile sig_atomic_t current_high;

// --- files --------------------------------------------------------------------------------------

static void add_input(driver *d, uint8_t *data, size_t size) {
    if (d->count == d->room) {
        d->room = d->room == 0 ? 64 : d->room * 2;
        d->inputs = realloc(d->inputs, d->room * sizeof *d->inputs);
        FUZZ_CHECK(d->inputs != NULL);
    }
    d->inputs[d->count++] = (bsp_bytes){data, size};
}

static bool read_file(driver *d, const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = size <= MOST_INPUT ? malloc(size + 1) : NULL;
    bool done = file != NULL && data != NULL && fread(data, 1, size, file) == size;
    if (file != NULL) {
        fclose(file);
    }
    if (done) {
        add_input(d, data, size);
    } else {
        fprintf(stderr, "%s: cannot be read\n", path);
        free(data);
    }
    return done;
}

static bool read_path(driver *d, const char *path);

static bool read_folder(driver *d, const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    bool done = count >= 0;
    for (int i = 0; i < count; i++) {
        char below[4096];
        if (done && entries[i]->d_name[0] != '.') {
            snprintf(below, sizeof below, "%.3000s/%.255s", path, entries[i]->d_name);
            done = read_path(d, below);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return done;
}

static bool read_path(driver *d, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        fprintf(stderr, "%s: is not there\n", path);
        return false;
    }
    return S_ISDIR(status.st_mode) ? read_folder(d, path)
                                   : read_file(d, path, (size_t)status.st_size);
}

// --- running ------------------------------------------------------------------------------------

static const int ends[] = {SIGABRT, SIGSEGV, SIGALRM};
static struct sigaction
    before[sizeof ends / sizeof *ends]; // handlers of a sanitizer, if there is one

static void tell_number(int number) {
    char text[32] = "\ninput ";
    unsigned long long input =
        (unsigned long long)current_high << 30 | (unsigned long long)current_low;
    char digits[24];
    size_t size = strlen(text);
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + input % 10);
        input /= 10;
    } while (input != 0);
    while (count != 0) {
        text[size++] = digits[--count];
    }
    text[size++] = '\n';
    (void)!write(STDERR_FILENO, text, size);
    // Restores the former handlers: the sanitizer's report, or the default action.
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        sigaction(ends[i], &before[i], NULL);
    }
    if (number != SIGSEGV) { // raised again when this returns
        raise(number);
    }
}

static void tell_numbers(void) {
    struct sigaction tell = {.sa_handler = tell_number};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        sigaction(ends[i], &tell, &before[i]);
    }
}

// Returns processor time, so that other work on the machine makes no input slow.
static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void run(bsp_bytes input, uint64_t number, slowest *slow) {
    // The copy has exactly the input's size, so that reading past its end is detected.
    uint8_t *copy = malloc(input.size == 0 ? 1 : input.size);
    FUZZ_CHECK(copy != NULL);
    if (input.size != 0) {
        memcpy(copy, input.data, input.size);
    }
    current_low = (sig_atomic_t)(number & 0x3FFFFFFF);
    current_high = (sig_atomic_t)(number >> 30 & 0x3FFFFFFF);
    alarm(TOO_LONG);
    double start = now();
    (void)LLVMFuzzerTestOneInput(copy, input.size);
    double seconds = now() - start;
    alarm(0);
    free(copy);
    if (seconds > slow->seconds) {
        *slow = (slowest){seconds, number, input.size};
    }
}

static bool write_input(const char *path, bsp_bytes input) {
    FILE *file = fopen(path, "wb");
    bool done = file != NULL && fwrite(input.data, 1, input.size, file) == input.size;
    return file != NULL && fclose(file) == 0 && done;
}

static size_t largest_input(const driver *d) {
    size_t size = 0;
    for (size_t i = 0; i < d->count; i++) {
        size = d->inputs[i].size > size ? d->inputs[i].size : size;
    }
    return size;
}

static bool run_mutations(const driver *d, slowest *slow) {
    fuzz_source source = {d->inputs, d->count, d->seed, d->records};
    size_t room = largest_input(d) + ROOM_TO_GROW;
    uint8_t *out = malloc(room);
    FUZZ_CHECK(out != NULL);
    bool done = true;
    uint64_t end = d->from + (d->write != NULL ? 1 : d->mutations);
    for (uint64_t i = d->from; i < end; i++) {
        bsp_bytes input = {out, fuzz_mutate(&source, i, out, room)};
        if (d->write != NULL) {
            done = write_input(d->write, input);
        } else {
            run(input, i, slow);
        }
    }
    free(out);
    return done;
}

static bool run_all(const driver *d) {
    slowest slow = {0};
    bool done = true;
    double start = now();
    if (d->mutations != 0 || d->write != NULL) {
        done = run_mutations(d, &slow);
    } else {
        for (size_t i = 0; i < d->count; i++) {
            run(d->inputs[i], i, &slow);
        }
    }
    fuzz_record record = fuzz_meter_record();
    printf("%llu inputs of %zu files in %.1f s; slowest: number %llu, %zu bytes, %.2f ms; most "
           "memory: %zu bytes for an input of %zu\n",
           (unsigned long long)(d->mutations != 0 ? d->mutations : d->count), d->count,
           now() - start, (unsigned long long)slow.number, slow.size, slow.seconds * 1e3,
           record.peak, record.input);
    return done;
}

// --- the command line ---------------------------------------------------------------------------

static bool take_number(uint64_t *number, const char *text) {
    char *end;
    *number = strtoull(text, &end, 10);
    return *text != '\0' && *end == '\0';
}

static bool take_option(driver *d, const char *option, const char *value) {
    if (value == NULL) {
        return false;
    }
    if (strcmp(option, "--write") == 0) {
        d->write = value;
        return true;
    }
    return strcmp(option, "--mutate") == 0 ? take_number(&d->mutations, value)
           : strcmp(option, "--seed") == 0 ? take_number(&d->seed, value)
           : strcmp(option, "--from") == 0 ? take_number(&d->from, value)
                                           : false;
}

int main(int argc, char **argv) {
    driver d = {.seed = 1};
    bool done = true;
    for (int i = 1; done && i < argc; i++) {
        if (strcmp(argv[i], "--records") == 0) {
            d.records = true;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            done = take_option(&d, argv[i], argv[i + 1]);
            i++;
        } else {
            done = read_path(&d, argv[i]);
        }
    }
    if (!done || d.count == 0) {
        fprintf(stderr,
                "usage: %s [--mutate N] [--records] [--seed S] [--from I] [--write FILE] PATH...\n",
                argv[0]);
        return 2;
    }
    tell_numbers();
    done = run_all(&d);
    for (size_t i = 0; i < d.count; i++) {
        free((void *)(uintptr_t)d.inputs[i].data);
    }
    free(d.inputs);
    return done ? 0 : 1;
}
