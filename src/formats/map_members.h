// SPDX-License-Identifier: MIT
// A number for each thing that a field can become: BSPI_MEMBER_word_name, for every member, element
// and fact of the manifest. The tables name these, so they can name nothing that the map does not
// have.
#ifndef BSPI_FORMATS_MAP_MEMBERS_H
#define BSPI_FORMATS_MAP_MEMBERS_H

// clang-format off
enum {
    BSPI_MEMBER_NONE,
#define STRUCT(type, word, arrays, ...) __VA_ARGS__
#define VALUES(type, word, arrays, ...) __VA_ARGS__
#define MEMBER(word, member) BSPI_MEMBER_##word##_##member,
#define MEMBER_OR_NONE(word, member) BSPI_MEMBER_##word##_##member,
#define ELEMENT(word, name, place) BSPI_MEMBER_##word##_##name,
#define ELEMENT_OR_NONE(word, name, place) BSPI_MEMBER_##word##_##name,
#define FACT(word, name) BSPI_MEMBER_##word##_##name,
#include "formats/map_manifest.h"
    BSPI_MEMBER_COUNT
};
// clang-format on

#endif
