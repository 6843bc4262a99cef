// SPDX-License-Identifier: MIT
// Tells which of the games that share a branch a map belongs to, by the classes of its entities.
#include "records/file.h"

#include "core/bits.h"
#include "core/reader.h"
#include "formats/rules.h"

#include <assert.h>
#include <string.h>

static const char key[] = "\"classname\"";

// Finds the next class name from *at on, up to its closing quote or the end.
static bool next_class(bsp_bytes text, size_t *at, bsp_bytes *name) {
    size_t size = sizeof key - 1;
    for (size_t i = *at; i + size < text.size; i++) {
        if (text.data[i] != '"' || memcmp(text.data + i, key, size) != 0) {
            continue;
        }
        i += size;
        while (i < text.size && text.data[i] <= ' ') {
            i++;
        }
        if (i < text.size && text.data[i] == '"') {
            *at = i + 1;
            *name = bspi_slice(text, i + 1, text.size - i - 1);
            const uint8_t *end = memchr(name->data, '"', name->size);
            name->size = end == NULL ? name->size : (size_t)(end - name->data);
            return true;
        }
    }
    return false;
}

#define NEVER (1u << BSP_GAME_CLASSES) // the map has a class that no map of the game has

static bool begins(bsp_bytes name, const char *start) {
    size_t size = strlen(start);
    return size <= name.size && memcmp(name.data, start, size) == 0;
}

// Returns a bit for each class of a game that the name begins with.
static unsigned match(const bsp_game *game, bsp_bytes name) {
    unsigned bits = game->never != NULL && begins(name, game->never) ? NEVER : 0;
    for (unsigned c = 0; c < BSP_GAME_CLASSES && game->classes[c] != NULL; c++) {
        bits |= begins(name, game->classes[c]) ? 1u << c : 0;
    }
    return bits;
}

static bool may_be(const bsp_game *game, unsigned found, uint32_t version) {
    bool enough = game->needs == 0 || ((found & 1) != 0 && bspi_count_bits(found) >= game->needs);
    return version >= game->low && version <= game->high && enough && (found & NEVER) == 0;
}

// Returns the game with most classes; NULL if two have as many.
static const bsp_game *choose(const unsigned found[BSPI_MOST_GAMES], uint32_t version) {
    const bsp_game *best = NULL;
    unsigned most = 0;
    const bsp_game *game;
    for (size_t i = 0; i < BSPI_MOST_GAMES && (game = bsp_game_at(i)) != NULL; i++) {
        unsigned count = may_be(game, found[i], version) ? bspi_count_bits(found[i]) : 0;
        if (count != 0 && count >= most) {
            best = count > most ? game : NULL;
            most = count;
        }
    }
    return best;
}

const bsp_game *bsp_file_game(const bsp_file *file) {
    assert(file != NULL);
    unsigned found[BSPI_MOST_GAMES] = {0};
    const bsp_game *game;
    bsp_bytes text, name;
    uint32_t n = bsp_file_find_id(file, BSP_ID_ENTITIES);
    if (file->game != NULL) {
        return file->game;
    }
    if (!bsp_branch_traits(file->info.detection.branch)->told_games || n == BSP_NONE ||
        !bsp_file_data(file, n, &text, NULL)) {
        return NULL;
    }
    for (size_t at = 0; next_class(text, &at, &name);) {
        for (size_t i = 0; i < BSPI_MOST_GAMES && (game = bsp_game_at(i)) != NULL; i++) {
            found[i] |= match(game, name);
        }
    }
    return choose(found, file->info.detection.version);
}
