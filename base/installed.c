/* Folder into which perfmodel was installed (the prefix). `cmake --install --prefix` replaces this
 * file for the installed library (cmake/install.cmake).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/paths.h"

const char pm_installed_prefix[] = PM_INSTALLED_PREFIX;
