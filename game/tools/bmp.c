/* SPDX-License-Identifier: MIT */
/* BITMAPV4HEADER with bit masks: the oldest header that says where alpha is, which SDL_LoadBMP and
 * image editors honour. Rows run from the bottom, as every reader supports. */
#include "bmp.h"

#include "output.h"

enum {
    FILE_HEADER_BYTES = 14,
    INFO_HEADER_BYTES = 108,
    HEADER_BYTES = FILE_HEADER_BYTES + INFO_HEADER_BYTES,
    COMPRESSION_BITFIELDS = 3,
    PIXELS_PER_METRE = 2835,
    COLOR_SPACE_SRGB = 0x73524742,
    ENDPOINTS_AND_GAMMA_BYTES = 36 + 12
};

static void write_headers(struct output *output, const struct image *image)
{
    uint32_t pixel_bytes = (uint32_t)image->width * (uint32_t)image->height * 4u;
    output_text(output, "BM");
    output_u32(output, HEADER_BYTES + pixel_bytes);
    output_u32(output, 0);
    output_u32(output, HEADER_BYTES);

    output_u32(output, INFO_HEADER_BYTES);
    output_u32(output, (uint32_t)image->width);
    output_u32(output, (uint32_t)image->height);
    output_u16(output, 1);
    output_u16(output, 32);
    output_u32(output, COMPRESSION_BITFIELDS);
    output_u32(output, pixel_bytes);
    output_u32(output, PIXELS_PER_METRE);
    output_u32(output, PIXELS_PER_METRE);
    output_u32(output, 0);
    output_u32(output, 0);
    output_u32(output, 0x00ff0000u);
    output_u32(output, 0x0000ff00u);
    output_u32(output, 0x000000ffu);
    output_u32(output, 0xff000000u);
    output_u32(output, COLOR_SPACE_SRGB);
    for (int i = 0; i < ENDPOINTS_AND_GAMMA_BYTES; i++) {
        output_u8(output, 0);
    }
}

bool bmp_write(const struct image *image, const char *folder, const char *name)
{
    struct output output;
    output_open(&output, folder, name);
    write_headers(&output, image);
    for (int y = image->height - 1; y >= 0; y--) {
        for (int x = 0; x < image->width; x++) {
            const struct color *pixel = image_at(image, x, y);
            output_u8(&output, pixel->b);
            output_u8(&output, pixel->g);
            output_u8(&output, pixel->r);
            output_u8(&output, pixel->a);
        }
    }
    return output_close(&output);
}
