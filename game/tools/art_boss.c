/* SPDX-License-Identifier: MIT */
/* The boss: an eight-pointed star of two squares around an iris with a burning heart. One quarter
 * is drawn; it has a colouring for each of its three phases. */
#include "art.h"

#include <stddef.h>

static const char boss[] = "...............................e\n"
                           "..............................ee\n"
                           ".............................eee\n"
                           "............................eeer\n"
                           "...........................eeerr\n"
                           "..........................eeerre\n"
                           ".........................eeerrre\n"
                           "........................eeerrire\n"
                           ".......................eeerriire\n"
                           ".........eeeeeeeeeeeeeeeerriiire\n"
                           ".........eeeeeeeeeeeeeeerriiiire\n"
                           ".........eerrrrrrrrrrrrrriiiidre\n"
                           ".........eerrrrrrrrrrrrriiiiddre\n"
                           ".........eerreriiiiiiiiiiiiddire\n"
                           ".........eerrreriiiiiiiiiiddiire\n"
                           ".........eerrirerddddddddddiiire\n"
                           ".........eerriirerddddddddiiiiii\n"
                           ".........eerriidreriiiiiiiiigggg\n"
                           ".........eerriiddreriiiiiggggggg\n"
                           ".........eerriiddireriiigggggiii\n"
                           ".........eerriiddiireiggggiiiirr\n"
                           ".........eerriiddiiiigggiiiiiirr\n"
                           ".........eerriiddiiigggiiiiiiirr\n"
                           "........eeerriiddiiiggiiriiirrrr\n"
                           ".......eeerriiiddiiggiirrrirreee\n"
                           "......eeerriiiiddigggiiirrreeeee\n"
                           ".....eeerriiiiddiiggiiiiireeeggg\n"
                           "....eeerriiiiddiiiggiiiireeegggg\n"
                           "...eeerriiiiddiiigggiiirreegggww\n"
                           "..eeerriiiiddiiiiggiiiireegggwww\n"
                           ".eeerrrrrrrrrrrriggirrrreeggwwww\n"
                           "eeerreeeeeeeeeeeiggirrrreeggwwww\n";

struct art_list art_boss(void)
{
    static const struct art items[] = {
        {"boss", boss, ART_QUARTER | ART_HALO | ART_FLASH, NULL},
        {"boss_rage", boss, ART_QUARTER | ART_HALO, "emrvgw"},
        {"boss_last", boss, ART_QUARTER | ART_HALO, "evrdgmdr"},
    };
    return (struct art_list){items, (int)(sizeof items / sizeof items[0])};
}
