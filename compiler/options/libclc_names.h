/* Reads the names of libclc's functions, so that libclc is linked only if a source may call one of
 * them. Linking libclc takes a third of clang's time for a small kernel, even if the kernel needs
 * no function.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_LIBCLC_NAMES_H
#define PM_COMPILER_OPTIONS_LIBCLC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *text; /* first character of the name; no 0 follows the name */
    size_t length;
} pm_libclc_name;

/* Sorted names of libclc's overloadable functions. `count` is 0 if the names are unknown. */
typedef struct {
    char *strings; /* text of the names */
    pm_libclc_name *names;
    size_t count;
} pm_libclc_names;

/* Reads the names of libclc's functions from the string table of its bitcode file. names->count
 * becomes 0 if the file has no such table, or fewer names than OpenCL C requires. */
void pm_libclc_names_read(const char *path, pm_libclc_names *names);
/* Reads the names of libclc's functions from the string table of bitcode in memory, even if the
 * table has fewer names than all of libclc. */
void pm_libclc_names_read_memory(const void *bitcode, size_t bytes, pm_libclc_names *names);
void pm_libclc_names_free(pm_libclc_names *names);

/* Returns whether the names include one that is equal to `name`. */
bool pm_libclc_names_include(const pm_libclc_names *names, const pm_libclc_name *name);

/* Returns whether the text, outside of comments, has a word that is the name of a libclc function,
 * except functions that perfmodel defines itself (compiler/prelude.cl). Also returns true if the
 * names are unknown. */
bool pm_libclc_names_has(const pm_libclc_names *names, const char *text);

#endif
