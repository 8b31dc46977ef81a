/* SPDX-License-Identifier: MIT */
/* The moth and the embers. What has a direction looks up. */
#include "art.h"

#include <stddef.h>

static const char moth_0[] = "........c...\n"
                             ".........c..\n"
                             "..........c.\n"
                             ".ccc......cw\n"
                             "cccccccc..ww\n"
                             "ctttttccc.ww\n"
                             "cttggttttccw\n"
                             ".ctgwwgttttw\n"
                             ".cttggttttcw\n"
                             "..cttttttccw\n"
                             "...ccttttccw\n"
                             ".....cctttcw\n"
                             ".....cccttcw\n"
                             "....ctttcccw\n"
                             "...cttvvtc.w\n"
                             "...ctvwvtc.w\n"
                             "...cttvtc..w\n"
                             "....cctc...c\n"
                             "......c....c\n";

static const char moth_1[] = "........c...\n"
                             ".........c..\n"
                             "..........c.\n"
                             "..........cw\n"
                             "...ccc....ww\n"
                             "...ctccc..ww\n"
                             "...cttttcccw\n"
                             "....ctggtttw\n"
                             "....ctgwgtcw\n"
                             ".....ctgttcw\n"
                             ".....ctttccw\n"
                             "......cttccw\n"
                             "......ccttcw\n"
                             ".....cttcccw\n"
                             ".....ctvvc.w\n"
                             ".....ctvtc.w\n"
                             ".....ctvc..w\n"
                             "......ctc..c\n"
                             ".......c...c\n";

static const char drifter[] = ".......e\n"
                              "......ee\n"
                              ".....eei\n"
                              "....eeii\n"
                              "...eeiir\n"
                              "..eeiirr\n"
                              ".eeiirrg\n"
                              "eeiirrgw\n";

static const char chaser[] = "........m\n"
                             ".......mm\n"
                             ".......mm\n"
                             "......mmi\n"
                             "......mii\n"
                             ".....mmii\n"
                             ".....miii\n"
                             "....mmiir\n"
                             "....miirr\n"
                             "...mmirrg\n"
                             "...miirgw\n"
                             "..mmiirgw\n"
                             "..miiirrg\n"
                             ".mmiimmrr\n"
                             ".miimm.mm\n"
                             "mmimm...m\n"
                             "mmm......\n";

static const char orbiter[] = "......vvv\n"
                              "....vvvvv\n"
                              "..ddvvidm\n"
                              "..dddddim\n"
                              ".vvdiiiii\n"
                              ".vvdiiiii\n"
                              "vvidiiiim\n"
                              "vvdiiiimw\n"
                              "vvmmiimww\n";

static const char splitter[] = "....ggggg.\n"
                               "...ggiiig.\n"
                               "...giiiig.\n"
                               "..ggiiiig.\n"
                               "..giiiieg.\n"
                               ".ggiiieeg.\n"
                               ".giiieegg.\n"
                               "ggiieeggg.\n"
                               "giiieggwg.\n"
                               "giiieggwgw\n";

static const char splitter_child[] = "...ggg\n"
                                     "..ggig\n"
                                     "..gieg\n"
                                     ".ggieg\n"
                                     ".gieeg\n"
                                     "ggiegw\n";

static const char sniper[] = "......w\n"
                             "......f\n"
                             "......f\n"
                             ".....ff\n"
                             ".....fi\n"
                             "....ffi\n"
                             "....fii\n"
                             "...ffii\n"
                             "...fiit\n"
                             "..ffitt\n"
                             "..fittm\n"
                             ".ffitmm\n"
                             ".fittmw\n"
                             "ffiitmm\n"
                             "fiiittm\n"
                             "ffiiitt\n"
                             ".ffiiii\n"
                             "..ffiii\n"
                             "...ffii\n"
                             "....ffi\n"
                             ".....ff\n"
                             "......f\n"
                             "......w\n";

static const char tank[] = "........eeeeee\n"
                           ".......eeeeeee\n"
                           "......eeerrrrr\n"
                           ".....eeerrrrrr\n"
                           "....eeerriiiii\n"
                           "...eeerriieeee\n"
                           "..eeerriieiiii\n"
                           ".eeerrigeiiiii\n"
                           "eeerriieiiiiie\n"
                           "eerriieiiiiiee\n"
                           "eerrieiiiiieeg\n"
                           "eerrieiiiieegg\n"
                           "eerrieiiieeggw\n"
                           "eerrieiieeggww\n";

enum {
    ONE_WAY = ART_MIRROR_X | ART_HALO | ART_FLASH,
    ALL_WAYS = ART_QUARTER | ART_HALO | ART_FLASH
};

struct art_list art_actors(void)
{
    static const struct art items[] = {
        {"moth_0", moth_0, ONE_WAY, NULL},
        {"moth_1", moth_1, ONE_WAY, NULL},
        {"drifter", drifter, ALL_WAYS, NULL},
        {"chaser", chaser, ONE_WAY, NULL},
        {"orbiter", orbiter, ALL_WAYS, NULL},
        {"splitter", splitter, ALL_WAYS, NULL},
        {"splitter_child", splitter_child, ALL_WAYS, NULL},
        {"sniper", sniper, ONE_WAY, NULL},
        {"tank", tank, ALL_WAYS, NULL},
    };
    return (struct art_list){items, (int)(sizeof items / sizeof items[0])};
}
