/* The files that clang could include with a source, as part of a cache's key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_INCLUDED_H
#define PM_COMPILER_INCLUDED_H

#include "base/wire.h"
#include "compiler/options/build_options.h"

typedef struct {
    const char *source, *path;
    const pm_arguments *arguments; /* of clang */
    const char *headers;           /* the folder of clang's own, without include */
} pm_included;

/* Writes path and digest of each file that clang could include: each name that the source, a file
 * of -include or a file found so includes, in each folder where clang could look for it, whether or
 * not another one hides it. Clang gives the same output while these stay the same, since a new file
 * that hides another one is a further file here. false: clang alone knows what it would include. */
bool pm_included_write(const pm_included *of, pm_wire *key);

#endif
