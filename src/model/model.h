// SPDX-License-Identifier: MIT
// The floor model reads models and sprites. A format is a row of one table (formats.c): how its
// files begin, the layout of its head, and the arrays that the head and the records below it lead
// to. What is no array of records is one small parser, and one builder makes the neutral mesh of
// it.
#ifndef BSPI_MODEL_H
#define BSPI_MODEL_H

#include "bspkit/model.h"
#include "core/memory.h"
#include "core/os.h"
#include "formats/composites.h"
#include "records/parse.h"

/// An array of records to which a record above it leads. It makes tables: one, if the head leads to
/// it; else one for each record of the parent's tables, in their order. With `stride` or `chain`
/// each of its records is a table of its own.
///
/// A field is named as in the layout of the parent's record, or else of the head. Counts and
/// offsets have a sign; what leads out of the file is an issue and left out.
typedef struct bspi_model_row {
    const char *name;         ///< the key in dumps: "bones"
    const bsp_layout *layout; ///< of each record
    uint8_t parent;           ///< number of the row whose records lead here, from 1; 0: the head
    const char *count;        ///< field: how many records; NULL: one
    const char *times;        ///< field that the count is multiplied with; NULL: none
    const char *offset;       ///< field: where they lie; NULL: right after the parent's record or,
                              ///< where that is the head, after the row before
    bool from_record;         ///< the offset counts from the parent's record, else from the file
    uint32_t plus;            ///< bytes that are added to the offset
    const char *stride; ///< field: bytes from one record to the next; NULL: that of the layout
    const char *chain;  ///< field of this layout: bytes from this record to the next; NULL: none
    uint16_t id;        ///< what its records are, as the target of roles; 0: nothing points here
} bspi_model_row;

typedef struct bspi_model_def bspi_model_def;
typedef struct bspi_model_builder bspi_model_builder;

/// A row of the table of formats. Rows of one format (its versions) stand beside each other.
struct bspi_model_def {
    bsp_model_format format;
    const char *magic; ///< the first bytes; NULL: none, and the version or `accepts` decides
    uint8_t magic_size;
    uint8_t version_at;   ///< byte offset of the version
    uint8_t version_size; ///< its bytes: 2 or 4; 0: it has none
    uint32_t version;     ///< the least that is read
    uint32_t last;        ///< the highest that is read
    /// Further evidence, for files without a magic; NULL: none is needed.
    bool (*accepts)(bsp_bytes bytes);
    const bsp_layout *head;
    const bspi_model_row *rows; ///< a parent before its rows
    uint32_t num_rows;
    /// Finds the records that rows cannot say, after those of the rows; NULL: there are none.
    void (*parse)(bspi_parse *parse);
    /// Checks what the roles of fields cannot say; NULL: nothing.
    void (*check)(const bsp_model_file *file, bsp_issues *issues);
    /// Fills bsp_model_info and opens companions; NULL for a companion.
    bool (*open)(bsp_model_asset *model, bsp_error *error);
    /// Frees what `open` left in the model's data beside its arena; NULL: nothing.
    void (*close)(bsp_model_asset *model);
    /// Makes the mesh; NULL for a companion.
    bool (*build)(bspi_model_builder *builder);
    /// Reads the light of the vertices of a mesh; NULL: the format has none.
    bool (*light)(const bsp_model_asset *model, const bsp_model_mesh *mesh,
                  const bsp_model_file *light, uint8_t (*colors)[4], bsp_error *error);
    /// Decodes an embedded picture; NULL: the format has none.
    bool (*image)(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                  bsp_error *error);
};

/// A file that belongs to a model, opened.
typedef struct bspi_model_companion {
    char role[16]; ///< "vertices", "strips", "physics", "textures", "group 1"
    bsp_model_file *file;
    bsp_blob blob; ///< its bytes
} bspi_model_companion;

/// The tables of a row of the format.
typedef struct bspi_model_run {
    uint32_t first_part; ///< number of the part of table 0; those of the others follow it
    uint32_t num_tables;
    uint32_t num_records; ///< of all tables
    uint32_t num_parents; ///< records that lead to the tables
    uint32_t *first;  ///< for each parent record the number of its first table, and one at the end
    uint32_t *before; ///< for each table the number of records in the tables before it
    size_t room[2];   ///< private: of `first` and `before`
} bspi_model_run;

struct bsp_model_file {
    bspi_heap heap;
    const bspi_model_def *def;
    bsp_model_file_info info;
    bsp_parts parts;
    bspi_model_run *runs; ///< of each row
    char *name;
    size_t name_size;     ///< private: bytes of `name`
    bspi_mapping mapping; ///< of a file of the disk, else zeros
};

struct bsp_model_asset {
    bspi_heap heap;
    bspi_arena arena;
    const bsp_search *search; ///< NULL: a model of the disk
    const char *path;         ///< of the disk
    bsp_issues *issues;       ///< while it is opened; then NULL
    bsp_blob blob;
    const bspi_model_def *def;
    bsp_model_file *file; ///< NULL: a map as a model
    bspi_model_companion *companions;
    uint32_t num_companions;
    size_t companions_room;
    uint8_t palette[BSPI_PALETTE_SIZE];
    bool has_palette; ///< `palette` is filled
    bsp_model_info info;
    /// bspi_model_file_open: the formats, which ask for companions, stand below it
    bsp_model_file *(*open_file)(bsp_bytes bytes, const char *name, bspi_heap *parent,
                                 bsp_issues *issues, bsp_error *error);
    void *data; ///< what the format keeps from open to build, in the arena
};

#endif
