// SPDX-License-Identifier: MIT
// How fast a view is drawn: for each map given, pictures of 1280x720 from its player starts, in
// pictures a second with one thread and with two, and the share of each stage of the one; beside
// filling a picture of that size. Times are medians of several repetitions, with least and most,
// summed over the starts (at most 8). The same bytes from one thread and two are checked.
//
//   render [--repeat N] [--plain-code] [--no-vis] [--game DIR]... MAP...
#include "bench.h"

#include "bspkit/bspkit.h"

#include <string.h>

#define WIDTH 1280u
#define HEIGHT 720u
#define MOST_VIEWS 8u
#define MOST_REPEAT 101

typedef struct setting {
    bsp_search *search;
    bsp_draw_options options;
    int repeat;
} setting;

/// Sums over the views of a map, in nanoseconds.
typedef struct sums {
    bench_spread wall[2]; ///< of one thread and of two
    double stages[BSP_DRAW_STAGES];
    uint64_t faces;
    uint64_t triangles;
    uint64_t pixels;
    uint32_t views;
} sums;

static double now(void) {
    return bench_wall() * 1e9;
}

static void add(bench_spread *sum, bench_spread times) {
    sum->least += times.least;
    sum->median += times.median;
    sum->most += times.most;
}

// Draws several times; `stats` are those of the fastest.
static bool draw(const setting *s, const bsp_renderer *renderer, const bsp_view *view,
                 uint32_t threads, bench_spread *spread, bsp_draw_stats *stats, bsp_image *image) {
    bsp_draw_options options = s->options;
    double times[MOST_REPEAT];
    double least = 1e30;
    options.threads = threads;
    image->pixels = NULL;
    for (int i = 0; i < s->repeat; i++) {
        bsp_error error = {0};
        bsp_draw_stats these;
        if (image->pixels != NULL) {
            bsp_image_free(image);
        }
        double start = now();
        if (!bsp_renderer_draw(renderer, view, &options, image, &these, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return false;
        }
        times[i] = now() - start;
        if (times[i] < least) {
            least = times[i];
            *stats = these;
        }
    }
    *spread = bench_spread_of(times, s->repeat);
    return true;
}

static bool draw_view(const setting *s, const bsp_renderer *renderer, const bsp_view *view,
                      sums *all) {
    bsp_draw_stats stats[2];
    bsp_image images[2];
    bench_spread times[2];
    if (!draw(s, renderer, view, 1, &times[0], &stats[0], &images[0]) ||
        !draw(s, renderer, view, 2, &times[1], &stats[1], &images[1])) {
        return false;
    }
    bool same = memcmp(images[0].pixels, images[1].pixels, (size_t)WIDTH * HEIGHT * 4) == 0;
    bsp_image_free(&images[0]);
    bsp_image_free(&images[1]);
    for (int i = 0; i < 2; i++) {
        add(&all->wall[i], times[i]);
    }
    for (int i = 0; i < BSP_DRAW_STAGES; i++) {
        all->stages[i] += (double)stats[0].nanoseconds[i];
    }
    all->faces += stats[0].faces_in_view;
    all->triangles += stats[0].set_up;
    all->pixels += stats[0].pixels;
    all->views++;
    if (!same) {
        fprintf(stderr, "two threads draw another picture than one\n");
    }
    return same;
}

// Draws from every entity whose class begins so: places where players enter, at the height of the
// first.
static bool draw_views(const setting *s, const bsp_map *map, const bsp_renderer *renderer,
                       sums *all) {
    static const char start[] = "info_player_";
    bsp_view view = {.width = WIDTH, .height = HEIGHT};
    float first[3] = {0, 0, 0};
    bsp_view_start(map, &view);
    if (!draw_view(s, renderer, &view, all)) {
        return false;
    }
    float eye = view.from[2];
    for (uint32_t i = 0; map->entities != NULL && i < map->entities->count; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        bsp_text name = bsp_entity_value(entity, "classname");
        float origin[3];
        if (all->views == MOST_VIEWS || name.size < sizeof start - 1 ||
            memcmp(name.data, start, sizeof start - 1) != 0 ||
            !bsp_parse_vector(bsp_entity_value(entity, "origin"), origin)) {
            continue;
        }
        if (all->views == 1 && first[2] == 0) {
            memcpy(first, origin, sizeof first);
            eye -= origin[2];
        }
        memcpy(view.from, origin, sizeof origin);
        view.from[2] += eye > 0 && eye < 100 ? eye : 40;
        view.angles[1] += 77; // starts often look at a wall, so several directions are drawn
        if (!draw_view(s, renderer, &view, all)) {
            return false;
        }
    }
    return true;
}

static double fill_once(uint8_t *picture) {
    double start = now();
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        uint32_t pixel = (uint32_t)i * 3;
        memcpy(picture + i * 4, &pixel, 4);
    }
    volatile uint8_t last = picture[WIDTH * 4];
    (void)last;
    return now() - start;
}

static void print_row(const char *path, const sums *all) {
    const char *slash = strrchr(path, '/');
    double total = 0;
    for (int i = 0; i < BSP_DRAW_STAGES; i++) {
        total += all->stages[i];
    }
    printf("%-28.28s %2u %6llu %7llu %5.2f", slash == NULL ? path : slash + 1, (unsigned)all->views,
           (unsigned long long)(all->faces / all->views),
           (unsigned long long)(all->triangles / all->views),
           (double)all->pixels / all->views / ((double)WIDTH * HEIGHT));
    bench_print(all->wall[0], 1e-6 / all->views, 2);
    printf(" %7.1f %7.1f ", 1e9 * all->views / all->wall[0].median,
           1e9 * all->views / all->wall[1].median);
    for (int i = 0; i < BSP_DRAW_STAGES; i++) {
        printf(" %5.1f", total > 0 ? all->stages[i] / total * 100 : 0);
    }
    printf("\n");
}

static bool measure(const char *path, const setting *s) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
    bsp_renderer_options options = {.search = s->search};
    bsp_renderer *renderer = map == NULL ? NULL : bsp_renderer_build(map, file, &options, &error);
    sums all = {.views = 0};
    bool done = renderer != NULL && draw_views(s, map, renderer, &all);
    if (renderer == NULL) {
        fprintf(stderr, "%s: %s\n", path, error.message);
    } else if (done) {
        print_row(path, &all);
    }
    bsp_renderer_free(renderer);
    bsp_map_free(map);
    bsp_file_close(file);
    return done;
}

// Reads the options before the maps. Returns the index of the first map, or 0 for a wrong line.
static int read_options(int argc, char **argv, setting *s) {
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--plain-code") == 0) {
            s->options.no_simd = true;
        } else if (strcmp(argv[at], "--no-vis") == 0) {
            s->options.no_vis = true;
        } else if (strcmp(argv[at], "--repeat") == 0 && at + 1 < argc) {
            s->repeat = atoi(argv[++at]);
        } else if (strcmp(argv[at], "--game") == 0 && at + 1 < argc) {
            bsp_error error = {0};
            if (!bsp_search_add_game(s->search, argv[++at], &error)) {
                fprintf(stderr, "%s: %s\n", argv[at], error.message);
                return 0;
            }
        } else {
            return 0;
        }
    }
    return at < argc && s->repeat > 0 && s->repeat <= MOST_REPEAT ? at : 0;
}

int main(int argc, char **argv) {
    static uint8_t picture[(size_t)WIDTH * HEIGHT * 4];
    setting s = {.search = bsp_search_new(NULL, NULL), .repeat = 5};
    int first = s.search == NULL ? 0 : read_options(argc, argv, &s);
    if (first == 0) {
        fprintf(stderr, "usage: %s [--repeat N] [--plain-code] [--no-vis] [--game DIR]... MAP...\n",
                argv[0]);
        return 2;
    }
    double fills[9];
    for (int i = 0; i < 9; i++) {
        fills[i] = fill_once(picture);
    }
    printf("filling a picture of %ux%u:", WIDTH, HEIGHT);
    bench_print(bench_spread_of(fills, 9), 1e-6, 2);
    printf(" ms\n%-28s %2s %6s %7s %5s %24s %7s %7s  %5s %5s %5s %5s %5s\n", "map", "n", "faces",
           "tris", "over", "ms (least to most)", "1 thr/s", "2 thr/s", "vis%", "geom%", "rast%",
           "sky%", "out%");
    bool done = true;
    for (int i = first; i < argc; i++) {
        done = measure(argv[i], &s) && done;
    }
    bsp_search_free(s.search);
    return done ? 0 : 1;
}
