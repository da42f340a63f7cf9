/* Declares names that host code uses but whose headers are missing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_MISSING_H
#define PM_TRANSFORM_SOURCE_HOST_MISSING_H

#include <clang-c/Index.h>

#include "base/text.h"

/* Adds declarations of the names that clang's errors report as undeclared. Declares missing types;
 * if no type is missing, declares functions and variables. Each gets an unknown type (pm_any of the
 * prelude). Returns false if no name is undeclared. */
bool pm_host_declare_missing(CXTranslationUnit unit, pm_text *declarations);

#endif
