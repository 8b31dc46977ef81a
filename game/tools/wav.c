/* SPDX-License-Identifier: MIT */
/* The plain RIFF form: one fmt chunk of 16 bytes, one data chunk. */
#include "wav.h"

#include "output.h"

bool wav_write(const struct clip *clip, const char *folder, const char *name)
{
    struct output output;
    uint32_t data_bytes = (uint32_t)clip->count * 2u;
    output_open(&output, folder, name);
    output_text(&output, "RIFF");
    output_u32(&output, 36u + data_bytes);
    output_text(&output, "WAVEfmt ");
    output_u32(&output, 16);
    output_u16(&output, 1);
    output_u16(&output, 1);
    output_u32(&output, SYNTH_RATE);
    output_u32(&output, SYNTH_RATE * 2);
    output_u16(&output, 2);
    output_u16(&output, 16);
    output_text(&output, "data");
    output_u32(&output, data_bytes);
    for (int i = 0; i < clip->count; i++) {
        output_u16(&output, (uint32_t)clip->samples[i] & 0xffffu);
    }
    return output_close(&output);
}
