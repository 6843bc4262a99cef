// SPDX-License-Identifier: MIT
// How files of a branch are told from others. Each table file ends in the list of its branches,
// with the evidence for each: rules.c joins the lists, detect.c looks for the first rule that
// holds.
#ifndef BSPI_RULES_H
#define BSPI_RULES_H

#include "formats/table.h"

/// What is being looked at: the file, and how to read its directory if the candidate is right.
typedef struct bspi_candidate {
    bsp_bytes file;
    const bsp_branch *branch;
    bool big_endian;
    bool scrambled; ///< before it was made plain
} bspi_candidate;

/// True if the file looks like one of the branch. Cheap: reads the directory and a few records.
typedef bool bspi_evidence(const bspi_candidate *look);

/// When a rule's turn is, among those whose magic and version fit.
typedef enum bspi_turn {
    BSPI_TURN_USUAL,
    BSPI_TURN_EARLY, ///< its evidence holds for no file of a neighbour, but theirs for its files
    BSPI_TURN_LATE,  ///< what is left
    BSPI_NUM_TURNS
} bspi_turn;

/// A row of a list: how a branch is told. A branch may have several rows, one behind the other.
typedef struct bspi_rule {
    const bsp_branch *branch;
    bspi_evidence *test;
    const char *why; ///< what `test` found, for people; NULL if magic and version say it all
    bspi_turn turn;
    const char *magic; ///< where it is not the branch's own
    uint32_t low;      ///< the versions, where the branch's own is not the only one
    uint32_t high;     ///< 0: the branch's own
} bspi_rule;

/// The branches of a table file, in the order in which people read them, a base first.
typedef struct bspi_rule_list {
    const bspi_rule *rules;
    size_t count;
} bspi_rule_list;

/// bsp_detect of a file that is plain, or was made so.
bool bspi_detect(bsp_bytes file, bool scrambled, const bsp_branch *forced, bsp_detection *out,
                 bsp_error *error);

/// Ends a table file: its rows, for the list of lists.
#define RULE_LIST(file, rows) const bspi_rule_list bspi_##file##_rules = {(rows), LENGTH(rows)}

/// The list of lists: the table files, in the order in which people read them.
#define BSPI_RULE_LISTS(X)                                                                         \
    X(quake)                                                                                       \
    X(quake2)                                                                                      \
    X(quake2_games)                                                                                \
    X(quake3)                                                                                      \
    X(ritual)                                                                                      \
    X(source)                                                                                      \
    X(source_games)                                                                                \
    X(source_cso2)                                                                                 \
    X(source_opaque)                                                                               \
    X(titanfall)                                                                                   \
    X(apex)

#define BSPI_RULE_LIST(file) extern const bspi_rule_list bspi_##file##_rules;
BSPI_RULE_LISTS(BSPI_RULE_LIST)
#undef BSPI_RULE_LIST

/// Rule number `index` over all lists, or NULL behind the last.
const bspi_rule *bspi_rule_at(size_t index);

// evidence.c: what several rules look at.

/// Where the directory says that a lump lies.
typedef struct bspi_extent {
    uint64_t offset;
    uint64_t size;
    bool inside; ///< the file
} bspi_extent;

/// The directory entry of a lump, read through the candidate's own shape.
bspi_extent bspi_extent_at(const bspi_candidate *look, uint32_t index);
/// The same for the lump that holds a kind of table, which the branch must have.
bspi_extent bspi_extent_of(const bspi_candidate *look, bsp_table_id id);

/// The records of the branch's own layout in that lump; none if it does not lie in the file.
bsp_table bspi_records_of(const bspi_candidate *look, bsp_table_id id);

/// The directory is there, and at least half of its lumps lie in the file, one of them with
/// something in it.
bool bspi_plausible(const bspi_candidate *look);
/// The last word of the head is the number of the last lump. That has to do where lumps stand in
/// files of their own, though the directory has their places.
bool bspi_counts_lumps(const bspi_candidate *look);
/// Plausible; every lump lies in the file, and none in the head.
bool bspi_exact(const bspi_candidate *look);
/// True if the records of the branch's own layout divide the lump that holds `id`.
bool bspi_divides(const bspi_candidate *look, bsp_table_id id);
/// Every lump lies in the file, the records of the branch divide each of them, and there are
/// planes: what tells games apart that share magic and version.
bool bspi_all_divide(const bspi_candidate *look);
/// Plausible, and the shaders of Quake 3's kind divide their lump.
bool bspi_shaders_divide(const bspi_candidate *look);
/// The field that feeds `feed` has in each record a number below the count of `target`, or all
/// ones.
bool bspi_fits(const bspi_candidate *look, bsp_table_id id, uint16_t feed, bsp_table_id target);
/// The entities have a word, between quotes, that begins as the branch's own classes do.
bool bspi_has_classes(const bspi_candidate *look);

/// At least as many as bsp_game_at knows.
#define BSPI_MOST_GAMES 64u

#endif
