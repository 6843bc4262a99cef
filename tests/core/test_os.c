// SPDX-License-Identifier: MIT
// What the operating system refuses: a code each, the path, and words that no locale changes.
#define _POSIX_C_SOURCE 200809L

#include "bspkit/bspkit.h"

#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/bspkit-os-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

// All entries that read `path` fail alike: the code, and the path before the reason.
static void expect_refused(const char *path, bsp_code code, const char *reason) {
    char want[512];
    snprintf(want, sizeof want, "%s: %s", path, reason);
    for (int entry = 0; entry < 3; entry++) {
        bsp_open_options options = {.read = entry == 1};
        bsp_blob blob;
        bsp_error error = {0};
        if (entry == 2) {
            assert_false(bsp_blob_read(path, NULL, NULL, &blob, &error));
        } else {
            assert_null(bsp_file_open(path, &options, &error));
        }
        assert_int_equal(error.code, code);
        assert_string_equal(error.message, want);
    }
}

static void test_not_found(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/none.bsp", folder);
    expect_refused(path, BSP_E_NOT_FOUND, "there is no such file or folder");
    snprintf(path, sizeof path, "%s/none/none.bsp", folder);
    expect_refused(path, BSP_E_NOT_FOUND, "there is no such file or folder");
    expect_refused("/dev/null/none.bsp", BSP_E_NOT_FOUND,
                   "it, or a part of its path, is not a folder");
    expect_refused(folder, BSP_E_IO, "it is a folder");
}

static void test_permission(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/secret.bsp", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod(path, 0), 0);
    bool root = access(path, R_OK) == 0; // the superuser reads everything
    if (!root) {
        expect_refused(path, BSP_E_PERMISSION, "its permissions do not allow it");
    }
    assert_int_equal(unlink(path), 0);
    if (root) {
        skip();
    }
}

// A path that does not fit loses its front: its end and the reason stay whole.
static void test_long_path(void **state) {
    (void)state;
    char path[600];
    memset(path, 'a', sizeof path);
    memcpy(path, "/tmp/", 5);
    for (size_t i = 104; i < sizeof path; i += 100) {
        path[i] = '/';
    }
    strcpy(path + sizeof path - 10, "/none.bsp");
    static const char end[] = "aaa/none.bsp: there is no such file or folder";
    bsp_error error = {0};
    assert_null(bsp_file_open(path, NULL, &error));
    assert_int_equal(error.code, BSP_E_NOT_FOUND);
    size_t size = strlen(error.message);
    assert_int_equal(size, sizeof error.message - 1);
    assert_memory_equal(error.message, "...a", 4);
    assert_string_equal(error.message + size - (sizeof end - 1), end);
}

static void test_reasons(void **state) {
    (void)state;
    char out[BSP_REASON_TEXT];
    (void)setlocale(LC_ALL, "de_DE.UTF-8");
    assert_int_equal(bsp_format_reason(out, ENOSPC), strlen("no space is left on the device"));
    assert_string_equal(out, "no space is left on the device");
    assert_int_equal(bsp_format_reason(out, 123456), strlen("error 123456"));
    assert_string_equal(out, "error 123456");
    (void)setlocale(LC_ALL, "C");
    for (int number = -2000; number < 2000; number++) { // nothing is cut
        assert_in_range(bsp_format_reason(out, number), 1, BSP_REASON_TEXT - 1);
    }
}

static void test_code_names(void **state) {
    (void)state;
    assert_string_equal(bsp_code_name(BSP_E_NOT_FOUND), "not found");
    assert_string_equal(bsp_code_name(BSP_E_PERMISSION), "permission");
    assert_string_equal(bsp_code_name(BSP_E_ENCRYPTED), "encrypted");
    assert_string_equal(bsp_code_name(BSP_E_UNEXPLAINED), "unexplained");
    for (int a = BSP_OK; a <= BSP_E_UNEXPLAINED; a++) {
        assert_string_not_equal(bsp_code_name((bsp_code)a), "unknown");
        for (int b = BSP_OK; b < a; b++) {
            assert_string_not_equal(bsp_code_name((bsp_code)a), bsp_code_name((bsp_code)b));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_found),  cmocka_unit_test(test_permission),
        cmocka_unit_test(test_long_path),  cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_code_names),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
