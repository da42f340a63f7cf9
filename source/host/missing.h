/* Names that host code uses and that headers would declare which are not there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_HOST_MISSING_H
#define PM_SOURCE_HOST_MISSING_H

#include <clang-c/Index.h>

#include "base/text.h"

/* Adds declarations of the names that clang's errors miss, of types first, else of functions and
 * variables: each as something that nobody knows (pm_any of the prelude). False: there are none. */
bool pm_host_declare_missing(CXTranslationUnit unit, pm_text *declarations);

#endif
