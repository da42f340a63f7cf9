/* Precompiles the prelude of CUDA sources: the header that declares CUDA's builtin functions and
 * variables for clang. It is parsed once for many sources.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_PRELUDE_H
#define PM_TRANSFORM_SOURCE_CLANG_PRELUDE_H

#include <stddef.h>

/* The prelude of CUDA sources as a precompiled header file. It is valid only for the list of clang
 * arguments with which it was compiled. If a source needs other arguments, it is compiled again. */
typedef struct pm_prelude pm_prelude;

pm_prelude *pm_prelude_create(void); /* returns NULL if memory runs out */
void pm_prelude_free(pm_prelude *prelude);

/* Returns clang's arguments with the precompiled header in place of the file of "-include". The
 * result lives until the next call or pm_prelude_free. Returns `arguments` unchanged if they have
 * no "-include", if libclang cannot save the header, or if prelude is NULL. */
const char *const *pm_prelude_arguments(pm_prelude *prelude, const char *const *arguments,
                                        size_t *count);

#endif
