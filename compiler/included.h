/* Finds the files that clang could include when it compiles a source, and writes them into a cache
 * key.
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

/* Writes path and digest of each file that clang could include into a key. The names of the files
 * come from the #include lines of the source and of files named by -include. The #include lines of
 * the files that were found by these names are searched, too. Each name is searched in every folder
 * where clang could look for it, even if an earlier folder has a file of the name. Therefore a new
 * file that hides another one changes the key. Returns false if only clang can determine the names,
 * for example if a macro follows #include. */
bool pm_included_write(const pm_included *of, pm_wire *key);

#endif
