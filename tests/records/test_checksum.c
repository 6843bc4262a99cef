// SPDX-License-Identifier: MIT
// MD4 by the vectors of RFC 1320, appendix A.5; MD5 by those of RFC 1321, appendix A.5; SHA-256
// by those of NIST (FIPS 180-2, appendix B, and the examples of SHA-2).
#include "pack/md4.h"
#include "pack/md5.h"
#include "pack/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, const char *wanted) {
    uint8_t digest[16];
    char found[33];
    bspi_md4((bsp_bytes){(const uint8_t *)text, strlen(text)}, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(found + 2 * i, 3, "%02x", digest[i]);
    }
    assert_string_equal(found, wanted);
}

static void test_vectors(void **state) {
    (void)state;
    expect("", "31d6cfe0d16ae931b73c59d7e0c089c0");
    expect("a", "bde52cb31de33e46245e05fbdbd6fb24");
    expect("abc", "a448017aaf21d8525fc10ae87aa6729d");
    expect("message digest", "d9130a8164549fe818874806e1c7014b");
    expect("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9");
    expect("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
           "043f8582f241db351ce627e153e7f0e4");
    expect("1234567890123456789012345678901234567890123456789012345678901234567890"
           "1234567890",
           "e33b4ddc9c38f2199c3e7b164fcc0536");
}

// The little-endian words of the digest of "abc", xored by hand.
static void test_fold(void **state) {
    (void)state;
    assert_int_equal(bspi_block_checksum((bsp_bytes){(const uint8_t *)"abc", 3}),
                     0x7a0148a4u ^ 0x52d821afu ^ 0xe80ac15fu ^ 0x9d72a67au);
}

// Whole, and in two pieces cut at each place.
static void expect_md5(const char *text, const char *wanted) {
    size_t size = strlen(text);
    for (size_t cut = 0; cut <= size; cut++) {
        bspi_md5 md5;
        uint8_t digest[BSPI_MD5_SIZE];
        char found[33];
        bspi_md5_begin(&md5);
        bspi_md5_add(&md5, (bsp_bytes){(const uint8_t *)text, cut});
        bspi_md5_add(&md5, (bsp_bytes){(const uint8_t *)text + cut, size - cut});
        bspi_md5_end(&md5, digest);
        for (size_t i = 0; i < sizeof digest; i++) {
            snprintf(found + 2 * i, 3, "%02x", digest[i]);
        }
        assert_string_equal(found, wanted);
    }
}

static void test_md5(void **state) {
    (void)state;
    expect_md5("", "d41d8cd98f00b204e9800998ecf8427e");
    expect_md5("a", "0cc175b9c0f1b6a831c399e269772661");
    expect_md5("abc", "900150983cd24fb0d6963f7d28e17f72");
    expect_md5("message digest", "f96b697d7cb7938d525a2f31aaf161d0");
    expect_md5("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b");
    expect_md5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
               "d174ab98d277d9f5a5611c2c9f419d9f");
    expect_md5("1234567890123456789012345678901234567890123456789012345678901234567890"
               "1234567890",
               "57edf4a22be3c955ac49da2e2107b67a");
}

// Whole, and in two pieces cut at each place.
static void expect_sha256(const char *text, size_t size, const char *wanted) {
    size_t step = size < 4096 ? 1 : size / 7;
    for (size_t cut = 0; cut <= size; cut += step) {
        bspi_sha256 sha256;
        uint8_t digest[BSPI_SHA256_SIZE];
        char found[65];
        bspi_sha256_begin(&sha256);
        bspi_sha256_add(&sha256, (bsp_bytes){(const uint8_t *)text, cut});
        bspi_sha256_add(&sha256, (bsp_bytes){(const uint8_t *)text + cut, size - cut});
        bspi_sha256_end(&sha256, digest);
        for (size_t i = 0; i < sizeof digest; i++) {
            snprintf(found + 2 * i, 3, "%02x", digest[i]);
        }
        assert_string_equal(found, wanted);
    }
}

static void test_sha256(void **state) {
    (void)state;
    static const char *const two_blocks =
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const char *const three_blocks =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
        "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    static char million[1000000];
    memset(million, 'a', sizeof million);
    expect_sha256("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_sha256("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_sha256(two_blocks, strlen(two_blocks),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_sha256(three_blocks, strlen(three_blocks),
                  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    expect_sha256(million, sizeof million,
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_md5),
        cmocka_unit_test(test_sha256),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
