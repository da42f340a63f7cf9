/* Writes a kernel's index as lines of text, for tests and for people.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_INDEX_DUMP_H
#define PM_TESTS_INDEX_DUMP_H

#include "transform/staging/index/index.h"

/* Writes arrays, loops, guards, accesses, changes and barriers line by line. */
void index_dump(const pm_index *index, pm_text *out);
/* Runs pm_index_read as an attempt of its own. The result belongs to memory. */
pm_status index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3],
                     pm_index *index, pm_memory *memory, pm_error *err);
/* Dumps all kernels of a source. options: for clang. Returns false with the reason in out. */
bool index_dump_source(const char *text, const char *path, const char *const *options,
                       size_t option_count, const size_t work_group[3], pm_text *out);

#endif
