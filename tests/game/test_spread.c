/* SPDX-License-Identifier: MIT */
/*
 * The Stress Lab makes one long frame of its work, or spreads it: a spike of the CSV becomes a
 * plateau. The clock is counted, so that the figures are the same in every run.
 */
#include "program.h"

/* What the CSV says of the frames from one on. */
struct shape {
    double most; /* work of a frame, ms */
    int busy;    /* frames with more than 2 ms of it */
    int hitches;
    int cancelled, cancelled_most; /* flows: in all, and in a frame */
    int cancelling;                /* frames in which any were */
};

/* Runs the lab with a script, and looks at the frames from `from` on. */
static struct shape lab_shape(const char *script, int from)
{
    struct shape shape = {0};
    long length = 0;
    write_text("spread_script.txt", script);
    assert_int_equal(run_game("spread", "--scene lab --seed 4 --no-draw --clock counted --frames "
                                        "200 --script spread_script.txt --profile-csv spread.csv"),
                     0);
    char *text = read_file("spread.csv", &length);
    assert_non_null(text);
    for (const char *row = strchr(text, '\n') + 1; *row != '\0'; row = strchr(row, '\n') + 1) {
        double work = atof(csv_field(row, CSV_WORK));
        int cancelled = atoi(csv_field(row, CSV_CANCELLED));
        if (atoi(csv_field(row, CSV_FRAME)) < from) {
            continue;
        }
        shape.most = work > shape.most ? work : shape.most;
        shape.busy += work > 2.0;
        shape.hitches += strncmp(csv_field(row, CSV_TAGS), "hitch", 5) == 0;
        shape.cancelled += cancelled;
        shape.cancelled_most = cancelled > shape.cancelled_most ? cancelled : shape.cancelled_most;
        shape.cancelling += cancelled > 0;
    }
    free(text);
    return shape;
}

/* A plan of 120 pieces of 0.5 ms, where the flows of a frame may take 6 ms. */
static void a_plan_that_yields_over_budget_turns_its_spike_into_a_plateau(void **state)
{
    (void)state;
    struct shape spike = lab_shape("100 press nova\n102 release nova\n", 40);
    assert_true(spike.most >= 60.0 && spike.most < 61.0);
    assert_int_equal(spike.busy, 1);
    assert_int_equal(spike.hitches, 1);
    struct shape plateau = lab_shape("90 press dash\n92 release dash\n"
                                     "100 press nova\n102 release nova\n",
                                     40);
    assert_true(plateau.most >= 6.0 && plateau.most < 6.5);
    assert_int_equal(plateau.busy, 10);
    assert_int_equal(plateau.hitches, 0);
}

/* Two thousand embers end: in one frame, or a hundred in each. */
static void a_cancel_that_is_gradual_turns_its_spike_into_a_plateau(void **state)
{
    static const char at_once[] = "10 hold right 1.0\n55 release right\n"
                                  "150 press confirm\n152 release confirm\n";
    static const char spread[] = "10 hold right 1.0\n55 release right\n"
                                 "140 press dash\n142 release dash\n"
                                 "150 press confirm\n152 release confirm\n";
    (void)state;
    struct shape spike = lab_shape(at_once, 150);
    assert_int_equal(spike.cancelling, 1);
    assert_int_equal(spike.cancelled_most, 2000);
    struct shape plateau = lab_shape(spread, 150);
    assert_int_equal(plateau.cancelling, 20);
    assert_int_equal(plateau.cancelled_most, 100);
    assert_int_equal(plateau.cancelled, 2000);
    assert_true(spike.most > 0.5 && plateau.most < 0.3); /* what it takes to resume all is 0.2 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_that_yields_over_budget_turns_its_spike_into_a_plateau),
        cmocka_unit_test(a_cancel_that_is_gradual_turns_its_spike_into_a_plateau),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
