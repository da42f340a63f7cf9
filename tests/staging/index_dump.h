/* A kernel's index as lines of text, for tests and for people.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_INDEX_DUMP_H
#define PM_TESTS_INDEX_DUMP_H

#include "transform/staging/index/index.h"

/* Line by line arrays, loops, guards, accesses, changes, barriers. */
void index_dump(const pm_index *index, pm_text *out);
/* pm_index_read as an attempt of its own; what is read is of memory. */
pm_status index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3],
                     pm_index *index, pm_memory *memory, pm_error *err);
/* All kernels of a source; options are clang's. False: out says why. */
bool index_dump_source(const char *text, const char *path, const char *const *options,
                       size_t option_count, const size_t work_group[3], pm_text *out);

#endif
