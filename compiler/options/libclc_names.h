/* Which functions libclc has, so that it is linked only where a source may call one: linking takes
 * clang a third of the time of a small kernel, even if there is nothing to link.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_LIBCLC_NAMES_H
#define PM_COMPILER_OPTIONS_LIBCLC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *text; /* without an end */
    size_t length;
} pm_libclc_name;

/* Names of its overloadable functions, in order. No names: nothing is known of it. */
typedef struct {
    char *strings; /* that they are in */
    pm_libclc_name *names;
    size_t count;
} pm_libclc_names;

/* Reads them from the bitcode's table of strings. Where the file has none, or too few for OpenCL C,
 * nothing is known. */
void pm_libclc_names_read(const char *path, pm_libclc_names *names);
void pm_libclc_names_free(pm_libclc_names *names);

/* Whether a word of the text is such a name and no function of the prelude; true where nothing is
 * known. */
bool pm_libclc_names_has(const pm_libclc_names *names, const char *text);

#endif
