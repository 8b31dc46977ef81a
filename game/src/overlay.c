/* SPDX-License-Identifier: MIT */
#include "overlay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "game.h"

enum { PANEL_Y = 28, BARS_X = 8, BARS_Y = 44, BARS_HEIGHT = 50, BAR_WIDTH = 2, NOTE_FRAMES = 180 };

static const char trace_path[] = "emberline_trace.json";
static const char text_path[] = "emberline_overlay.txt";

const struct engine_color overlay_white = {255, 255, 255, 255};

/* Of the parts that a frame's work is stacked from: the profiler's columns, and what is in none. */
static const enum palette part_colors[FLOW_PROFILE_COLUMNS + 1] = {
    COLOR_TEAL, COLOR_CYAN, COLOR_MINT, COLOR_VIOLET, COLOR_GOLD, COLOR_MAGENTA};
static const char *const part_names[FLOW_PROFILE_COLUMNS + 1] = {"early", "fixed",  "update",
                                                                 "late",  "render", "other"};

/* ---- keys ---- */

static void move_cursor(struct game *game, int by)
{
    struct overlay *overlay = &game->overlay;
    int to = overlay->cursor + by;
    if (to >= 0 && flow_profile_recent(game->profiling.profile, (uint32_t)to) != NULL) {
        overlay->cursor = to;
    }
}

static void tell_unwritten(struct overlay *overlay, const char *path)
{
    (void)snprintf(overlay->note, sizeof overlay->note, "%s: %.30s", path,
                   errno != 0 ? strerror(errno) : "not written whole");
    (void)fprintf(stderr, "emberline: %s\n", overlay->note);
}

/* The trace now; the text when it is drawn. */
static void write_files(struct game *game)
{
    struct overlay *overlay = &game->overlay;
    (void)snprintf(overlay->note, sizeof overlay->note, "written: %s, %s", trace_path, text_path);
    errno = 0;
    if (flow_profile_write_window(game->profiling.profile, trace_path) != FLOW_OK) {
        tell_unwritten(overlay, trace_path);
    }
    overlay->note_frames = NOTE_FRAMES;
    overlay->writes_text = true;
}

static void overlay_early(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct game *game = user;
    struct overlay *overlay = &game->overlay;
    const struct engine_input_state *input = engine_input(engine);
    (void)frame;
    if (engine_pressed(input, ACTION_OVERLAY)) {
        overlay->level = (overlay->level + 1) % OVERLAY_LEVELS;
        overlay->frozen = overlay->frozen && overlay->level > 0;
        overlay->tree_age = 0;
    }
    if (overlay->level == 0 || game->profiling.profile == NULL) {
        return;
    }
    if (engine_pressed(input, ACTION_FREEZE)) {
        overlay->frozen = !overlay->frozen;
        overlay->cursor = 0;
    }
    if (engine_pressed(input, ACTION_TRACE)) {
        write_files(game);
    }
    if (overlay->frozen) {
        move_cursor(game,
                    engine_down(input, ACTION_FRAME_BACK) - engine_down(input, ACTION_FRAME_ON));
    }
}

/* ---- text ---- */

/* What is drawn is also put into lines of characters, where they are to be written. */
static void note_text(const struct overlay *overlay, float x, float y, const char *text)
{
    size_t column = (size_t)(x / ENGINE_GLYPH_SIZE), row = (size_t)y;
    if (overlay->screen != NULL && row < (size_t)ENGINE_HEIGHT && column < OVERLAY_LINE - 1) {
        size_t length = strlen(text), room = OVERLAY_LINE - 1 - column;
        memcpy(&overlay->screen[row][column], text, length < room ? length : room);
    }
}

/* The rows of the screen that have any, without what is blank at their ends. */
static bool write_rows(char (*screen)[OVERLAY_LINE], const char *path)
{
    FILE *file = fopen(path, "wb");
    bool whole = file != NULL;
    for (int row = 0; row < (int)ENGINE_HEIGHT && whole; row++) {
        int length = OVERLAY_LINE - 1;
        while (length > 0 && screen[row][length - 1] == ' ') {
            length--;
        }
        whole = length == 0 || fprintf(file, "%.*s\n", length, screen[row]) > 0;
    }
    return file != NULL && fclose(file) == 0 && whole;
}

void overlay_text(struct game *game, float x, float y, struct engine_color color, const char *text)
{
    char line[OVERLAY_LINE];
    int room = (int)((ENGINE_WIDTH - x) / ENGINE_GLYPH_SIZE);
    (void)snprintf(line, sizeof line, "%.*s", room < OVERLAY_LINE ? room : OVERLAY_LINE - 1, text);
    game_text(game, x, y, 1.0F, color, ENGINE_ALIGN_LEFT, line);
    note_text(&game->overlay, x, y, line);
}

/* Pixels of so much time: the budget of 60 Hz is half of the height. */
static float bar_height(int64_t ns)
{
    float height = (float)ns / (2e9F / 60.0F) * (float)BARS_HEIGHT;
    return clampf(height, 0.0F, (float)BARS_HEIGHT);
}

static void draw_bar(struct game *game, const flow_profile_frame *frame, float x)
{
    int64_t other = frame->work_ns, below = 0;
    for (int i = 0; i < FLOW_PROFILE_COLUMNS; i++) {
        other -= frame->column_ns[i];
    }
    for (int i = 0; i <= FLOW_PROFILE_COLUMNS; i++) {
        int64_t part = i < FLOW_PROFILE_COLUMNS ? frame->column_ns[i] : other > 0 ? other : 0;
        float from = bar_height(below), to = bar_height(below + part);
        struct engine_rect rect = {x, (float)(BARS_Y + BARS_HEIGHT) - to, (float)BAR_WIDTH,
                                   to - from};
        if (to - from >= 0.25F) {
            engine_draw_rect(game->engine, rect, color(part_colors[i]));
        }
        below += part;
    }
    if (frame->marks & FLOW_PROFILE_HITCH) {
        struct engine_rect tick = {x - 1.0F, (float)BARS_Y - 5.0F, (float)BAR_WIDTH + 2.0F, 4.0F};
        engine_draw_rect(game->engine, tick, color(COLOR_EMBER));
    }
}

static float bar_x(int age)
{
    return (float)(BARS_X + BAR_WIDTH * (FLOW_PROFILE_FRAMES - 1 - age));
}

static void draw_bars(struct game *game)
{
    const flow_profile_frame *frame;
    struct engine_rect back = {(float)BARS_X, (float)BARS_Y,
                               (float)(BAR_WIDTH * FLOW_PROFILE_FRAMES), (float)BARS_HEIGHT};
    struct engine_rect budget = {back.x, back.y + back.h / 2.0F, back.w, 1.0F};
    engine_draw_clear_part(game->engine, back, color(COLOR_NAVY));
    for (int age = 0; age < FLOW_PROFILE_FRAMES; age++) {
        frame = flow_profile_recent(game->profiling.profile, (uint32_t)age);
        if (frame != NULL) {
            draw_bar(game, frame, bar_x(age));
        }
    }
    engine_draw_rect(game->engine, budget, color_faded(COLOR_WHITE, 0.6F));
    if (game->overlay.frozen) {
        struct engine_rect cursor = {bar_x(game->overlay.cursor) - 2.0F, back.y - 2.0F,
                                     (float)BAR_WIDTH + 4.0F, back.h + 4.0F};
        engine_draw_frame(game->engine, cursor, 1.0F, color(COLOR_WHITE));
    }
}

static void draw_legend(struct game *game)
{
    char text[40];
    for (int i = 0; i <= FLOW_PROFILE_COLUMNS; i++) {
        int row = i / 2, column = i % 2;
        float x = 500.0F + 70.0F * (float)column, y = (float)BARS_Y + 10.0F * (float)row;
        struct engine_rect box = {x, y + 1.0F, 6.0F, 6.0F};
        engine_draw_rect(game->engine, box, color(part_colors[i]));
        overlay_text(game, x + 10.0F, y, overlay_white, part_names[i]);
    }
    (void)snprintf(text, sizeof text, "overlay %.3f", (double)game->overlay.own_ns / 1e6);
    overlay_text(game, 500.0F, (float)BARS_Y + 32.0F, color(COLOR_VIOLET), text);
    overlay_text(game, 500.0F, (float)BARS_Y + 42.0F, color(COLOR_GOLD),
                 game->overlay.frozen ? "frozen: , . F4" : "F4 freeze");
}

/* ---- figures ---- */

static int compare_ns(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The frame that is spoken of: that under the cursor, or the last. */
static const flow_profile_frame *shown_frame(const struct game *game)
{
    const struct overlay *overlay = &game->overlay;
    return flow_profile_recent(game->profiling.profile,
                               overlay->frozen ? (uint32_t)overlay->cursor : 0);
}

static void draw_figures(struct game *game)
{
    int64_t work[FLOW_PROFILE_FRAMES], total = 0;
    int count = 0;
    char text[OVERLAY_LINE];
    const flow_profile_frame *shown = shown_frame(game), *frame;
    while ((frame = flow_profile_recent(game->profiling.profile, (uint32_t)count)) != NULL) {
        work[count++] = frame->work_ns;
        total += frame->total_ns;
    }
    if (shown == NULL) {
        overlay_text(game, (float)BARS_X, (float)PANEL_Y + 3.0F, overlay_white, "no frames");
        return;
    }
    int median = (count - 1) / 2, p99 = (count * 99 + 99) / 100 - 1;
    qsort(work, (size_t)count, sizeof work[0], compare_ns);
    (void)snprintf(
        text, sizeof text, "f=%llu work %.2f  p50 %.2f p99 %.2f max %.2f ms  %.0f Hz  %u flows",
        (unsigned long long)shown->number, (double)shown->work_ns / 1e6, (double)work[median] / 1e6,
        (double)work[p99] / 1e6, (double)work[count - 1] / 1e6,
        1e9 * count / (double)(total > 0 ? total : 1), (unsigned)shown->live);
    overlay_text(game, (float)BARS_X, (float)PANEL_Y + 3.0F, overlay_white, text);
}

/* A hitch is worse than what is none; of hitches the longest, which need not be work. */
static bool is_worse(const flow_profile_frame *frame, const flow_profile_frame *than)
{
    bool hitch = frame->marks & FLOW_PROFILE_HITCH;
    if (hitch != ((than->marks & FLOW_PROFILE_HITCH) != 0)) {
        return hitch;
    }
    return hitch ? frame->total_ns > than->total_ns : frame->work_ns > than->work_ns;
}

/* While it goes on, the worst frame of the last two seconds: the last one alone would be gone
 * before it is read. */
static const flow_profile_frame *told_frame(const struct game *game)
{
    const flow_profile_frame *frame = shown_frame(game), *worst = frame;
    for (uint32_t age = 0; age < 120 && frame != NULL && !game->overlay.frozen; age++) {
        frame = flow_profile_recent(game->profiling.profile, age);
        worst = frame != NULL && is_worse(frame, worst) ? frame : worst;
    }
    return worst;
}

static void draw_overlay(struct game *game)
{
    struct overlay *overlay = &game->overlay;
    float below = (float)(BARS_Y + BARS_HEIGHT) + 4.0F;
    float height = overlay->level == 1 ? below : overlay->level == 2 ? below + 126.0F : 356.0F;
    struct engine_rect panel = {0.0F, (float)PANEL_Y, ENGINE_WIDTH, height - (float)PANEL_Y};
    engine_draw_camera(game->engine, NULL);
    engine_draw_blend(game->engine, ENGINE_BLEND_ALPHA);
    engine_draw_clear_part(game->engine, panel, color(COLOR_INK));
    draw_figures(game);
    draw_bars(game);
    draw_legend(game);
    if (overlay->level == 2) {
        overlay_draw_culprits(game, told_frame(game), below);
    } else if (overlay->level == 3) {
        overlay_draw_tree(game, below);
    }
    if (overlay->note_frames > 0) {
        overlay->note_frames--;
        overlay_text(game, (float)BARS_X, (float)BARS_Y + 2.0F, overlay_white, overlay->note);
    }
}

/* Draws it, and writes the same text. */
static void draw_and_write(struct game *game)
{
    char screen[ENGINE_HEIGHT][OVERLAY_LINE];
    struct overlay *overlay = &game->overlay;
    memset(screen, ' ', sizeof screen);
    overlay->screen = screen;
    draw_overlay(game);
    overlay->screen = NULL;
    overlay->writes_text = false;
    errno = 0;
    if (!write_rows(screen, text_path)) {
        tell_unwritten(overlay, text_path);
    }
}

/* Its cost includes what the renderer does for it. */
static void overlay_render(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct game *game = user;
    (void)frame;
    if (game->overlay.level > 0 && game->profiling.profile != NULL) {
        int64_t begin = engine_now(engine);
        if (game->overlay.writes_text) {
            draw_and_write(game);
        } else {
            draw_overlay(game);
        }
        engine_draw_flush(engine);
        game->overlay.own_ns += (engine_now(engine) - begin - game->overlay.own_ns) / 8;
    }
}

bool overlay_register(struct game *game)
{
    return engine_on(game->engine, ENGINE_PHASE_EARLY, overlay_early, game, "overlay keys") &&
           engine_on(game->engine, ENGINE_PHASE_RENDER, overlay_render, game, "overlay");
}
