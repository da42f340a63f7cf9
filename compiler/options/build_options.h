/* Translates the options of clBuildProgram to arguments of clang.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_BUILD_OPTIONS_H
#define PM_COMPILER_OPTIONS_BUILD_OPTIONS_H

#include "base/once.h"
#include "perfmodel.h"

typedef struct {
    char **items; /* `count` items, then NULL */
    size_t count, room;
    bool failed; /* memory ran out; the list is incomplete, and further items are ignored */
} pm_arguments;

/* Appends a copy of `item` to the list of arguments. */
void pm_arguments_add(pm_arguments *arguments, const char *item);
/* Appends copies of all items of a list that ends with NULL, such as pm_arguments.items. list may
 * be NULL. */
void pm_arguments_add_all(pm_arguments *arguments, const char *const *list);
void pm_arguments_free(pm_arguments *arguments);

/* Appends clang's arguments for OpenCL build options. options: words separated by blanks, some of
 * them quoted; may be NULL. The default is -cl-std=CL1.2. PM_BAD_INPUT with the option's name if
 * the trace engine does not support the option. An option without effect is left out with a notice,
 * which is logged once. */
pm_status pm_build_options(const char *options, pm_arguments *arguments, pm_once *once,
                           const pm_log *log, pm_error *err);

/* Adds -I with the folder of source_path. */
pm_status pm_compiler_add_folder(pm_arguments *arguments, const char *source_path, pm_error *err);

#endif
