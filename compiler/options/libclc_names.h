/* Reads the names of libclc's functions, so that libclc is linked only if a source may call one.
 * Linking takes a third of clang's time for a small kernel, even if nothing is needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_LIBCLC_NAMES_H
#define PM_COMPILER_OPTIONS_LIBCLC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *text; /* not terminated by 0 */
    size_t length;
} pm_libclc_name;

/* Sorted names of libclc's overloadable functions. count is 0 if the names are unknown. */
typedef struct {
    char *strings; /* text of the names */
    pm_libclc_name *names;
    size_t count;
} pm_libclc_names;

/* Reads the names of libclc's functions from the string table of its bitcode. count becomes 0 if
 * the file has no such table, or fewer names than OpenCL C requires. */
void pm_libclc_names_read(const char *path, pm_libclc_names *names);
void pm_libclc_names_free(pm_libclc_names *names);

/* True if a word of the text, outside of comments, is the name of a libclc function that the
 * prelude does not define. Also true if the names are unknown. */
bool pm_libclc_names_has(const pm_libclc_names *names, const char *text);

#endif
