/* A kernel's index as lines of text, for tests and for people.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_INDEX_DUMP_H
#define PM_TESTS_INDEX_DUMP_H

#include "layout/clang/index.h"

/* Line by line arrays, loops, guards, accesses, changes, barriers. */
void index_dump(const pm_index *index, pm_text *out);
/* All kernels of a source; options are clang's. False: out says why. */
bool index_dump_source(const char *text, const char *path, const char *const *options,
                       size_t option_count, const size_t work_group[3], pm_text *out);

#endif
