// SPDX-License-Identifier: MIT
// Definitions of entity classes being read: what the readers of the three forms share. A reader
// begins a class, adds to it and ends it; lists of a class are kept in scratch arrays until then.
#ifndef BSPI_MAPDOC_DEFINITIONS_H
#define BSPI_MAPDOC_DEFINITIONS_H

#include "bspkit/definitions.h"
#include "core/memory.h"

/// An array that grows.
typedef struct bspi_def_list {
    void *data;
    size_t count;
    size_t room;
} bspi_def_list;

struct bsp_definitions {
    bspi_heap heap;
    bspi_arena arena;
    bsp_issues *issues;
    bspi_def_list classes; ///< bsp_entity_class, in the order in which they were added
    uint32_t *by_name;     ///< numbers of classes, sorted by name and then by number
    size_t by_name_room;
    bspi_def_list bases;      ///< bsp_text: those of the class that is read
    bspi_def_list properties; ///< bsp_class_property: the same
    bspi_def_list flags;   ///< bsp_class_choice: its spawnflags, where a form has them one by one
    bspi_def_list choices; ///< bsp_class_choice: those of the property that is read
};

/// A text that is read.
typedef struct bspi_def_source bspi_def_source;
struct bspi_def_source {
    bsp_definitions *to;
    const char *name; ///< owned by `to`
    bsp_text text;    ///< the same
    size_t at;
    uint32_t line;
    uint32_t depth; ///< of includes
    const bsp_search *includes;
    bspi_meter meter;
    bsp_entity_class now; ///< the class that is read
    bsp_error *error;
    bool failed; ///< without memory or over a limit; sticky
    /// Reads what "@include" of a .fgd names. False without memory or over a limit.
    bool (*include)(bspi_def_source *source, bsp_text name);
};

/// Read all classes of a text. False without memory or over a limit.
bool bspi_read_fgd(bspi_def_source *source);
bool bspi_read_def(bspi_def_source *source);
bool bspi_read_ent(bspi_def_source *source);

/// Begins a class of that kind at the line of the source.
void bspi_def_begin(bspi_def_source *source, bsp_class_kind kind);
/// Adds to the class that was begun.
void bspi_def_base(bspi_def_source *source, bsp_text name);
void bspi_def_choice(bspi_def_source *source, bsp_class_choice choice);
/// Adds a bit of the class's spawnflags. Before a property's choices, not between them.
void bspi_def_flag(bspi_def_source *source, bsp_class_choice flag);
/// Adds a property with the choices that were added since the last one.
void bspi_def_property(bspi_def_source *source, bsp_class_property property);
/// Adds what the class of the same name has that was added before: the class that was begun extends
/// it.
void bspi_def_extend(bspi_def_source *source);
/// Ends the class: it is one of the definitions if it has a name.
void bspi_def_end(bspi_def_source *source);

/// Adds an issue at the line of the source. `about` may be empty.
void bspi_def_issue(bspi_def_source *source, const char *what, bsp_text about);

/// Reads up to `count` numbers out of a text, whatever separates them. Returns how many there were.
uint32_t bspi_def_numbers(bsp_text text, float *out, uint32_t count);
/// Sets the size of the class: six numbers are a box, three are half of one.
void bspi_def_size(bspi_def_source *source, bsp_text numbers);
/// Sets the colour of the class out of three numbers; `full` is that of full light, 0 for 255 if
/// one of them is above 1, else 1.
void bspi_def_color(bspi_def_source *source, bsp_text numbers, float full);
/// Sets what the class shows out of the argument of model(...): an expression, or the older form of
/// a path with numbers.
void bspi_def_model(bspi_def_source *source, bsp_text argument);

/// Computes an expression of model(...) with the keys of an entity, and where it has none with
/// those that `value_of` returns for it. Returns false where it gives no path, and where it is no
/// expression.
typedef bsp_text bspi_def_value(const void *user, bsp_text key);
bool bspi_def_compute(bsp_text expression, bspi_def_value *value_of, const void *user,
                      bsp_class_model *out);

#endif
