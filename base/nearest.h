/* The right name that is nearest to a wrong one, for messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_NEAREST_H
#define PM_BASE_NEAREST_H

#include <stddef.h>

enum { PM_NEAREST_NAMES = 3, PM_NEAREST_LIST = 161, PM_NEAREST_TEXT = 400 };

/* Right names, compared with a wrong one as they are added. */
typedef struct {
    const char *wrong;
    size_t count; /* of all right names */
    /* The nearest ones, all at the same distance; they live as long as the caller keeps them. */
    const char *near[PM_NEAREST_NAMES];
    size_t near_count, distance;
    char list[PM_NEAREST_LIST]; /* all right names; what no longer fits is told by "..." */
    char text[PM_NEAREST_TEXT];
} pm_nearest;

/* Number of letters to insert, delete, replace or swap with their neighbour (each letter at most
 * once) to make one name of the other, whatever their case: the optimal string alignment distance.
 * SIZE_MAX if a name is longer than 64 bytes. */
size_t pm_name_distance(const char *a, const char *b);

void pm_nearest_open(pm_nearest *nearest, const char *wrong);
/* Adds a right name. It is near if at most a third of the longer name's letters differ (at least
 * one may), or, nearest of all, if the wrong name of three letters or more is its beginning. */
void pm_nearest_add(pm_nearest *nearest, const char *name);
/* The same of a name that has another spelling, which counts if it is nearer. */
void pm_nearest_add_as(pm_nearest *nearest, const char *name, const char *spelling);
/* Adds each name of a NULL-terminated list. */
void pm_nearest_add_all(pm_nearest *nearest, const char *const *names);

/* The end of a message: "did you mean nbody?", then all right names if they are few, else `lister`,
 * the command that prints them (NULL: as many names as fit). The text is in `nearest`. */
const char *pm_nearest_text(pm_nearest *nearest, const char *lister);
/* Only "did you mean a, b or c?"; "" if no name is near. The text is in `nearest`. */
const char *pm_nearest_question(pm_nearest *nearest);

#endif
