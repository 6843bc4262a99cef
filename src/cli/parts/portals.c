// SPDX-License-Identifier: MIT
// The state of area portals that options give.
#include "cli/parts/portals.h"

#include <stdlib.h>
#include <string.h>

bsp_text cli_value_of_number(const bsp_map *map, uint32_t entity, const char *key) {
    bool has = entity != BSP_NONE && map->entities != NULL && entity < map->entities->count;
    return has ? bsp_entity_value(&map->entities->list[entity], key) : (bsp_text){"", 0};
}

// Returns true if a word means a portal: its number, the name of its entity, or "all".
static bool means(const bsp_map *map, const bsp_area_link *link, bsp_text word) {
    int64_t key;
    if (bsp_text_equal(word, bsp_text_of("all"))) {
        return true;
    }
    if (bsp_parse_int(word, &key)) {
        return key == link->key;
    }
    bsp_text name = cli_value_of_number(map, link->entity, "targetname");
    return name.size == word.size && memcmp(name.data, word.data, name.size) == 0;
}

static bool set_portals(const char *path, const bsp_map *map, const char *words, bool to,
                        cli_portals *p) {
    for (const char *text = words == NULL ? "" : words; *(text += strspn(text, ", ")) != '\0';) {
        bsp_text word = {text, strcspn(text, ", ")};
        bool found =
            bsp_text_equal(word, bsp_text_of("none")) || bsp_text_equal(word, bsp_text_of("all"));
        for (uint32_t i = 0; i < p->links->count; i++) {
            if (means(map, &p->links->list[i], word)) {
                p->open[i] = to;
                p->given[i] = true;
                found = true;
            }
        }
        if (!found) {
            cli_message(path, "there is no area portal '%.*s'; bspkit query areas lists them",
                        (int)word.size, word.data);
            return false;
        }
        text += word.size;
    }
    return true;
}

cli_status cli_portals_find(const char *path, const bsp_map *map, const char *open,
                            const char *closed, cli_portals *p) {
    bsp_error error;
    *p = (cli_portals){.links = bsp_area_links_find(map, NULL, &error)};
    if (p->links == NULL) {
        return cli_report(path, &error);
    }
    p->open = malloc(((size_t)p->links->count + 1) * sizeof *p->open);
    p->given = calloc((size_t)p->links->count + 1, sizeof *p->given);
    p->groups = malloc(((size_t)p->links->num_areas + 1) * sizeof *p->groups);
    if (p->open == NULL || p->given == NULL || p->groups == NULL) {
        cli_message(path, "no memory");
        return CLI_FAILED;
    }
    for (uint32_t i = 0; i < p->links->count; i++) {
        p->open[i] = p->links->list[i].open;
    }
    if (!set_portals(path, map, open, true, p) || !set_portals(path, map, closed, false, p)) {
        return CLI_USAGE;
    }
    p->num_groups = bsp_area_links_flood(p->links, p->open, p->groups);
    return CLI_DONE;
}

void cli_portals_free(cli_portals *p) {
    bsp_area_links_free(p->links);
    free(p->open);
    free(p->given);
    free(p->groups);
}
