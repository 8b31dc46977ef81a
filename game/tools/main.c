/* SPDX-License-Identifier: MIT */
/* make_assets OUTDIR: draws and synthesises every asset of EMBERLINE. The folder must exist with
 * images, sounds and fonts in it. The same bytes come out on every machine. Exit codes: 0 done,
 * 1 something could not be written, 2 bad usage. */
#include "bmp.h"
#include "font.h"
#include "glow.h"
#include "output.h"
#include "palette.h"
#include "sounds.h"
#include "sprites.h"

static bool write_layout(const char *folder, const struct atlas *sprites, const struct atlas *glow)
{
    struct output output;
    output_open(&output, folder, "images/sprites.txt");
    output_text(&output,
                "# The cells of the atlases: name file x y w h\n"
                "# A cell's middle is the sprite's middle. What has a direction looks up;\n"
                "# streaks have their head on the right. _flash is the same cell in white.\n");
    atlas_list(sprites, &output);
    atlas_list(glow, &output);
    return output_close(&output);
}

static bool write_images(const char *folder)
{
    struct atlas sprites = {0};
    struct atlas glow = {0};
    bool written = sprites_draw(&sprites) && glow_draw(&glow) &&
                   bmp_write(&sprites.image, folder, "images/sprites.bmp") &&
                   bmp_write(&glow.image, folder, "images/glow.bmp") &&
                   write_layout(folder, &sprites, &glow);
    atlas_fini(&sprites);
    atlas_fini(&glow);
    return written;
}

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-' || argv[1][0] == '\0') {
        (void)fprintf(stderr,
                      "usage: make_assets OUTDIR (a folder with images, sounds and fonts)\n");
        return 2;
    }
    const char *folder = argv[1];
    bool written = palette_write(folder) && write_images(folder) && font_write(folder) &&
                   sounds_write(folder) && music_write(folder);
    return written ? 0 : 1;
}
