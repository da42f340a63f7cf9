/* The prelude of CUDA sources, parsed once for many of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_PRELUDE_H
#define PM_SOURCE_CLANG_PRELUDE_H

#include <stddef.h>

/* What libclang made of it, for one list of arguments at a time. */
typedef struct pm_prelude pm_prelude;

pm_prelude *pm_prelude_create(void); /* NULL: no memory */
void pm_prelude_free(pm_prelude *prelude);

/* The arguments of a parse, with what is known already of the file behind "-include" in its place,
 * which they last as long as; those that were given where there is none, or where libclang cannot
 * keep it. prelude may be NULL. */
const char *const *pm_prelude_arguments(pm_prelude *prelude, const char *const *arguments,
                                        size_t *count);

#endif
