/* The names that a collection is asked for: programs, variants, sizes and how they are counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SUITE_NAMES_H
#define PM_SUITE_NAMES_H

#include "base/strings.h"
#include "program/program.h"

typedef struct {
    size_t count;
    const pm_program **items;
} pm_programs;

/* The programs of a set: suite (NULL is that, too), corpus or all; or, set NULL, the one of a
 * workload file. names (NULL: all) may leave out some of the corpus, each of which is a file to be
 * read. The session keeps the list. NULL: PM_BAD_INPUT. */
const pm_programs *pm_programs_find(pm_session *session, const char *set, const char *workload,
                                    const char *const *names, pm_error *err);

/* PM_BAD_INPUT, with the right names, if a name is wrong, or if none of the programs has the
 * variants and sizes together. Lists are NULL-terminated; NULL: all. */
pm_status pm_names_check(const pm_programs *all, const char *const *programs,
                         const char *const *variants, const char *const *sizes, pm_error *err);

/* The program of that name, or of that workload file (NULL: none), with its variant and size (each
 * may be NULL). base: only one that transforms can start from. NULL: PM_BAD_INPUT, as above. */
const pm_program *pm_program_choose(pm_session *session, const char *program, const char *workload,
                                    const char *variant, const char *size, bool base,
                                    pm_error *err);

#endif
