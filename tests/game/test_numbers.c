/* SPDX-License-Identifier: MIT */
/* PCG32 against its reference, angles against what they mean, colours against the palette's file.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "angle.h"
#include "engine/random.h"
#include "palette.h"

/* The first round of pcg32-demo, seed 42, stream 54. */
static void pcg32_gives_its_reference_values(void **state)
{
    (void)state;
    static const uint32_t expected[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                        0x83d2f293, 0xbfa4784b, 0xcbed606e};
    struct engine_random random;
    engine_random_seed(&random, 42, 54);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(engine_random_bits(&random), expected[i]);
    }
}

static void streams_differ_and_repeat(void **state)
{
    (void)state;
    struct engine_random a, b, c;
    engine_random_seed(&a, 7, 1);
    engine_random_seed(&b, 7, 1);
    engine_random_seed(&c, 7, 2);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        uint32_t bits = engine_random_bits(&a);
        assert_int_equal(bits, engine_random_bits(&b));
        same += bits == engine_random_bits(&c);
    }
    assert_true(same < 2);
}

static void ranges_hold(void **state)
{
    (void)state;
    struct engine_random random;
    int seen[7] = {0};
    engine_random_seed(&random, 1, 1);
    assert_int_equal(engine_random_below(&random, 0), 0);
    assert_int_equal(engine_random_below(&random, 1), 0);
    for (int i = 0; i < 10000; i++) {
        int n = engine_random_between(&random, -3, 3);
        float u = engine_random_unit(&random);
        float r = engine_random_range(&random, 2.0F, 3.0F);
        assert_in_range(n + 3, 0, 6);
        assert_true(u >= 0.0F && u < 1.0F);
        assert_true(r >= 2.0F && r <= 3.0F);
        seen[n + 3]++;
    }
    for (int i = 0; i < 7; i++) {
        assert_true(seen[i] > 1200);
    }
}

static void sine_and_cosine_are_near_the_true_ones(void **state)
{
    (void)state;
    for (int i = 0; i < 65536; i++) {
        double radians = i * (3.14159265358979 / 32768.0);
        assert_true(fabs((double)angle_sin((angle)i) - sin(radians)) < 0.0002);
        assert_true(fabs((double)angle_cos((angle)i) - cos(radians)) < 0.0002);
    }
}

static void a_vector_gives_its_angle_back(void **state)
{
    (void)state;
    for (int i = 0; i < 65536; i++) {
        int back = (int16_t)(uint16_t)(angle_of(angle_vector((angle)i, 50.0F)) - i);
        assert_true(abs(back) <= 2);
    }
    assert_int_equal(angle_of(vec(0.0F, 0.0F)), 0);
}

static void turning_goes_the_short_way_and_never_too_far(void **state)
{
    (void)state;
    assert_int_equal(angle_towards(0, 1000, 300), 300);
    assert_int_equal(angle_towards(0, 65000, 300), 65236);
    assert_int_equal(angle_towards(65500, 100, 1000), 100);
    assert_int_equal(angle_towards(5, 5, 1000), 5);
}

/* The folder of the assets is found from the test's own file. */
static FILE *open_palette(void)
{
    char path[1024];
    const char *end = strstr(__FILE__, "tests/game/");
    int length = end != NULL ? (int)(end - __FILE__) : 0;
    (void)snprintf(path, sizeof path, "%.*sassets/palette.txt", length, __FILE__);
    return fopen(path, "r");
}

static void the_palette_is_that_of_the_assets(void **state)
{
    (void)state;
    char line[128];
    int count = 0;
    FILE *file = open_palette();
    if (file == NULL) {
        skip();
    }
    while (fgets(line, sizeof line, file) != NULL) {
        char name[32];
        unsigned r = 0, g = 0, b = 0;
        if (line[0] == '#') {
            continue;
        }
        assert_int_equal(sscanf(line, "%31s %u %u %u", name, &r, &g, &b), 4);
        assert_true(count < COLOR_COUNT);
        struct engine_color c = color((enum palette)count);
        assert_string_equal(name, palette_name((enum palette)count));
        assert_true(c.r == r && c.g == g && c.b == b && c.a == 255);
        count++;
    }
    (void)fclose(file);
    assert_int_equal(count, COLOR_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pcg32_gives_its_reference_values),
        cmocka_unit_test(streams_differ_and_repeat),
        cmocka_unit_test(ranges_hold),
        cmocka_unit_test(sine_and_cosine_are_near_the_true_ones),
        cmocka_unit_test(a_vector_gives_its_angle_back),
        cmocka_unit_test(turning_goes_the_short_way_and_never_too_far),
        cmocka_unit_test(the_palette_is_that_of_the_assets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
