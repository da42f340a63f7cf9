/* Finds the files that clang could include with a source, as part of a cache key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_INCLUDED_H
#define PM_COMPILER_INCLUDED_H

#include "base/wire.h"
#include "compiler/options/build_options.h"

typedef struct {
    const char *source, *path;
    const pm_arguments *arguments; /* all arguments of clang */
    const char *headers;           /* clang's resource folder, lib/clang/VERSION */
} pm_included;

/* Writes path and digest of each file that clang could include. The names come from the source,
 * from files of -include, and from the files found by these names. Each name is searched in every
 * folder where clang could look for it, even if an earlier folder has a file of the name. A new
 * file that hides another one therefore changes the written data. Returns false if only clang can
 * determine the names, for example after a macro in #include. */
bool pm_included_write(const pm_included *of, pm_wire *key);

#endif
