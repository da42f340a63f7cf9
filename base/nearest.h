/* Finds the valid names that are most similar to a wrong one, for messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_NEAREST_H
#define PM_BASE_NEAREST_H

#include <stddef.h>

enum { PM_NEAREST_NAMES = 3, PM_NEAREST_LIST = 161, PM_NEAREST_TEXT = 400 };

/* A misspelled name, and those of the valid names that are most similar to it. pm_nearest_add adds
 * valid names one by one. */
typedef struct {
    const char *wrong;
    size_t count; /* number of valid names that were added */
    /* near: the near_count most similar valid names. All have the same edit distance, `distance`,
     * from `wrong`. The caller owns the names. */
    const char *near[PM_NEAREST_NAMES];
    size_t near_count, distance;
    /* all valid names that were added, separated by commas; ends in "..." if not all fit */
    char list[PM_NEAREST_LIST];
    char text[PM_NEAREST_TEXT];
} pm_nearest;

/* Returns the optimal string alignment distance of two names, ignoring case: the number of letters
 * to insert, delete, replace or swap with their neighbour. Each letter is edited at most once.
 * SIZE_MAX if a name is longer than 64 bytes. */
size_t pm_name_distance(const char *a, const char *b);

void pm_nearest_open(pm_nearest *nearest, const char *wrong);
/* Adds a valid name, and keeps it if none added so far is more similar to the wrong name. Two names
 * are similar if at most a third of the longer name's letters differ, or if one letter differs. A
 * valid name that begins with the wrong name counts as most similar, if the wrong name has three
 * letters or more. */
void pm_nearest_add(pm_nearest *nearest, const char *name);
/* Adds a valid name that has a second spelling. The more similar spelling decides how similar it is
 * to the wrong name. */
void pm_nearest_add_as(pm_nearest *nearest, const char *name, const char *spelling);
/* Adds each name of a NULL-terminated list. */
void pm_nearest_add_all(pm_nearest *nearest, const char *const *names);

/* Returns the end of an error message about the wrong name: "did you mean nbody?", then the list of
 * all valid names if it is short. Otherwise the message says which command lists them (lister).
 * lister NULL: as many names as fit. The text is stored in `nearest`. */
const char *pm_nearest_text(pm_nearest *nearest, const char *lister);
/* Returns "did you mean a, b or c?", or "" if no valid name is similar. The text is stored in
 * `nearest`. */
const char *pm_nearest_question(pm_nearest *nearest);

#endif
