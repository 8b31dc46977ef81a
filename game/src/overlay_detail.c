/* SPDX-License-Identifier: MIT */
/*
 * What stands below the bars: the culprits of a frame, or the tree of live flows.
 */
#include <string.h>

#include "game.h"

enum {
    ROWS = 6,
    LINE_HEIGHT = 10,
    BINS = 11,
    TREE_FRAMES = 15,
    TREE_SEEN = 600, /* flows that the tree tells of: each takes some 0.3 us to look at */
    NAME_WIDTH = 20
};

/* ---- culprits ---- */

static enum palette kind_color(flow_profile_kind kind)
{
    switch (kind) {
    case FLOW_PROFILE_FLOW:
    case FLOW_PROFILE_PREDICATE:
        return COLOR_CYAN;
    case FLOW_PROFILE_CANCEL:
        return COLOR_MAGENTA;
    case FLOW_PROFILE_UNACCOUNTED:
    case FLOW_PROFILE_OTHER:
        return COLOR_EMBER;
    case FLOW_PROFILE_TICK:
    case FLOW_PROFILE_ZONE:
    case FLOW_PROFILE_WAIT:
        break;
    }
    return COLOR_WHITE;
}

static void draw_rows(struct game *game, const flow_profile_frame *frame, float y)
{
    char text[160], line[180];
    (void)snprintf(text, sizeof text, "%s f=%llu: total %.1f work %.1f wait %.1f unaccounted %.1f",
                   game->overlay.frozen ? "frame" : "worst of 2 s,",
                   (unsigned long long)frame->number, (double)frame->total_ns / 1e6,
                   (double)frame->work_ns / 1e6, (double)frame->wait_ns / 1e6,
                   (double)frame->unaccounted_ns / 1e6);
    overlay_text(game, 8.0F, y, color(COLOR_GOLD), text);
    for (uint32_t i = 0; i < frame->row_count && i < ROWS; i++) {
        if (i > 0 && frame->rows[i].excess_ns < 5000) {
            break;
        }
        (void)flow_profile_row_text(&frame->rows[i], text, sizeof text);
        (void)snprintf(line, sizeof line, "%u %s", (unsigned)i + 1, text);
        overlay_text(game, 8.0F, y + (float)(LINE_HEIGHT * ((int)i + 1)),
                     color(kind_color(frame->rows[i].kind)), line);
    }
}

/* Of the frames that are kept, by their work. */
static void draw_histogram(struct game *game, float y)
{
    static const double edges[BINS - 1] = {2.0,  4.0,  8.0,  12.0, 16.7,
                                           20.0, 25.0, 33.3, 50.0, 100.0};
    static const char *const names[BINS] = {"<2",  "<4",  "<8",  "<12",  "<16.7", "<20",
                                            "<25", "<33", "<50", "<100", "more"};
    int counts[BINS] = {0};
    const flow_profile_frame *frame;
    for (uint32_t age = 0; (frame = flow_profile_recent(game->profiling.profile, age)) != NULL;
         age++) {
        int bin = 0;
        while (bin < BINS - 1 && (double)frame->work_ns / 1e6 >= edges[bin]) {
            bin++;
        }
        counts[bin]++;
    }
    for (int i = 0; i < BINS; i++) {
        char text[24];
        float x = 8.0F + 57.0F * (float)i;
        float height = 12.0F * (float)counts[i] / (float)FLOW_PROFILE_FRAMES;
        struct engine_rect bar = {x, y + 12.0F - height, 50.0F, height};
        engine_draw_rect(game->engine, bar, color(i < 5 ? COLOR_TEAL : COLOR_CRIMSON));
        (void)snprintf(text, sizeof text, "%d", counts[i]);
        overlay_text(game, x, y + 3.0F, color_faded(COLOR_WHITE, counts[i] > 0 ? 1.0F : 0.3F),
                     text);
        overlay_text(game, x, y + 14.0F, color(COLOR_VIOLET), names[i]);
    }
}

/* The frame's line if it is one, else the last that was told. A line that is too long goes on in
 * the next. */
static void draw_hitch(struct game *game, const flow_profile_frame *frame, float y)
{
    char own[256], text[OVERLAY_LINE];
    const char *line = game->profiling.last_hitch;
    if (frame != NULL && (frame->marks & FLOW_PROFILE_HITCH)) {
        (void)flow_profile_line(game->profiling.profile, frame, own, sizeof own);
        line = own;
    }
    size_t length = strlen(line), first = length;
    for (size_t room = OVERLAY_LINE - 2; first > room || (first < length && line[first] != ' ');) {
        first = first > room ? room : first - 1;
    }
    (void)snprintf(text, sizeof text, "%.*s", (int)first, line);
    overlay_text(game, 8.0F, y, color(COLOR_EMBER), length > 0 ? text : "no hitch yet");
    first += line[first] == ' ';
    overlay_text(game, 8.0F, y + (float)LINE_HEIGHT, color(COLOR_EMBER), line + first);
}

void overlay_draw_culprits(struct game *game, const flow_profile_frame *frame, float y)
{
    if (frame != NULL) {
        draw_rows(game, frame, y);
    }
    draw_histogram(game, y + 72.0F);
    draw_hitch(game, frame, y + 102.0F);
}

/* ---- the tree ---- */

/* What a flow waits for, without what its column says anyway, and without for how long. */
static void add_wait(char *text, size_t size, const flow_info *info)
{
    static const char words[] = "waits for ";
    const char *from = info->activity == FLOW_ACTIVITY_GROUP ? "(group)" : info->waits_for;
    from += strncmp(from, words, sizeof words - 1) == 0 ? sizeof words - 1 : 0;
    const char *to = strstr(from, ", for ");
    (void)snprintf(text, size, "%.*s", to != NULL ? (int)(to - from) : 200, from);
}

/* The name's column: "enemies", "drifter#3", "drifter x57". */
static void add_name(char *line, const flow_info *info, int count)
{
    char name[64], column[96];
    int indent = 2 * (info->depth > 0 ? info->depth - 1 : 0);
    indent = indent < 12 ? indent : 12;
    if (count > 1) {
        (void)snprintf(name, sizeof name, "%.14s x%d", info->name, count);
    } else if (info->number >= 0) {
        (void)snprintf(name, sizeof name, "%.14s#%d", info->name, info->number);
    } else {
        (void)snprintf(name, sizeof name, "%.*s", NAME_WIDTH, info->name);
    }
    (void)snprintf(column, sizeof column, "%*s%-*s", indent, "", NAME_WIDTH - indent, name);
    memcpy(line, column, NAME_WIDTH);
}

/* Is it one more of the flows that the last line tells of? A crowd is one line. */
static bool is_alike(const struct overlay *overlay, const flow_info *info)
{
    return overlay->tree_last.count > 0 && info->file != NULL && info->children == 0 &&
           info->file == overlay->tree_last.file && info->line == overlay->tree_last.line &&
           info->depth == overlay->tree_last.depth &&
           strcmp(info->name, overlay->tree_last.name) == 0;
}

static int add_line(void *user, const flow_info *info)
{
    struct overlay *overlay = user;
    char place[48] = "", wait[30], rest[OVERLAY_LINE];
    if (is_alike(overlay, info) && overlay->tree_seen < TREE_SEEN) {
        overlay->tree_seen++;
        add_name(overlay->tree[overlay->tree_lines - 1], info, ++overlay->tree_last.count);
        return 1;
    }
    if (overlay->tree_lines == OVERLAY_TREE_LINES || overlay->tree_seen == TREE_SEEN) {
        overlay->tree_cut = true;
        return 0;
    }
    overlay->tree_seen++;
    overlay->tree_last.name = info->name;
    overlay->tree_last.file = info->file;
    overlay->tree_last.depth = info->depth;
    overlay->tree_last.line = info->line;
    overlay->tree_last.count = info->children == 0 && info->file != NULL;
    if (info->file != NULL) {
        const char *slash = strrchr(info->file, '/');
        (void)snprintf(place, sizeof place, "%.36s:%d", slash != NULL ? slash + 1 : info->file,
                       info->line);
    }
    add_wait(wait, sizeof wait, info);
    (void)snprintf(rest, sizeof rest, " %-28.28s %-17.17s %5.1f s", wait, place, info->waited);
    char *line = overlay->tree[overlay->tree_lines++];
    (void)snprintf(line, OVERLAY_LINE, "%-*s%.*s", NAME_WIDTH, "", OVERLAY_LINE - 1 - NAME_WIDTH,
                   rest);
    add_name(line, info, 1);
    return 1;
}

static void draw_up_tree(struct game *game)
{
    struct overlay *overlay = &game->overlay;
    overlay->tree_lines = overlay->tree_seen = overlay->tree_last.count = 0;
    overlay->tree_count = flow_world_counters(game->world).live;
    overlay->tree_cut = false;
    (void)flow_world_walk(game->world, NULL, add_line, overlay);
}

/* Drawn up a few times a second: often enough to be read, and a walk is not for nothing. */
void overlay_draw_tree(struct game *game, float y)
{
    struct overlay *overlay = &game->overlay;
    char text[OVERLAY_LINE];
    if (overlay->tree_age-- <= 0 && !overlay->frozen) {
        draw_up_tree(game);
        overlay->tree_age = TREE_FRAMES;
    }
    (void)snprintf(text, sizeof text, "%-20s %-28s %-17s %7s", "flow", "waits for", "at", "waited");
    overlay_text(game, 8.0F, y, color(COLOR_GOLD), text);
    for (int i = 0; i < overlay->tree_lines; i++) {
        overlay_text(game, 8.0F, y + 9.0F * (float)(i + 1), overlay_white, overlay->tree[i]);
    }
    if (overlay->tree_cut) {
        (void)snprintf(text, sizeof text, "... %u flows in all", (unsigned)overlay->tree_count);
        overlay_text(game, 8.0F, y + 9.0F * (float)(overlay->tree_lines + 1), color(COLOR_VIOLET),
                     text);
    }
}
