// SPDX-License-Identifier: MIT
// Reads .map in all its dialects, which may differ from brush to brush. Words are separated by
// blanks; keys and values are quoted and have no escapes. Format: sheet outputs, section 1.
#include "core/text.h"
#include "mapdoc/read.h"
#include "mapdoc/texdef.h"

#include <string.h>

// Control points along a side of a patch; the compilers allow 31 (the game) to 128.
#define MOST_CONTROLS 1025u

typedef struct map_reader {
    bspi_map_reader *r;
    bspi_script script;
    bspi_word word; // the last word that was read
    bool primitives;
    bool axes;
    bool flags;
} map_reader;

// --- words --------------------------------------------------------------------------------------

static bool wrong(const map_reader *m, const char *wanted) {
    bsp_text found = m->word.text;
    return bspi_read_fail(m->r, m->word.line, m->word.offset, "%s is missing, here is '%.*s'",
                          wanted, (int)(found.size < 40 ? found.size : 40),
                          found.size == 0 ? "" : found.data);
}

static bool next(map_reader *m, const char *wanted) {
    if (!bspi_next_word(&m->script, &m->word)) {
        return bspi_read_fail(m->r, m->script.line, m->script.at, "the text ends, %s is missing",
                              wanted);
    }
    if (m->word.open) {
        return bspi_read_fail(m->r, m->word.line, m->word.offset, "a quote is not closed");
    }
    return true;
}

static bool is(const map_reader *m, const char *word) {
    return !m->word.quoted && bsp_text_equal(m->word.text, bsp_text_of(word));
}

static bool expect(map_reader *m, const char *word) {
    return next(m, word) && (is(m, word) || wrong(m, word));
}

static bool number(map_reader *m, double *value) {
    return next(m, "a number") &&
           ((!m->word.quoted && bspi_read_double(m->word.text, value)) || wrong(m, "a number"));
}

static bool numbers(map_reader *m, double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!number(m, &values[i])) {
            return false;
        }
    }
    return true;
}

// Reads numbers between parentheses.
static bool group(map_reader *m, double *values, int count) {
    return expect(m, "(") && numbers(m, values, count) && expect(m, ")");
}

static bool bits(map_reader *m, uint32_t *value) {
    return next(m, "an integer") && (bspi_read_bits(m->word.text, value) || wrong(m, "an integer"));
}

// The name of a texture: it may begin with a brace, or stand in quotes.
static bool material(map_reader *m, bsp_text *name) {
    m->script.braces = true;
    bool found = next(m, "a texture");
    m->script.braces = false;
    *name = m->word.text;
    if (found && bsp_text_equal(*name, bsp_text_of("__TB_empty"))) {
        name->size = 0;
    }
    return found;
}

// --- sides --------------------------------------------------------------------------------------

// Reads the axes; the last word is the bracket of the first one.
static bool read_axes(map_reader *m, bsp_mapdoc_side *side) {
    bspi_axes axes;
    for (int i = 0; i < 2; i++) {
        double values[4];
        if ((i == 1 && !expect(m, "[")) || !numbers(m, values, 4) || !expect(m, "]")) {
            return false;
        }
        memcpy(axes.axis[i], values, sizeof axes.axis[i]);
        axes.offset[i] = values[3];
    }
    if (!number(m, &side->rotation) || !numbers(m, axes.scale, 2)) {
        return false;
    }
    bspi_axes_to_vec(&axes, side->vec);
    m->axes = true;
    return true;
}

// Reads offset, rotation and scale; the last word is the first offset.
static bool read_shift(map_reader *m, bsp_mapdoc_side *side) {
    bspi_shift shift;
    if (m->word.quoted || !bspi_read_double(m->word.text, &shift.offset[0])) {
        return wrong(m, "an offset or '['");
    }
    if (!number(m, &shift.offset[1]) || !number(m, &shift.rotation) ||
        !numbers(m, shift.scale, 2)) {
        return false;
    }
    bspi_shift_to_vec(side->normal, &shift, side->vec);
    side->rotation = shift.rotation;
    return true;
}

static bool read_matrix(map_reader *m, bsp_mapdoc_side *side) {
    double rows[2][3];
    if (!expect(m, "(") || !group(m, rows[0], 3) || !group(m, rows[1], 3) || !expect(m, ")")) {
        return false;
    }
    bspi_matrix_to_vec(side->normal, rows[0], rows[1], side->vec);
    side->repeats = true;
    m->primitives = true;
    return true;
}

// Reads the rest of the line: contents, flags and value, or nothing. Hexen II has one number, a
// light that its compiler does not use.
static bool read_flags(map_reader *m, bsp_mapdoc_side *side) {
    uint32_t values[3] = {0};
    uint32_t count = 0;
    bspi_script before = m->script;
    while (bspi_next_on_line(&m->script, &m->word)) {
        if (count == 3 || m->word.quoted || !bspi_read_bits(m->word.text, &values[count])) {
            return wrong(m, "the end of the line");
        }
        count++;
        before = m->script;
    }
    m->script = before;
    if (count == 2) {
        return wrong(m, "the third of contents, flags and value");
    }
    if (count == 3) {
        side->has_flags = m->flags = true;
        side->contents = values[0];
        side->flags = values[1];
        side->value = (int32_t)values[2];
    }
    return true;
}

// Reads a side; the last word is the bracket of the first point.
static bool read_side(map_reader *m, bool primitives) {
    uint32_t line = m->word.line;
    bsp_mapdoc_side *side = bspi_build_side(&m->r->out);
    if (side == NULL || !numbers(m, side->points[0], 3) || !expect(m, ")") ||
        !group(m, side->points[1], 3) || !group(m, side->points[2], 3) ||
        !bspi_read_plane(m->r, side, line)) {
        return false;
    }
    bsp_text name;
    if ((primitives && !read_matrix(m, side)) || !material(m, &name) ||
        !bspi_read_material(m->r, side, name)) {
        return false;
    }
    if (!primitives && (!next(m, "an offset or '['") ||
                        !(is(m, "[") ? read_axes(m, side) : read_shift(m, side)))) {
        return false;
    }
    return read_flags(m, side);
}

// --- brushes and patches ------------------------------------------------------------------------

// Reads sides up to the brace that closes them; the last word is the beginning of the first side.
static bool read_sides(map_reader *m, uint32_t entity, bool primitives, uint32_t line) {
    if (bspi_build_brush(&m->r->out, entity) == NULL) {
        return false;
    }
    while (!is(m, "}")) {
        if (!is(m, "(")) {
            return wrong(m, "a side or '}'");
        }
        if (!read_side(m, primitives) || !next(m, "'}'")) {
            return false;
        }
    }
    return bspi_read_brush_end(m->r, line);
}

static bool read_controls(map_reader *m, const bsp_mapdoc_patch *patch) {
    uint32_t width = patch->width;
    uint32_t height = patch->height;
    if (!expect(m, "(")) {
        return false;
    }
    for (uint32_t x = 0; x < width; x++) {
        if (!expect(m, "(")) {
            return false;
        }
        for (uint32_t y = 0; y < height; y++) {
            double values[5];
            if (!group(m, values, 5)) {
                return false;
            }
            bsp_mapdoc_control *control = bspi_build_control(&m->r->out);
            if (control == NULL) {
                return false;
            }
            memcpy(control->at, values, sizeof control->at);
            memcpy(control->uv, values + 3, sizeof control->uv);
        }
        if (!expect(m, ")")) {
            return false;
        }
    }
    return expect(m, ")");
}

static bool is_size(uint32_t size) {
    return size >= 3 && size <= MOST_CONTROLS && size % 2 == 1;
}

static bool read_patch(map_reader *m, uint32_t entity, bool subdivided) {
    bsp_mapdoc_patch *patch = bspi_build_patch(&m->r->out, entity);
    bsp_text name;
    uint32_t value;
    if (patch == NULL || !expect(m, "{") || !material(m, &name)) {
        return false;
    }
    patch->material = bspi_builder_text(&m->r->out, name);
    patch->subdivided = subdivided;
    if (patch->material.data == NULL || !expect(m, "(") || !bits(m, &patch->width) ||
        !bits(m, &patch->height)) {
        return false;
    }
    if (!is_size(patch->width) || !is_size(patch->height)) {
        return bspi_read_fail(m->r, m->word.line, m->word.offset,
                              "a patch of %u x %u control points: odd numbers from 3 to %u can be",
                              patch->width, patch->height, MOST_CONTROLS);
    }
    if (subdivided && (!bits(m, &patch->subdivisions[0]) || !bits(m, &patch->subdivisions[1]))) {
        return false;
    }
    if (!bits(m, &patch->contents) || !bits(m, &patch->flags) || !bits(m, &value) ||
        !expect(m, ")")) {
        return false;
    }
    patch->value = (int32_t)value;
    return read_controls(m, patch) && expect(m, "}") && expect(m, "}");
}

// Reads a brush; the last word is its brace.
static bool read_brush(map_reader *m, uint32_t entity) {
    uint32_t line = m->word.line;
    if (!next(m, "a side")) {
        return false;
    }
    if (is(m, "patchDef2") || is(m, "patchDef3")) {
        return read_patch(m, entity, is(m, "patchDef3"));
    }
    if (is(m, "brushDef")) {
        return expect(m, "{") && next(m, "a side") && read_sides(m, entity, true, line) &&
               expect(m, "}");
    }
    return read_sides(m, entity, false, line);
}

// --- entities -----------------------------------------------------------------------------------

static bool read_pair(map_reader *m, uint32_t entity) {
    bspi_word key = m->word;
    if (!next(m, "a value")) {
        return false;
    }
    if (!m->word.quoted || m->word.line != key.line) {
        return wrong(m, "a value in quotes on the line of its key");
    }
    return bspi_build_pair(&m->r->out, entity, key.text, m->word.text, false);
}

static bool is_worldspawn(const bspi_builder *b) {
    const bsp_mapdoc_pair *pairs = b->pairs.data;
    for (uint32_t i = 0; i < b->pairs.count; i++) {
        if (bspi_text_is(pairs[i].key, "classname")) {
            return bspi_text_is(pairs[i].value, "worldspawn");
        }
    }
    return false;
}

static bool read_entity(map_reader *m) {
    uint32_t entity = m->r->out.entities.count;
    uint32_t line = m->word.line;
    if (bspi_build_entity(&m->r->out) == NULL) {
        return false;
    }
    while (next(m, "'}' of an entity")) {
        if (is(m, "}")) {
            return entity != 0 || is_worldspawn(&m->r->out) ||
                   bspi_read_fail(m->r, line, UINT64_MAX,
                                  "the first entity's classname is not worldspawn");
        }
        bool brace = is(m, "{");
        if (!brace && !m->word.quoted) {
            return wrong(m, "a key in quotes, a brush or '}'");
        }
        if (!(brace ? read_brush(m, entity) : read_pair(m, entity))) {
            return false;
        }
    }
    return false;
}

bool bspi_read_map(bspi_map_reader *r, bsp_dialect *dialect) {
    map_reader m = {.r = r, .script = {.text = r->text, .line = 1, .quake = true}};
    while (bspi_next_word(&m.script, &m.word)) {
        if (!is(&m, "{")) {
            return wrong(&m, "'{' of an entity");
        }
        if (!read_entity(&m)) {
            return false;
        }
    }
    if (r->out.entities.count == 0) {
        return bspi_read_fail(r, m.script.line, m.script.at, "there is no entity");
    }
    *dialect = m.primitives                ? BSP_DIALECT_PRIMITIVES
               : m.axes                    ? BSP_DIALECT_VALVE220
               : r->out.patches.count != 0 ? BSP_DIALECT_QUAKE3
               : m.flags                   ? BSP_DIALECT_QUAKE2
                                           : BSP_DIALECT_QUAKE;
    return true;
}
