/* SPDX-License-Identifier: MIT */
/* The wordmark is a grid of cells, each CELL pixels wide and high: '#' is full, a letter keeps one
 * corner of the cell (a: lower right, b: lower left, c: upper right, d: upper left), which makes
 * the diagonals. Above the middle it burns from white to ember, below it cools from magenta to
 * violet, and a thin line of embers cuts through all of it and runs out on both sides. */
#include "logo.h"

#include "palette.h"

enum {
    CELL = 5,
    GRID_COLUMNS = 84,
    GRID_ROWS = 12,
    MARGIN_X = 40,
    MARGIN_Y = 12,
    WIDTH = GRID_COLUMNS * CELL + 2 * MARGIN_X,
    HEIGHT = GRID_ROWS * CELL + 2 * MARGIN_Y,
    MIDDLE = HEIGHT / 2, /* the line is the rows MIDDLE - 1 and MIDDLE */
    CUT = 1,             /* half the height of the gap around the line */
    FADE = 36,
    HALO_RADIUS = 11,
    HALO_STRENGTH = 120
};

static const char *const grid[GRID_ROWS] = {
    "a#######..##b....a##..#######b..a#######..#######b..##........##..##....##..a#######",
    "########..###b..a###..########..########..########..##........##..##b...##..########",
    "##d.......####ba####..##d..c##..##d.......##d..c##..##........##..###b..##..##d.....",
    "##........##c####d##..##....##..##........##....##..##........##..####b.##..##......",
    "##b.......##.c##d.##..##b..a##..##b.......##b..a##..##........##..##c##b##..##b.....",
    "######b...##..cd..##..#######d..######b...########..##........##..##.c####..######b.",
    "######d...##......##..#######b..######d...#######d..##........##..##..c###..######d.",
    "##d.......##......##..##d..c##..##d.......##dc##b...##........##..##...c##..##d.....",
    "##........##......##..##....##..##........##..c##b..##........##..##....##..##......",
    "##b.......##......##..##b..a##..##b.......##...c##..##b.......##..##....##..##b.....",
    "########..##......##..########..########..##....##..########..##..##....##..########",
    "c#######..##......##..#######d..c#######..##....##..c#######..##..##....##..c#######",
};

/* Is the pixel of the letters' plane inside a letter? */
static bool is_letter(int x, int y)
{
    if (x < 0 || y < 0 || x >= GRID_COLUMNS * CELL || y >= GRID_ROWS * CELL) {
        return false;
    }
    int u = x % CELL;
    int v = y % CELL;
    switch (grid[y / CELL][x / CELL]) {
    case '#':
        return true;
    case 'a':
        return u + v >= CELL - 1;
    case 'b':
        return v >= u;
    case 'c':
        return u >= v;
    case 'd':
        return u + v <= CELL - 1;
    default:
        return false;
    }
}

static struct color named(enum palette_index index)
{
    return palette[index].color;
}

/* The colour of a row of the letters, 0 at the top. */
static struct color row_color(int y)
{
    const int half = GRID_ROWS * CELL / 2;
    const int third = half / 3;
    if (y < third) {
        return palette_mix(named(PALETTE_WHITE), named(PALETTE_GOLD), y, third);
    }
    if (y < half) {
        return palette_mix(named(PALETTE_GOLD), named(PALETTE_EMBER), y - third, half - third);
    }
    if (y < half + third) {
        return named(PALETTE_MAGENTA);
    }
    return palette_mix(named(PALETTE_MAGENTA), named(PALETTE_VIOLET), y - half - third,
                       half - third);
}

static void draw_letters(const struct image *image)
{
    for (int y = 0; y < HEIGHT; y++) {
        if (y >= MIDDLE - 1 - CUT && y <= MIDDLE + CUT) {
            continue;
        }
        for (int x = 0; x < WIDTH; x++) {
            int column = x - MARGIN_X;
            int row = y - MARGIN_Y;
            if (!is_letter(column, row)) {
                continue;
            }
            bool lit = !is_letter(column, row - 1) || !is_letter(column - 1, row);
            struct color color = row_color(row);
            if (lit) {
                color = palette_mix(color, named(PALETTE_WHITE), 5, 8);
            }
            *image_at(image, x, y) = color;
        }
    }
}

/* Paints the line in one colour over the whole width. */
static void draw_line(const struct image *image, struct color color)
{
    for (int x = 0; x < WIDTH; x++) {
        *image_at(image, x, MIDDLE - 1) = color;
        *image_at(image, x, MIDDLE) = color;
    }
}

/* Lets the picture run out towards its left and right end. */
static void fade_ends(const struct image *image)
{
    for (int x = 0; x < WIDTH; x++) {
        int end = x < WIDTH - 1 - x ? x : WIDTH - 1 - x;
        for (int y = 0; y < HEIGHT && end < FADE; y++) {
            struct color *pixel = image_at(image, x, y);
            pixel->a = (uint8_t)(pixel->a * end / FADE);
        }
    }
}

bool logo_draw(struct image *image)
{
    struct color clear = {0, 0, 0, 0};
    if (!image_init(image, WIDTH, HEIGHT, clear)) {
        return false;
    }
    draw_letters(image);
    draw_line(image, named(PALETTE_EMBER)); /* for the colour of its halo */
    if (!image_add_halo(image, HALO_RADIUS, HALO_STRENGTH)) {
        image_fini(image);
        return false;
    }
    draw_line(image, palette_mix(named(PALETTE_GOLD), named(PALETTE_WHITE), 5, 8));
    fade_ends(image);
    return true;
}
