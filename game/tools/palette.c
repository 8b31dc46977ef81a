/* SPDX-License-Identifier: MIT */
/* Dark blues to stand on, cold colours for the player, warm ones for what burns. */
#include "palette.h"

#include "output.h"

const struct palette_entry palette[PALETTE_COUNT] = {
    {"navy", 'n', {7, 9, 28, 255}},       {"ink", 'i', {22, 22, 58, 255}},
    {"indigo", 'd', {66, 50, 144, 255}},  {"teal", 't', {18, 118, 150, 255}},
    {"cyan", 'c', {72, 228, 255, 255}},   {"mint", 'f', {118, 255, 172, 255}},
    {"crimson", 'r', {164, 22, 66, 255}}, {"magenta", 'm', {255, 56, 158, 255}},
    {"ember", 'e', {255, 98, 44, 255}},   {"gold", 'g', {255, 206, 84, 255}},
    {"violet", 'v', {158, 92, 255, 255}}, {"white", 'w', {246, 250, 255, 255}},
};

struct color palette_letter(char letter)
{
    for (int i = 0; i < PALETTE_COUNT; i++) {
        if (palette[i].letter == letter) {
            return palette[i].color;
        }
    }
    return (struct color){0, 0, 0, 0};
}

static uint8_t mix_channel(uint8_t from, uint8_t to, int part, int whole)
{
    return (uint8_t)((from * (whole - part) + to * part + whole / 2) / whole);
}

struct color palette_mix(struct color from, struct color to, int part, int whole)
{
    return (struct color){
        mix_channel(from.r, to.r, part, whole), mix_channel(from.g, to.g, part, whole),
        mix_channel(from.b, to.b, part, whole), mix_channel(from.a, to.a, part, whole)};
}

bool palette_write(const char *folder)
{
    struct output output;
    output_open(&output, folder, "palette.txt");
    output_text(&output, "# The palette of EMBERLINE: name red green blue\n");
    for (int i = 0; i < PALETTE_COUNT; i++) {
        char line[64];
        const struct color *color = &palette[i].color;
        (void)snprintf(line, sizeof line, "%s %d %d %d\n", palette[i].name, color->r, color->g,
                       color->b);
        output_text(&output, line);
    }
    return output_close(&output);
}
