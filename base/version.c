/* Returns the library's version, and checks options for members that only newer versions have. See
 * perfmodel.h and version.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/version.h"

#include "base/error.h"

const char *pm_library_version(void)
{
    return PM_VERSION;
}

unsigned pm_api_version(void)
{
    return PM_API_VERSION;
}

pm_status pm_unused(const uint64_t *reserved, size_t bytes, pm_error *err)
{
    for (size_t i = 0; i < bytes / sizeof *reserved; i++)
        if (reserved[i] != 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "options have reserved words that are not 0: zero the struct before "
                           "its members are set, or use a later libperfmodel than " PM_VERSION
                           ", interface %d.%d, if they are of its members",
                           PM_API_MAJOR, PM_API_MINOR);
    return PM_OK;
}
