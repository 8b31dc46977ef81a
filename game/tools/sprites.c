/* SPDX-License-Identifier: MIT */
/* From text grids to cells: unfold the mirrors, look up the colours, light the halo. */
#include "sprites.h"

#include "art.h"
#include "logo.h"
#include "palette.h"

#include <string.h>

enum { HALO_RADIUS = 4, HALO_STRENGTH = 130, HALO_MARGIN = 3 };

/* The grid's column or row for a position in the unfolded picture. */
static int unfold(int position, int half)
{
    return position < half ? position : 2 * half - 2 - position;
}

static char swapped(char letter, const char *swap)
{
    for (; swap && *swap; swap += 2) {
        if (*swap == letter) {
            return swap[1];
        }
    }
    return letter;
}

/* The size of a grid; false, with one line printed, when its rows are not all of one length. */
static bool measure(const struct art *art, int *columns, int *rows)
{
    size_t length = strcspn(art->rows, "\n");
    *columns = (int)length;
    *rows = 0;
    for (const char *row = art->rows; *row; row += length + 1) {
        if (strcspn(row, "\n") != length || row[length] == '\0') {
            (void)fprintf(stderr, "make_assets: row %d of %s has another length\n", *rows,
                          art->name);
            return false;
        }
        (*rows)++;
    }
    return true;
}

static char letter_at(const struct art *art, int columns, int x, int y)
{
    size_t row_bytes = (size_t)columns + 1;
    return swapped(art->rows[(size_t)y * row_bytes + (size_t)x], art->swap);
}

static bool paint(struct image *image, const struct art *art)
{
    int columns = 0;
    int rows = 0;
    if (!measure(art, &columns, &rows)) {
        return false;
    }
    int margin = art->flags & ART_HALO ? HALO_MARGIN : 0;
    int width = art->flags & ART_MIRROR_X ? 2 * columns - 1 : columns;
    int height = art->flags & ART_MIRROR_Y ? 2 * rows - 1 : rows;
    struct color clear = {0, 0, 0, 0};
    if (!image_init(image, width + 2 * margin, height + 2 * margin, clear)) {
        return output_no_memory();
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            char letter = letter_at(art, columns, unfold(x, columns), unfold(y, rows));
            *image_at(image, x + margin, y + margin) = palette_letter(letter);
        }
    }
    if (art->flags & ART_HALO && !image_add_halo(image, HALO_RADIUS, HALO_STRENGTH)) {
        image_fini(image);
        return output_no_memory();
    }
    return true;
}

static bool add_art(struct atlas *atlas, const struct art *art)
{
    struct image image;
    if (!paint(&image, art)) {
        return false;
    }
    bool added = atlas_add(atlas, art->name, &image);
    if (added && art->flags & ART_FLASH) {
        char name[32];
        (void)snprintf(name, sizeof name, "%s_flash", art->name);
        image_whiten(&image);
        added = atlas_add(atlas, name, &image);
    }
    image_fini(&image);
    return added;
}

static bool add_list(struct atlas *atlas, struct art_list list)
{
    for (int i = 0; i < list.count; i++) {
        if (!add_art(atlas, &list.items[i])) {
            return false;
        }
    }
    return true;
}

static bool add_logo(struct atlas *atlas)
{
    struct image image;
    if (!logo_draw(&image)) {
        return output_no_memory();
    }
    bool added = atlas_add(atlas, "logo", &image);
    image_fini(&image);
    return added;
}

bool sprites_draw(struct atlas *atlas)
{
    struct color clear = {0, 0, 0, 0};
    if (!atlas_init(atlas, "sprites.bmp", 512, 208, clear)) {
        return output_no_memory();
    }
    if (!add_logo(atlas)) {
        return false;
    }
    atlas_new_shelf(atlas);
    return add_list(atlas, art_boss()) && add_list(atlas, art_actors()) &&
           add_list(atlas, art_items());
}
