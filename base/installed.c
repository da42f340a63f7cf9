/* Where this was to be installed. `cmake --install --prefix` writes this file anew for the library
 * that it installs (cmake/install.cmake).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/paths.h"

const char pm_installed_prefix[] = PM_INSTALLED_PREFIX;
