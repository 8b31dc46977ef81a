/* SPDX-License-Identifier: MIT */
/* Bullets, motes, the crosshair and the icons. Bolts look up; icons are white, to be tinted. */
#include "art.h"

#include <stddef.h>

static const char bullet[] = "..c\n"
                             ".cw\n"
                             ".cw\n"
                             "ccw\n"
                             "cww\n"
                             "cww\n"
                             "cww\n"
                             "tcw\n"
                             ".tc\n"
                             "..t\n";

static const char bullet_enemy[] = ".mmm\n"
                                   "mmww\n"
                                   "mwww\n"
                                   "mwww\n";

static const char bullet_sniper[] = ".f\n"
                                    "fw\n"
                                    "fw\n"
                                    "fw\n"
                                    "fw\n"
                                    "fw\n"
                                    "fw\n"
                                    "fw\n"
                                    "tf\n"
                                    "tf\n"
                                    ".t\n";

static const char mote_0[] = "...g\n"
                             "..gg\n"
                             ".ggw\n"
                             "ggww\n";

static const char mote_1[] = "....\n"
                             "...g\n"
                             "..gw\n"
                             ".gww\n";

static const char crosshair[] = "......c\n"
                                "....ccc\n"
                                "..cc..c\n"
                                ".c....c\n"
                                ".c.....\n"
                                "c......\n"
                                "ccc...w\n";

static const char icon_life[] = "ww.....ww\n"
                                "wwww.wwww\n"
                                "wwwwwwwww\n"
                                ".wwwwwww.\n"
                                "..wwwww..\n"
                                ".wwwwwww.\n"
                                ".www.www.\n"
                                "..w...w..\n"
                                ".........\n";

static const char icon_nova[] = "....w....\n"
                                ".w..w..w.\n"
                                "..w...w..\n"
                                "....w....\n"
                                "ww.www.ww\n"
                                "....w....\n"
                                "..w...w..\n"
                                ".w..w..w.\n"
                                "....w....\n";

static const char icon_dash[] = ".........\n"
                                "w...w....\n"
                                "ww..ww...\n"
                                ".ww..ww..\n"
                                "..ww..ww.\n"
                                ".ww..ww..\n"
                                "ww..ww...\n"
                                "w...w....\n"
                                ".........\n";

static const char icon_flow[] = "....ww...\n"
                                "....ww...\n"
                                ".....w...\n"
                                "..wwww...\n"
                                ".w...wwww\n"
                                ".w.......\n"
                                "ww...www.\n"
                                "ww...w.w.\n"
                                ".....www.\n";

static const char icon_pause[] = ".........\n"
                                 ".www.www.\n"
                                 ".www.www.\n"
                                 ".www.www.\n"
                                 ".www.www.\n"
                                 ".www.www.\n"
                                 ".www.www.\n"
                                 ".www.www.\n"
                                 ".........\n";

static const char icon_play[] = ".........\n"
                                ".ww......\n"
                                ".wwww....\n"
                                ".wwwwww..\n"
                                ".wwwwwww.\n"
                                ".wwwwww..\n"
                                ".wwww....\n"
                                ".ww......\n"
                                ".........\n";

static const char icon_sound[] = "....w....\n"
                                 "...ww..w.\n"
                                 "wwwww...w\n"
                                 "wwwww.w.w\n"
                                 "wwwww.w.w\n"
                                 "wwwww.w.w\n"
                                 "wwwww...w\n"
                                 "...ww..w.\n"
                                 "....w....\n";

static const char icon_mute[] = "....w....\n"
                                "...ww....\n"
                                "wwwww....\n"
                                "wwwww.w.w\n"
                                "wwwww..w.\n"
                                "wwwww.w.w\n"
                                "wwwww....\n"
                                "...ww....\n"
                                "....w....\n";

static const char icon_pad[] = "...........\n"
                               ".ww.....ww.\n"
                               ".wwwwwwwww.\n"
                               "ww.wwwww.ww\n"
                               "w...www.w.w\n"
                               "ww.wwwww.ww\n"
                               "wwwwwwwwwww\n"
                               "www.....www\n"
                               ".w.......w.\n";

static const char icon_mouse[] = "..wwwww..\n"
                                 ".w..w..w.\n"
                                 ".w..w..w.\n"
                                 ".w..w..w.\n"
                                 ".wwwwwww.\n"
                                 ".w.....w.\n"
                                 ".w.....w.\n"
                                 ".w.....w.\n"
                                 "..wwwww..\n";

static const char icon_cursor[] = ".ww......\n"
                                  ".wwww....\n"
                                  "..wwww...\n"
                                  "...wwwww.\n"
                                  "....wwwww\n"
                                  "...wwwww.\n"
                                  "..wwww...\n"
                                  ".wwww....\n"
                                  ".ww......\n";

struct art_list art_items(void)
{
    static const struct art items[] = {
        {"bullet", bullet, ART_MIRROR_X | ART_HALO, NULL},
        {"bullet_enemy", bullet_enemy, ART_QUARTER | ART_HALO, NULL},
        {"bullet_sniper", bullet_sniper, ART_MIRROR_X | ART_HALO, NULL},
        {"mote_0", mote_0, ART_QUARTER | ART_HALO, NULL},
        {"mote_1", mote_1, ART_QUARTER | ART_HALO, NULL},
        {"crosshair", crosshair, ART_QUARTER, NULL},
        {"icon_life", icon_life, ART_PLAIN, NULL},
        {"icon_nova", icon_nova, ART_PLAIN, NULL},
        {"icon_dash", icon_dash, ART_PLAIN, NULL},
        {"icon_flow", icon_flow, ART_PLAIN, NULL},
        {"icon_pause", icon_pause, ART_PLAIN, NULL},
        {"icon_play", icon_play, ART_PLAIN, NULL},
        {"icon_sound", icon_sound, ART_PLAIN, NULL},
        {"icon_mute", icon_mute, ART_PLAIN, NULL},
        {"icon_pad", icon_pad, ART_PLAIN, NULL},
        {"icon_mouse", icon_mouse, ART_PLAIN, NULL},
        {"icon_cursor", icon_cursor, ART_PLAIN, NULL},
    };
    return (struct art_list){items, (int)(sizeof items / sizeof items[0])};
}
