// SPDX-License-Identifier: MIT
// The zip of a map as parts, and as an archive, on zips written here byte by byte.
#include "support/splitting.h"

#include "bspkit/pak.h"

static void put_local(blob *b, const char *name, uint32_t extra, const char *data) {
    put32(b, 0x04034b50);
    put16(b, 10);
    fill(b, 0, 8);
    put32(b, 0xcbf43926);
    put32(b, (uint32_t)strlen(data));
    put32(b, (uint32_t)strlen(data));
    put16(b, (uint32_t)strlen(name));
    put16(b, extra);
    put_text(b, name);
    fill(b, 0, extra);
    put_text(b, data);
}

static void put_central(blob *b, const char *name, uint32_t extra, uint32_t size, uint32_t offset) {
    put32(b, 0x02014b50);
    put16(b, 10);
    put16(b, 10);
    fill(b, 0, 8);
    put32(b, 0xcbf43926);
    put32(b, size);
    put32(b, size);
    put16(b, (uint32_t)strlen(name));
    put16(b, extra);
    fill(b, 0, 10);
    put32(b, offset);
    put_text(b, name);
}

#define ZIP_DIRECTORY 84 // two files of 30 + 5 + 9 and 30 + 1 + 9 bytes

// Two files; `extra` is what the directory states (and leaves out, as consoles' zips do).
static blob zip_lump(uint32_t extra, uint32_t base) {
    blob b = {.size = 0};
    fill(&b, 0, base);
    put_local(&b, "a/b.c", 0, "123456789");
    put_local(&b, "\xff", 0, "987654321");
    put_central(&b, "a/b.c", extra, 9, 0);
    put_central(&b, "\xff", extra, 9, 44);
    put32(&b, 0x06054b50);
    put32(&b, 0);
    put16(&b, 2);
    put16(&b, 2);
    put32(&b, 46 * 2 + 6);
    put32(&b, ZIP_DIRECTORY);
    put16(&b, 6);
    put_text(&b, "XZP1 0");
    return b;
}

static void check_pak(const blob *b, uint32_t base, uint64_t issues) {
    bsp_issues *list = bsp_issues_new(NULL, 0);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){b->bytes, b->size}, NULL, list, NULL);
    assert_non_null(pak);
    assert_int_equal(bsp_issues_count(list, BSP_NOTE), issues);
    assert_int_equal(pak->count, 2);
    const bsp_pak_entry *e = pak->entries;
    assert_true(bsp_text_equal(e[0].name, bsp_text_of("a/b.c")));
    assert_true(bsp_text_equal(e[1].name, bsp_text_of("\xff")));
    assert_int_equal(e[0].offset, base);
    assert_int_equal(e[1].offset, base + 44);
    assert_int_equal(e[0].size, 9);
    assert_int_equal(e[0].packed.size, 9);
    assert_memory_equal(e[0].packed.data, "123456789", 9);
    assert_int_equal(e[0].crc, bsp_crc32(0, e[0].packed));
    assert_memory_equal(e[1].packed.data, "987654321", 9);
    bsp_pak_close(pak);
    bsp_issues_free(list);
}

static void test_pak(void **state) {
    (void)state;
    blob b = zip_lump(0, 0);
    check_pak(&b, 0, 0);
    fill(&b, 0, 4); // padding behind the comment
    check_pak(&b, 0, 0);
    b = zip_lump(1997, 0);
    check_pak(&b, 0, 0);
    b = zip_lump(0, 12); // something before the zip
    check_pak(&b, 12, 1);
    b = zip_lump(0, 0);
    b.size = ZIP_DIRECTORY; // no directory: found by the heads of the files
    check_pak(&b, 0, 1);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){NULL, 0}, NULL, NULL, NULL);
    assert_int_equal(pak->count, 0);
    bsp_pak_close(pak);
}

static void test_pak_entry_not_there(void **state) {
    (void)state;
    blob b = zip_lump(0, 0);
    set32(&b, ZIP_DIRECTORY + 20, 0xfffffff0); // packed size
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){b.bytes, b.size}, NULL, issues, NULL);
    assert_int_equal(pak->count, 2);
    assert_int_equal(pak->entries[0].packed.size, 0);
    assert_int_equal(pak->entries[1].packed.size, 9);
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].kind->id, "pak-bad-directory");
    assert_int_equal(list[0].place.record, 0);
    assert_int_equal(list[0].place.offset, ZIP_DIRECTORY);
    bsp_pak_close(pak);
    bsp_issues_free(issues);
}

static void test_zip_parts(void **state) {
    (void)state;
    blob b = zip_lump(0, 0);
    taken t;
    take(&t, &b, bspi_parse_zip, "PAKFILE", BSP_KIND_ZIP);
    assert_issues(&t, 0);
    assert_part(&t, "data", 0, 35, 9);
    assert_part(&t, "head", 1, 44, 30);
    assert_part(&t, "head", 2, ZIP_DIRECTORY, 46);
    assert_part(&t, "name", 3, ZIP_DIRECTORY + 51 + 46, 1);
    assert_part(&t, "end", 0, ZIP_DIRECTORY + 98, 22);
    assert_part(&t, "comment", 0, ZIP_DIRECTORY + 120, 6);
    give(&t);
    torture(&b, bspi_parse_zip, "PAKFILE", BSP_KIND_ZIP);
    // Numbers stay little-endian in a big-endian file.
    b.big_endian = true;
    take(&t, &b, bspi_parse_zip, "PAKFILE", BSP_KIND_ZIP);
    assert_issues(&t, 0);
    assert_false(find(&t, "head", 0)->big_endian);
    give(&t);
}

static void test_crc(void **state) {
    (void)state;
    bsp_bytes digits = {(const uint8_t *)"123456789", 9};
    assert_int_equal(bsp_crc32(0, digits), 0xcbf43926); // the check value of CRC-32
    uint32_t crc = bsp_crc32(0, (bsp_bytes){digits.data, 4});
    crc = bsp_crc32(crc, (bsp_bytes){NULL, 0});
    assert_int_equal(bsp_crc32(crc, (bsp_bytes){digits.data + 4, 5}), 0xcbf43926);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pak),
        cmocka_unit_test(test_pak_entry_not_there),
        cmocka_unit_test(test_zip_parts),
        cmocka_unit_test(test_crc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
