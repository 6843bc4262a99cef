// SPDX-License-Identifier: MIT
/// @file core.h
/// Views of bytes and text, errors, issues, memory, limits, progress, and a JSON writer.
///
/// What holds for the functions of all headers. A pointer is not NULL unless the comment of the
/// function says that it may be; `error`, `options` and `allocator` may always be NULL, and so may
/// what is given to a function that frees or closes, and an array whose count is 0. An index is in
/// range, and a constant of an enum is one of its list, unless the comment says what another one
/// gives. Builds with asserts (without NDEBUG) end the process where a caller breaks this. Other
/// builds do not look for NULL; an index that is out of range finds nothing there, and reads
/// nothing. No bytes of a file can reach an assert.
///
/// Who owns what. A function that returns a pointer to something new returns an object: all that is
/// reached from it belongs to it, unless a comment says that it is borrowed, and bsp_x_free (for
/// what was opened, bsp_x_close) frees all of it at once. Some objects are opaque; the others are
/// plain structs, whose last member `owner` is private. A program may make such a struct itself:
/// `owner` is NULL then, the struct is read like any other, and freeing it does nothing. What a
/// function fills in a struct of the caller's (bsp_blob, bsp_image, bsp_parts, bsp_texture,
/// bsp_sky) is freed by the function of its name too, which leaves zeros in the struct; zeros own
/// nothing, and a call that fails leaves nothing to be freed.
#ifndef BSPKIT_CORE_H
#define BSPKIT_CORE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(BSP_SHARED) && defined(_WIN32)
#ifdef BSP_BUILDING
#define BSP_API __declspec(dllexport)
#else
#define BSP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define BSP_API __attribute__((visibility("default")))
#else
#define BSP_API
#endif

#if defined(__MINGW32__) && !defined(__clang__)
// Formats mean what C says, and not what the runtime of Windows makes of them.
#define BSP_PRINTF(format_at, first_at) __attribute__((format(gnu_printf, format_at, first_at)))
#elif defined(__GNUC__)
#define BSP_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define BSP_PRINTF(format_at, first_at)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define BSP_VERSION_MAJOR 0
#define BSP_VERSION_MINOR 2
#define BSP_VERSION_PATCH 0

/// Returns the version of the library that is linked, as "major.minor.patch". Static storage.
BSP_API const char *bsp_version(void);

/// "No such thing": the value of an index or offset that points at nothing.
#define BSP_NONE UINT32_MAX

/// A borrowed run of bytes. `data` may be NULL when `size` is 0.
typedef struct bsp_bytes {
    const uint8_t *data;
    size_t size;
} bsp_bytes;

/// A borrowed run of characters, not NUL-terminated; the encoding is the file's own.
typedef struct bsp_text {
    const char *data;
    size_t size;
} bsp_text;

/// Returns a view of a C string. `string` may be NULL: an empty view.
BSP_API bsp_text bsp_text_of(const char *string);

/// Returns true if both views hold the same bytes.
BSP_API bool bsp_text_equal(bsp_text a, bsp_text b);

/// Returns true if all of a text matches a pattern: * stands for any characters or none, ? for one,
/// a backslash before one of * ? \ = ! ~ < > for that character, and the case of ASCII letters does
/// not matter. The time is at most their sizes multiplied.
BSP_API bool bsp_text_matches(bsp_text text, bsp_text pattern);

// --- errors -------------------------------------------------------------------------------------

/// Why a call failed. The numbers stay as they are; new codes are added at the end.
typedef enum bsp_code {
    BSP_OK = 0,            ///< nothing failed
    BSP_E_ARGUMENT = 1,    ///< the caller asked for something that does not exist
    BSP_E_MEMORY = 2,      ///< the allocator gave nothing
    BSP_E_LIMIT = 3,       ///< too large: a limit of bsp_limits, or of a format, would be passed
    BSP_E_IO = 4,          ///< the operating system could not read or write
    BSP_E_FORMAT = 5,      ///< the bytes are not a BSP that is known here
    BSP_E_DAMAGED = 6,     ///< a BSP, but what was asked for cannot be read from it
    BSP_E_UNSUPPORTED = 7, ///< a BSP whose layout is not known here
    BSP_E_RANGE = 8,       ///< a value does not fit the field of the target branch
    BSP_E_CANCELLED = 9,   ///< a callback of the caller, or bsp_budget_stop, stopped the work
    BSP_E_NOT_FOUND = 10,  ///< the operating system has no file or folder of that path
    BSP_E_PERMISSION = 11, ///< the operating system does not allow it
    BSP_E_ENCRYPTED = 12,  ///< the bytes are encrypted, and no key is known here
    /// The lights that a map names do not explain the light that it has.
    BSP_E_UNEXPLAINED = 13,
} bsp_code;

/// Where in a file something is. Unset members: empty `lump`, NULL `field`, BSP_NONE `record` and
/// `element`, UINT64_MAX `offset`.
typedef struct bsp_place {
    char lump[32];     ///< lump name as its branch calls it
    const char *field; ///< on-disk field name; static storage
    uint32_t record;   ///< index of the record
    uint32_t element;  ///< index in a field of several elements, else BSP_NONE
    uint64_t offset;   ///< byte offset in the file (in the lump's bytes if they were compressed)
} bsp_place;

/// A failure: filled by the call that returned false or NULL.
typedef struct bsp_error {
    bsp_code code;
    bsp_place place;
    char message[256]; ///< one line of text with the value and the limit, NUL-terminated
} bsp_error;

/// Returns a place with nothing set.
BSP_API bsp_place bsp_place_none(void);

/// Returns a place in a lump. `lump` is copied (cut to 31 characters) and may be NULL; `field` must
/// be static or NULL.
BSP_API bsp_place bsp_place_at(const char *lump, uint32_t record, const char *field,
                               uint64_t offset);

/// Returns the same place in element `element` of a field that has `count` of them. A field of one
/// element needs no index, and the place stays as it is.
BSP_API bsp_place bsp_place_element(bsp_place place, uint32_t element, uint32_t count);

/// Room for any place as text, the NUL included.
#define BSP_PLACE_TEXT 128

/// Writes a place for people, without its byte: "MODELS[3].headnode[2]", "FACES", or nothing where
/// nothing is set; NUL-terminated. Returns the length.
BSP_API size_t bsp_format_place(char out[BSP_PLACE_TEXT], const bsp_place *place);

/// Fills `error` (may be NULL) and returns false. Every failure of the library passes through here.
/// `place` may be NULL: no place.
BSP_API bool bsp_fail(bsp_error *error, bsp_code code, const bsp_place *place, const char *format,
                      ...) BSP_PRINTF(4, 5);

/// Returns the short English name of a code, such as "damaged" or "not found"; "unknown" for a
/// number that is none. Static storage.
BSP_API const char *bsp_code_name(bsp_code code);

/// Room for any reason as text, the NUL included.
#define BSP_REASON_TEXT 64

/// Writes what an errno value means, in English that depends on neither the locale nor the system:
/// "there is no such file or folder"; "error 1234" for a value that has no words here.
/// NUL-terminated. Returns the length.
BSP_API size_t bsp_format_reason(char out[BSP_REASON_TEXT], int number);

// --- options ------------------------------------------------------------------------------------

#ifndef __cplusplus
/// Initialises a struct of options, all of whose other members then mean their defaults:
/// `bsp_map_options options = BSP_OPTIONS(bsp_map_options);`. NULL in the place of options means
/// the same.
///
/// Every struct of options begins with `size`. 0 stands for the size that the struct has in the
/// library, so `{0}` and designated initialisers are right wherever program and library have the
/// same minor version, which the name of the shared library sees to. A program that loads the
/// library by itself, as bindings do, states the size that it knows: an older, shorter struct is
/// taken, and what it lacks has its default. A struct of any other size, such as a variable that
/// was never set, is a bug of the caller: an assert in builds that have them, else
/// BSP_E_ARGUMENT.
#define BSP_OPTIONS(type)                                                                          \
    { .size = sizeof(type) }
#else
/// The same in C++, which has no designated initialisers before C++20.
#define BSP_OPTIONS(type)                                                                          \
    [] {                                                                                           \
        type bsp_options = type();                                                                 \
        bsp_options.size = sizeof(type);                                                           \
        return bsp_options;                                                                        \
    }()
#endif

// --- progress -----------------------------------------------------------------------------------

/// Receives reports of how far a long call is; all zero: none are made. Part of the options of such
/// calls.
///
/// `stage` is a word in static storage ("textures"). A stage begins with `done` 0; then `done` only
/// grows, up to `total`, which is not 0 and stays as it is. Stages follow each other and are at
/// most some hundred reports long. The reports depend on the work and never on a clock, and come
/// from the thread that made the call. Returning false stops the work: the call frees what it has
/// made and fails with BSP_E_CANCELLED.
typedef struct bsp_progress {
    /// false stops the work; NULL: no reports
    bool (*report)(void *user, const char *stage, uint64_t done, uint64_t total);
    void *user;
} bsp_progress;

// --- issues -------------------------------------------------------------------------------------

/// The severity of an issue.
typedef enum bsp_severity {
    BSP_NOTE = 0,    ///< unusual, harmless
    BSP_WARNING = 1, ///< some programs may fail on it
    BSP_ERROR = 2,   ///< wrong: an engine would refuse it, crash or show something else
} bsp_severity;

/// One kind of issue: its stable id and its page of documentation.
typedef struct bsp_issue_kind {
    const char *id;          ///< stable, e.g. "index-out-of-range"
    bsp_severity severity;   ///< how bad every issue of this kind is
    const char *summary;     ///< one line
    const char *explanation; ///< what it means and what to do about it
} bsp_issue_kind;

/// Returns the table of all issue kinds, sorted by id. `*count` receives its length. Static
/// storage.
BSP_API const bsp_issue_kind *bsp_issue_kinds(size_t *count);

/// One odd or wrong thing in a file.
typedef struct bsp_issue {
    const bsp_issue_kind *kind;
    bsp_place place;
    char text[160]; ///< what is wrong here, NUL-terminated
} bsp_issue;

/// A list of issues. At most `keep` issues of a kind are kept, the rest only counted, so that a
/// hostile file cannot fill the memory.
typedef struct bsp_issues bsp_issues;

// --- memory -------------------------------------------------------------------------------------

/// A caller's allocator. `resize` has the meaning of realloc (NULL memory allocates, size 0 frees
/// and returns NULL); all zero means the C library's.
typedef struct bsp_allocator {
    void *(*resize)(void *user, void *memory, size_t old_size, size_t new_size);
    void *user;
} bsp_allocator;

/// A file in memory that the library made.
typedef struct bsp_blob {
    uint8_t *data;
    size_t size;
    bsp_allocator allocator; ///< private
} bsp_blob;

/// Frees the bytes of a blob and sets it to zero. A blob of zeros, and NULL, are allowed.
BSP_API void bsp_blob_free(bsp_blob *blob);

/// What one or several calls may take together; see bsp_budget_new.
typedef struct bsp_budget bsp_budget;

/// Reads a whole file ("-" is standard input). A stream that does not end is BSP_E_LIMIT
/// (BSP_PRODUCT_STREAM), a file that became shorter while it was read BSP_E_IO, a path without a
/// file BSP_E_NOT_FOUND, and one that may not be read BSP_E_PERMISSION. The message begins with the
/// path and ": ". `budget` and `allocator` may be NULL. The caller frees `out` with bsp_blob_free.
BSP_API bool bsp_blob_read(const char *path, bsp_budget *budget, const bsp_allocator *allocator,
                           bsp_blob *out, bsp_error *error);

/// Makes a new, empty list that keeps at most `keep` issues of each kind (0: 100). `allocator` may
/// be NULL. Returns NULL without memory. Free with bsp_issues_free.
BSP_API bsp_issues *bsp_issues_new(const bsp_allocator *allocator, uint32_t keep);
/// Frees a list of issues. NULL is allowed and does nothing.
BSP_API void bsp_issues_free(bsp_issues *issues);

/// Returns the issues that were kept, in the order in which they were found. Borrowed from the list
/// until the next issue is added.
BSP_API const bsp_issue *bsp_issues_list(const bsp_issues *issues, size_t *count);

/// Returns how many issues there are at or above `severity`, with those that were not kept.
BSP_API uint64_t bsp_issues_count(const bsp_issues *issues, bsp_severity severity);

/// Returns how many issues of one kind there are, with those that were not kept.
BSP_API uint64_t bsp_issues_count_kind(const bsp_issues *issues, const bsp_issue_kind *kind);

/// Returns "note", "warning" or "error". Static storage.
BSP_API const char *bsp_severity_name(bsp_severity severity);

// --- limits -------------------------------------------------------------------------------------

/// Limits of what calls may take. In bsp_budget_new a member that is 0 means the default of each
/// product (bsp_product_limits), and BSP_NO_LIMIT none.
typedef struct bsp_limits {
    uint64_t memory; ///< bytes that are allocated at one time
    /// Steps: a step is one round of a loop whose length the size of the file does not bound, some
    /// nanoseconds. The same input takes the same steps on every machine and at any thread count
    /// (bsp_vis_build: some percent more with many threads).
    uint64_t work;
    uint64_t output_bytes; ///< bytes that are written
    uint64_t output_files; ///< files that are written
} bsp_limits;

/// In bsp_limits: nothing is limited.
#define BSP_NO_LIMIT UINT64_MAX

/// The products that have default limits: what a call makes.
typedef enum bsp_product {
    BSP_PRODUCT_FILE = 0,   ///< an open file, and the entities, parts, paks and maps made out of it
    BSP_PRODUCT_STREAM = 1, ///< what is read without knowing its size: standard input, pipes
    BSP_PRODUCT_MESH = 2,   ///< bsp_mesh_build
    BSP_PRODUCT_BRUSH_MESH = 3, ///< bsp_brush_mesh_build
    BSP_PRODUCT_LIGHTMAP = 4,   ///< bsp_lightmap_build
    BSP_PRODUCT_TRACE = 5,      ///< bsp_trace_index_new
    BSP_PRODUCT_SEARCH = 6,     ///< bsp_search_new: the list of what game folders hold
    BSP_PRODUCT_TEXTURES = 7,   ///< bsp_textures_open, and each texture that is found
    BSP_PRODUCT_IMAGE = 8,      ///< bsp_image_decode
    BSP_PRODUCT_TEXT = 9,       ///< KeyValues, materials, shaders
    BSP_PRODUCT_DOCUMENT = 10,  ///< bsp_mapdoc_read
    BSP_PRODUCT_SCENE = 11,     ///< bsp_scene_build, bsp_renderer_build
    BSP_PRODUCT_PICTURE = 12,   ///< bsp_renderer_draw
    BSP_PRODUCT_EXPORT = 13,    ///< bsp_export_gltf, bsp_export_obj
    BSP_PRODUCT_DECOMPILE = 14, ///< bsp_decompile
    BSP_PRODUCT_EDIT = 15,      ///< what changes a file
    BSP_PRODUCT_CONVERT = 16,   ///< bsp_file_convert and bsp_file_reorder
    BSP_PRODUCT_DIFF = 17,      ///< bsp_file_diff
    BSP_PRODUCT_OUTPUT = 18,    ///< bsp_budget_write
    BSP_PRODUCT_MODEL = 19,     ///< bsp_model_open, and the files and meshes of models
    BSP_PRODUCT_PORTALS = 20,   ///< bsp_portals_build
    BSP_PRODUCT_VIS = 21,       ///< bsp_vis_build
    BSP_PRODUCT_LIGHT = 22,     ///< bsp_relight_build
    BSP_PRODUCT_CUBEMAPS = 23,  ///< bsp_cubemaps_build
    BSP_PRODUCT_COUNT = 24
} bsp_product;

/// The default limits of a product: `floor`, and `factor` for each byte of what it is made from
/// (`of`); the factor of output_files is for each KiB. 0 where a product does not count something.
typedef struct bsp_product_limits {
    const char *name; ///< a word, as messages have it; static storage
    const char *of;   ///< what the bytes are of; static storage
    bsp_limits floor;
    bsp_limits factor;
} bsp_product_limits;

/// Returns the default limits of a product. Static storage.
BSP_API const bsp_product_limits *bsp_product_get_limits(bsp_product product);

/// Makes a budget: limits of what one or several calls may take together, and a way to stop them.
/// It counts with atomics, so any number of threads may share one.
///
/// A product that is given no budget takes that of the file or map it is made from; without any,
/// its own default limits hold. The limits of a budget hold for the sum of all products that use
/// it, instead of the defaults. A call that would pass a limit fails with BSP_E_LIMIT, and nothing
/// is made in part. Memory counts for as long as an object of the library owns it; images and blobs
/// that are handed to the caller count only until then.
///
/// `limits` may be NULL: all defaults. `allocator` (may be NULL) is for the budget itself. The
/// budget must outlive every object that uses it. The caller frees it with bsp_budget_free. Returns
/// NULL without memory.
BSP_API bsp_budget *bsp_budget_new(const bsp_limits *limits, const bsp_allocator *allocator);
/// Frees a budget, after every object that uses it. NULL is allowed and does nothing.
BSP_API void bsp_budget_free(bsp_budget *budget);

/// Stops every call that uses the budget, now and later: it fails with BSP_E_CANCELLED at its next
/// step or allocation. May be called from any thread.
BSP_API void bsp_budget_stop(bsp_budget *budget);

/// Sets how many threads a call that uses the budget may have at once, that of the caller counted:
/// 0, the default, is one for each processor on which the process may run, and at most 64 are used.
/// Results are the same at any number; the most memory at one time may grow with it. A caller's own
/// bsp_allocator is called from one thread only, unless a number is set here: then it must bear
/// being called from so many.
BSP_API void bsp_budget_set_threads(bsp_budget *budget, uint32_t threads);

/// Returns how many threads a call that uses the budget may have: the number that was set, or that
/// of the processors, at most 64.
BSP_API uint32_t bsp_budget_threads(const bsp_budget *budget);

/// Returns what was taken so far: the most memory at one time, and the sums of the others.
BSP_API bsp_limits bsp_budget_used(const bsp_budget *budget);

/// Returns how much of its limit each object of a product has taken at most, in thousandths (1000:
/// all of it; BSP_NO_LIMIT gives 0).
BSP_API bsp_limits bsp_budget_share(const bsp_budget *budget, bsp_product product);

/// Counts output that the caller is about to write: `files` more, of `bytes` together. The default
/// limits of BSP_PRODUCT_OUTPUT grow with the bytes of the files that were read with the budget.
/// `budget` may be NULL: true.
BSP_API bool bsp_budget_write(bsp_budget *budget, uint64_t files, uint64_t bytes, bsp_error *error);
/// Returns true if the caller could write so much, without counting it; else false, with the error
/// of bsp_budget_write. Use it before writing several files of which all or none are wanted.
/// `budget` may be NULL: true.
BSP_API bool bsp_budget_may_write(bsp_budget *budget, uint64_t files, uint64_t bytes,
                                  bsp_error *error);
/// Counts `bytes` that the caller has read: the default limits of what is written grow with them.
/// Files that the library opens count by themselves. `budget` may be NULL.
BSP_API void bsp_budget_read(bsp_budget *budget, uint64_t bytes);

// --- JSON out -----------------------------------------------------------------------------------

/// Receives output in pieces. Returns false to stop (a full disk, a closed pipe).
typedef bool (*bsp_sink)(void *user, const char *data, size_t size);

/// A streaming JSON writer: one value on one line, no white space, keys in the order written.
/// Plain data, on the caller's stack; needs no freeing. After a sink failure calls do nothing.
typedef struct bsp_json {
    bsp_sink sink; ///< where the text goes
    void *user;
    size_t used;       ///< private: bytes in `buffer`
    bool failed;       ///< the sink refused; nothing more is sent
    bool comma;        ///< a comma is due before the next value
    char buffer[8192]; ///< private
} bsp_json;

/// Begins to write one JSON value to `sink`, which gets `user` with each piece. Sets all members.
BSP_API void bsp_json_begin(bsp_json *json, bsp_sink sink, void *user);
/// Sends what is buffered. Returns false if the sink ever failed.
BSP_API bool bsp_json_flush(bsp_json *json);

/// Begins an object. Every value in it follows a bsp_json_key.
BSP_API void bsp_json_object(bsp_json *json);
/// Ends the object that was begun last.
BSP_API void bsp_json_object_end(bsp_json *json);
/// Begins an array.
BSP_API void bsp_json_array(bsp_json *json);
/// Ends the array that was begun last.
BSP_API void bsp_json_array_end(bsp_json *json);
/// Writes the key of the next value of an object. `key` is NUL-terminated UTF-8.
BSP_API void bsp_json_key(bsp_json *json, const char *key);
/// Writes a whole number.
BSP_API void bsp_json_int(bsp_json *json, int64_t value);
/// Writes a whole number without a sign.
BSP_API void bsp_json_uint(bsp_json *json, uint64_t value);
/// Writes true or false.
BSP_API void bsp_json_bool(bsp_json *json, bool value);
/// Writes null.
BSP_API void bsp_json_null(bsp_json *json);
/// Writes the shortest decimal that reads back as the same float; negative zero is -0.0. NaN and
/// infinities become strings.
BSP_API void bsp_json_float(bsp_json *json, float value);
/// Writes a key of an object and its value: an array of `count` floats.
BSP_API void bsp_json_floats(bsp_json *json, const char *key, const float *values, uint32_t count);
/// Writes a string. Bytes that are valid UTF-8 are kept; any other byte is written as
/// U+0080..U+00FF (Latin-1).
BSP_API void bsp_json_text(bsp_json *json, bsp_text value);
/// Writes a NUL-terminated string as bsp_json_text does. NULL is not allowed.
BSP_API void bsp_json_string(bsp_json *json, const char *value);
/// Writes bytes as lower-case hexadecimal in a string.
BSP_API void bsp_json_hex(bsp_json *json, bsp_bytes value);

/// Room that bsp_format_float needs, the NUL included.
#define BSP_FLOAT_TEXT 32

/// Writes the shortest decimal that reads back as `value`, whatever the locale, NUL-terminated:
/// from 1e-5 to 1e9 the one with the fewest places, and whole numbers exactly; outside of that the
/// one with the fewest digits whose nearest decimal reads back. NaN and infinities are "nan",
/// "inf", "-inf". Returns the length.
BSP_API size_t bsp_format_float(char out[BSP_FLOAT_TEXT], float value);

/// Reads a decimal float from the whole of `text`, whatever the locale. Leading and trailing
/// blanks are allowed. Returns false if it is no number.
BSP_API bool bsp_parse_float(bsp_text text, float *value);

/// Reads three floats divided by blanks, as entities have them; what follows is ignored. False, and
/// `out` left alone, if they are not all there.
BSP_API bool bsp_parse_vector(bsp_text text, float out[3]);

/// Reads a decimal or 0x integer from the whole of `text`. False if it is none or too big.
BSP_API bool bsp_parse_int(bsp_text text, int64_t *value);

#ifdef __cplusplus
}
#endif
#endif
