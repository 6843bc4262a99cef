// SPDX-License-Identifier: MIT
// Linux: Landlock for files (5.13 on; connections from 6.7 on), and a seccomp filter that refuses
// sockets. Both are called by number and tested at run time, since a system's headers may be older
// than its kernel. On other systems, and in builds whose tools write files of their own, nothing is
// done. See landlock(7), and SECURITY.md for what is promised.
#define _GNU_SOURCE // syscall, O_PATH

#include "cli/parts/confine.h"

#if defined(__linux__) && !defined(CLI_NOT_CONFINED)

#include "cli/parts/data.h"
#include "cli/parts/folder.h"
#include "cli/parts/member.h"
#include "cli/replace/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// On some systems the headers of the kernel are in a separate package.
#ifdef __has_include
#if __has_include(<linux/audit.h>) && __has_include(<linux/filter.h>) &&                           \
    __has_include(<linux/seccomp.h>)
#define HAS_FILTERS
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif
#endif

// --- Landlock -----------------------------------------------------------------------------------

// Numbers of the kernel's interface, the same on every architecture.
enum { CALL_CREATE = 444, CALL_ADD = 445, CALL_RESTRICT = 446, ASK_VERSION = 1, BENEATH = 1 };

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    ALL_OF_FIRST = (1 << 13) - 1,
    REFER = 1 << 13,    // version 2
    TRUNCATE = 1 << 14, // version 3
    READ = READ_FILE | READ_DIR,
    WRITE = READ | WRITE_FILE | REMOVE_FILE | MAKE_DIR | MAKE_REG | TRUNCATE,
    // The rights that apply to files other than folders.
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE,
};

// Later versions take a longer structure.
typedef struct ruleset_attributes {
    uint64_t files;
    uint64_t connections; // version 4: bind and connect, TCP
    uint64_t scopes;      // version 6: abstract sockets, signals
} ruleset_attributes;

typedef struct rule_attributes {
    uint64_t allowed;
    int32_t folder;
    int32_t unused; // the kernel's own structure ends before it
} rule_attributes;

typedef struct ruleset {
    int fd;
    uint64_t handled; // rights that the kernel supports
} ruleset;

static bool new_ruleset(ruleset *set) {
    long version = syscall(CALL_CREATE, NULL, (size_t)0, ASK_VERSION);
    if (version < 1) {
        return false;
    }
    ruleset_attributes attributes = {.files = ALL_OF_FIRST | (version >= 2 ? REFER : 0) |
                                              (version >= 3 ? TRUNCATE : 0),
                                     .connections = version >= 4 ? 3 : 0,
                                     .scopes = version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    *set = (ruleset){.fd = (int)syscall(CALL_CREATE, &attributes, size, 0),
                     .handled = attributes.files};
    return set->fd >= 0;
}

// Allows rights for a path. One that does not exist, or cannot be opened, gets no rights: the later
// open reports it.
static void allow(const ruleset *set, const char *path, uint64_t rights) {
    struct stat status;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    if (fstat(fd, &status) == 0) {
        rights &= set->handled & (S_ISDIR(status.st_mode) ? ~(uint64_t)0 : (uint64_t)OF_FILES);
        rule_attributes rule = {.allowed = rights, .folder = fd};
        (void)syscall(CALL_ADD, set->fd, BENEATH, &rule, 0);
    }
    (void)close(fd);
}

// --- reading ------------------------------------------------------------------------------------

// Allows the entries of a folder that begin with `stem`: each itself, all below it, and the target
// of a link. With `links` only links.
static void allow_entries(const ruleset *set, const char *path, bsp_text stem, bool links) {
    char inner[CLI_PATH_ROOM];
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        int size = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        bool fits = size >= 0 && (size_t)size < sizeof inner;
        bool wanted = !links || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
        if (fits && wanted && entry->d_name[0] != '.' &&
            strncasecmp(entry->d_name, stem.data, stem.size) == 0) {
            allow(set, inner, READ);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

// Gives the folder of a path; "." for a name without a folder.
static void folder_of(const char *path, char out[CLI_PATH_ROOM]) {
    size_t size = (size_t)(cli_last_part(path) - path);
    if (size == 0 || size >= CLI_PATH_ROOM) {
        memcpy(out, size == 0 ? "." : "", size == 0 ? 2 : 1);
        return;
    }
    memcpy(out, path, size);
    out[size] = '\0';
}

// Allows an archive, and those beside NAME_dir.vpk that hold its files: NAME_000.vpk ...
static void allow_archive(const ruleset *set, const char *archive) {
    char folder[CLI_PATH_ROOM];
    bsp_text stem = cli_stem(archive);
    bsp_text end = bsp_text_of("_dir");
    allow(set, archive, READ_FILE);
    if (stem.size > end.size && cli_ends_in(archive, "_dir.vpk")) {
        folder_of(archive, folder);
        stem.size -= end.size - 1;
        allow(set, folder, READ_DIR);
        allow_entries(set, folder, stem, false);
    }
}

// A folder with a gameinfo.txt stands for a search path, which may name others in its parent.
static bool has_gameinfo(const char *path) {
    bool found = false;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        found = found || strcasecmp(entry->d_name, "gameinfo.txt") == 0;
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return found;
}

// Allows a folder with all below it, and the targets of its links, since archives of a game may be
// links. Allows a file with those beside it that have its name: NAME.bsp.0001.bsp_lump,
// NAME_env.ent, the folder NAME.
static void allow_input(const ruleset *set, const char *path) {
    char folder[CLI_PATH_ROOM];
    const char *name;
    struct stat status;
    if (cli_member_split(path, folder, &name)) {
        allow_archive(set, folder);
        return;
    }
    if (stat(path, &status) != 0) {
        return;
    }
    if (S_ISDIR(status.st_mode)) {
        allow(set, path, READ);
        allow_entries(set, path, bsp_text_of(""), true);
        int size = snprintf(folder, sizeof folder, "%s/..", path);
        if (size > 0 && (size_t)size < sizeof folder && has_gameinfo(path)) {
            allow(set, folder, READ);
        }
        return;
    }
    allow_archive(set, path);
    if (S_ISREG(status.st_mode)) {
        folder_of(path, folder);
        allow(set, folder, READ_DIR);
        allow_entries(set, folder, cli_stem(path), false);
    }
}

// Allows the files of a map's folder: a compiler may put another file in the place of the map.
static void allow_again(const ruleset *set, const char *path) {
    char folder[CLI_PATH_ROOM];
    folder_of(path, folder);
    allow(set, folder, READ);
}

// --- writing ------------------------------------------------------------------------------------

// Allows the folder of a file, or the deepest existing one if folders will be made; a device
// itself.
static void allow_output(const ruleset *set, const char *path) {
    char target[CLI_PATH_ROOM];
    char folder[CLI_PATH_ROOM];
    struct stat status;
    if (strcmp(path, "-") == 0 || !cli_follow_links(target, path)) {
        return;
    }
    bool there = stat(target, &status) == 0;
    if (there && !S_ISREG(status.st_mode)) {
        allow(set, target, S_ISDIR(status.st_mode) ? WRITE : WRITE_FILE | READ_FILE);
        return;
    }
    size_t size = strlen(target);
    do {
        while (size != 0 && target[size - 1] == '/') {
            target[--size] = '\0';
        }
        folder_of(target, folder);
        memcpy(target, folder, strlen(folder) + 1);
        size = strlen(target);
    } while (!cli_is_folder(folder) && strchr(folder, '/') != NULL && strcmp(folder, "/") != 0);
    allow(set, folder, WRITE);
}

// --- the call -----------------------------------------------------------------------------------

// Files that the C library reads for the number of processors.
static const char *const system_files[] = {"/sys/devices/system/cpu", "/proc/stat",
                                           "/proc/cpuinfo"};

static void allow_call(const ruleset *set, const cli_call *call) {
    bool in_place = call->common->in_place;
    for (size_t i = 0; i < call->num_given; i++) {
        const cli_given *given = &call->given[i];
        if (given->option->value == CLI_TARGET) {
            allow_output(set, given->value);
        } else if (given->option->value == CLI_FILE) {
            allow_input(set, given->value);
        } else if (given->option->value == CLI_NAMES) {
            allow(set, "/", READ);
        }
    }
    for (int i = 0; i < call->num_operands; i++) {
        bool written = cli_operand_letter(call->command, i) == 't';
        allow_input(set, call->operands[i]);
        if (call->common->serve) {
            allow_again(set, call->operands[i]);
        }
        if (written || (in_place && !cli_is_folder(call->operands[i]))) {
            allow_output(set, call->operands[i]);
        }
    }
    char page[CLI_PATH_ROOM];
    if (cli_data_path(CLI_VIEW_PAGE, page)) {
        allow(set, page, READ_FILE);
    }
    for (size_t i = 0; i < sizeof system_files / sizeof *system_files; i++) {
        allow(set, system_files[i], READ);
    }
}

// --- sockets ------------------------------------------------------------------------------------

#if !defined(HAS_FILTERS) || !defined(__NR_seccomp) || !defined(__NR_io_uring_setup)
#elif defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Landlock does not cover UDP. A call by the numbers of another architecture is refused too.
static void refuse_sockets(void) {
#ifdef OWN_ARCHITECTURE
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)
    static struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
        REFUSE,
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 2, 0), // makes sockets too
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 1, 0),         // x32, and invalid numbers
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        REFUSE,
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    // No mitigation against other threads is needed, and it would slow the process (SPEC_ALLOW).
    (void)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
#endif
}

void cli_confine(const cli_call *call) {
    ruleset set;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return;
    }
    if (new_ruleset(&set)) {
        allow_call(&set, call);
        (void)syscall(CALL_RESTRICT, set.fd, 0);
        (void)close(set.fd);
    }
    refuse_sockets();
}

#else

void cli_confine(const cli_call *call) {
    (void)call;
}

#endif
