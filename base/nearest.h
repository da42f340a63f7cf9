/* Finds the valid names that are most similar to a wrong one, for messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_NEAREST_H
#define PM_BASE_NEAREST_H

#include <stddef.h>

enum { PM_NEAREST_NAMES = 3, PM_NEAREST_LIST = 161, PM_NEAREST_TEXT = 400 };

/* The wrong name, and the most similar of the valid names added so far. */
typedef struct {
    const char *wrong;
    size_t count; /* number of valid names added */
    /* The most similar valid names. All have the same distance from `wrong`. The caller owns the
     * names. */
    const char *near[PM_NEAREST_NAMES];
    size_t near_count, distance;
    char list[PM_NEAREST_LIST]; /* all valid names; ends in "..." if not all fit */
    char text[PM_NEAREST_TEXT];
} pm_nearest;

/* Returns the optimal string alignment distance of two names, ignoring case: the number of letters
 * to insert, delete, replace or swap with their neighbour. Each letter is edited at most once.
 * SIZE_MAX if a name is longer than 64 bytes. */
size_t pm_name_distance(const char *a, const char *b);

void pm_nearest_open(pm_nearest *nearest, const char *wrong);
/* Adds a valid name. It is similar to the wrong name if at most a third of the longer name's
 * letters differ, or if one letter differs. A name that begins with a wrong name of three letters
 * or more counts as most similar. */
void pm_nearest_add(pm_nearest *nearest, const char *name);
/* Adds a valid name with a second spelling. The spelling that is more similar to the wrong name
 * counts. */
void pm_nearest_add_as(pm_nearest *nearest, const char *name, const char *spelling);
/* Adds each name of a NULL-terminated list. */
void pm_nearest_add_all(pm_nearest *nearest, const char *const *names);

/* Returns the end of an error message: "did you mean nbody?", then all valid names if they fit. If
 * they do not fit, names the command `lister`, which lists them. lister NULL: as many names as fit.
 * The text is stored in `nearest`. */
const char *pm_nearest_text(pm_nearest *nearest, const char *lister);
/* Returns "did you mean a, b or c?", or "" if no valid name is similar. The text is stored in
 * `nearest`. */
const char *pm_nearest_question(pm_nearest *nearest);

#endif
