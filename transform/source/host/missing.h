/* Declares names that host code uses but whose header files are missing, so that clang can still
 * parse the code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_MISSING_H
#define PM_TRANSFORM_SOURCE_HOST_MISSING_H

#include <clang-c/Index.h>

#include "base/text.h"

/* Appends to `declarations` a declaration of each name that clang's errors report as undeclared. If
 * types are undeclared, declares only these types, otherwise functions and variables; the caller
 * then parses the code again. All get the placeholder type pm_any. Returns false if no name is
 * undeclared, or if clang reports too many errors for declarations to help. */
bool pm_host_declare_missing(CXTranslationUnit unit, pm_text *declarations);

#endif
