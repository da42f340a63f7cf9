/* The prelude of CUDA sources, parsed once for many sources.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_PRELUDE_H
#define PM_TRANSFORM_SOURCE_CLANG_PRELUDE_H

#include <stddef.h>

/* The prelude of CUDA sources as a precompiled header. It is made for one list of clang arguments
 * at a time. */
typedef struct pm_prelude pm_prelude;

pm_prelude *pm_prelude_create(void); /* NULL: no memory */
void pm_prelude_free(pm_prelude *prelude);

/* Returns arguments for parsing in which the precompiled header replaces the file of "-include".
 * The result lives until the next call or pm_prelude_free. Returns `arguments` unchanged if they
 * have no "-include", if libclang cannot save the header, or if prelude is NULL. */
const char *const *pm_prelude_arguments(pm_prelude *prelude, const char *const *arguments,
                                        size_t *count);

#endif
