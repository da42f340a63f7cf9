/* The options of clBuildProgram, as arguments of clang.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_BUILD_OPTIONS_H
#define PM_COMPILER_OPTIONS_BUILD_OPTIONS_H

#include "base/once.h"
#include "perfmodel.h"

typedef struct {
    char **items; /* as many as count, then a NULL */
    size_t count, room;
    bool failed; /* out of memory: adding more does nothing */
} pm_arguments;

/* Appends a copy. */
void pm_arguments_add(pm_arguments *arguments, const char *item);
/* The same of all in a list, which ends with NULL; the items of other arguments are one. NULL:
 * none. */
void pm_arguments_add_all(pm_arguments *arguments, const char *const *list);
void pm_arguments_free(pm_arguments *arguments);

/* Appends what clang needs for options (may be NULL): words with blanks between them, of which
 * some may be quoted. -cl-std=CL1.2 unless they say otherwise. One that the trace engine does not
 * have is PM_BAD_INPUT and named; one that it has no use for is left out with a notice, told once.
 */
pm_status pm_build_options(const char *options, pm_arguments *arguments, pm_once *once,
                           const pm_log *log, pm_error *err);

/* The option that puts source_path's folder on the include path. */
pm_status pm_compiler_add_folder(pm_arguments *arguments, const char *source_path, pm_error *err);

#endif
