// SPDX-License-Identifier: MIT
// How the files of one branch are told from others. Each table file ends with the list of its
// branches and the evidence for each; rules.c joins the lists, and detect.c takes the first rule
// that holds.
#ifndef BSPI_RULES_H
#define BSPI_RULES_H

#include "formats/table.h"

/// A file under test: its bytes, and how to read its directory if the candidate is right.
typedef struct bspi_candidate {
    bsp_bytes file;
    const bsp_branch *branch;
    bool big_endian;
    bool scrambled; ///< the bytes were unscrambled before
} bspi_candidate;

/// Returns true if the file looks like one of the branch. Cheap: it reads the directory and a few
/// records.
typedef bool bspi_evidence(const bspi_candidate *look);

/// When a rule is tried, among those whose magic and version fit.
typedef enum bspi_turn {
    BSPI_TURN_USUAL,
    BSPI_TURN_EARLY, ///< this evidence holds for no file of another branch, but theirs would hold
                     ///< for files of this one
    BSPI_TURN_LATE,  ///< taken when no other rule holds
    BSPI_NUM_TURNS
} bspi_turn;

/// A row of a list: how a branch is told. A branch may have several rows, one after the other.
typedef struct bspi_rule {
    const bsp_branch *branch;
    bspi_evidence *test;
    const char
        *why; ///< what `test` found, for messages; NULL if magic and version are all the evidence
    bspi_turn turn;
    const char *magic; ///< NULL: the branch's own
    uint32_t low;      ///< lowest version, where it is not the branch's own
    uint32_t high;     ///< highest version; 0: the branch's own
} bspi_rule;

/// The branches of a table file, in the order of the documentation, a base before what extends it.
typedef struct bspi_rule_list {
    const bspi_rule *rules;
    size_t count;
} bspi_rule_list;

/// Does the work of bsp_detect for a file that is plain or was unscrambled.
bool bspi_detect(bsp_bytes file, bool scrambled, const bsp_branch *forced, bsp_detection *out,
                 bsp_error *error);

/// Ends a table file: defines its list of rules.
#define RULE_LIST(file, rows) const bspi_rule_list bspi_##file##_rules = {(rows), LENGTH(rows)}

/// The table files, in the order of the documentation.
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

/// Returns rule number `index` over all lists, or NULL after the last.
const bspi_rule *bspi_rule_at(size_t index);

// Evidence that several rules use (evidence.c).

/// Where a lump lies, as the directory says.
typedef struct bspi_extent {
    uint64_t offset;
    uint64_t size;
    bool inside; ///< the whole lump lies in the file
} bspi_extent;

/// Reads the directory entry of a lump with the candidate's own shape.
bspi_extent bspi_extent_at(const bspi_candidate *look, uint32_t index);
/// Reads the entry of the lump that holds a kind of table, which the branch must have.
bspi_extent bspi_extent_of(const bspi_candidate *look, bsp_table_id id);

/// Returns the records of the branch's own layout in that lump; none if it does not lie in the
/// file.
bsp_table bspi_records_of(const bspi_candidate *look, bsp_table_id id);

/// Returns true if the directory lies in the file with at least half of its lumps, of which one is
/// not empty.
bool bspi_plausible(const bspi_candidate *look);
/// Returns true if the last word of the head is the number of the last lump. This is the only
/// evidence where lumps stand in files of their own although the directory has their places.
bool bspi_counts_lumps(const bspi_candidate *look);
/// Returns true if the file is plausible, every lump lies in the file, and none overlaps the head.
bool bspi_exact(const bspi_candidate *look);
/// Returns true if the size of a record of the branch divides the lump that holds `id`.
bool bspi_divides(const bspi_candidate *look, bsp_table_id id);
/// Returns true if every lump lies in the file, the record sizes of the branch divide each of them,
/// and there are planes. This tells games apart that share magic and version.
bool bspi_all_divide(const bspi_candidate *look);
/// Returns true if the file is plausible and the record size of Quake 3's shaders divides their
/// lump.
bool bspi_shaders_divide(const bspi_candidate *look);
/// Returns true if the field that becomes `map_member` is, in each record, below the count of
/// `target` or all ones.
bool bspi_fits(const bspi_candidate *look, bsp_table_id id, uint16_t map_member,
               bsp_table_id target);
/// Returns true if the entities hold a quoted word that begins as the branch's own classes do.
bool bspi_has_classes(const bspi_candidate *look);

/// At least as many as bsp_game_at knows.
#define BSPI_MOST_GAMES 64u

#endif
