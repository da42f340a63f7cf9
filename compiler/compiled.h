/* Bitcode of sources that were compiled before: reports for several targets compile each version of
 * a program once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_COMPILED_H
#define PM_COMPILER_COMPILED_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/options/build_options.h"

enum { PM_COMPILED_MOST = 64 };

typedef struct {
    char *what; /* the source, its path and the options */
    char *bitcode;
    size_t bytes;
} pm_compiled;

/* The latest ones. All zero: none yet. */
typedef struct {
    pm_compiled items[PM_COMPILED_MOST];
    size_t next;
} pm_compiled_sources;

/* A text that tells a source, its path and clang's options from others, to free; NULL where it has
 * to be compiled each time, since it includes files that may change, and where memory runs out. */
char *pm_compiled_key(const pm_arguments *arguments, const char *source_path, const char *source);

/* A copy of the bitcode in *bitcode, to free; false: it is not known. */
bool pm_compiled_find(const pm_compiled_sources *sources, const char *key, char **bitcode,
                      size_t *bytes);
/* Keeps a copy, if there is memory for it. */
void pm_compiled_keep(pm_compiled_sources *sources, const char *key, const char *bitcode,
                      size_t bytes);
void pm_compiled_free(pm_compiled_sources *sources);

#endif
