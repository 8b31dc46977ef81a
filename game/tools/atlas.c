/* SPDX-License-Identifier: MIT */
/* Shelves in the order of adding: the layout is as easy to follow as the list in the source, and
 * adding a cell at the end moves no other. A gap around each cell keeps linear filters clean. */
#include "atlas.h"

bool atlas_init(struct atlas *atlas, const char *file, int width, int height, struct color fill)
{
    *atlas = (struct atlas){.file = file, .pen_x = ATLAS_GAP, .pen_y = ATLAS_GAP};
    return image_init(&atlas->image, width, height, fill);
}

void atlas_fini(struct atlas *atlas)
{
    image_fini(&atlas->image);
}

void atlas_new_shelf(struct atlas *atlas)
{
    atlas->pen_x = ATLAS_GAP;
    atlas->pen_y += atlas->shelf_height + ATLAS_GAP;
    atlas->shelf_height = 0;
}

bool atlas_add(struct atlas *atlas, const char *name, const struct image *picture)
{
    if (atlas->pen_x + picture->width + ATLAS_GAP > atlas->image.width) {
        atlas_new_shelf(atlas);
    }
    if (atlas->count == ATLAS_CELLS_MAX ||
        atlas->pen_x + picture->width + ATLAS_GAP > atlas->image.width ||
        atlas->pen_y + picture->height + ATLAS_GAP > atlas->image.height) {
        (void)fprintf(stderr, "make_assets: %s does not fit into %s\n", name, atlas->file);
        return false;
    }
    struct atlas_cell *cell = &atlas->cells[atlas->count++];
    *cell = (struct atlas_cell){
        .x = atlas->pen_x, .y = atlas->pen_y, .width = picture->width, .height = picture->height};
    (void)snprintf(cell->name, sizeof cell->name, "%s", name);
    image_copy(&atlas->image, cell->x, cell->y, picture);
    atlas->pen_x += picture->width + ATLAS_GAP;
    if (picture->height > atlas->shelf_height) {
        atlas->shelf_height = picture->height;
    }
    return true;
}

void atlas_list(const struct atlas *atlas, struct output *output)
{
    for (int i = 0; i < atlas->count; i++) {
        char line[128];
        const struct atlas_cell *cell = &atlas->cells[i];
        (void)snprintf(line, sizeof line, "%s %s %d %d %d %d\n", cell->name, atlas->file, cell->x,
                       cell->y, cell->width, cell->height);
        output_text(output, line);
    }
}
