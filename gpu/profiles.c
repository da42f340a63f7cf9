/* Which GPUs have a profile that a prediction can use. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "gpu/devices_table.h"
#include "gpu/profile.h"
#include "session/session.h"

void pm_profiles_free(char **names)
{
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

pm_status pm_profiles(pm_session *session, char ***names, size_t *count, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    pm_strings rows = {0};
    pm_status status = pm_device_names(folder, &rows, err);
    char **list = calloc(rows.count + 1, sizeof *list);
    size_t n = 0;

    if (status == PM_OK && !list)
        status = pm_fail(err, PM_FAILED, "not enough memory to list the profiles; free some");
    for (size_t i = 0; status == PM_OK && i < rows.count; i++) {
        pm_profile profile;

        status = pm_profile_find(rows.items[i], folder, &profile, err);
        if (status != PM_OK || !profile.present)
            continue;
        list[n] = strdup(rows.items[i]);
        if (!list[n++])
            status = pm_fail(err, PM_FAILED, "not enough memory to list the profiles; free some");
    }
    pm_strings_clear(&rows);
    if (status != PM_OK) {
        pm_profiles_free(list);
        return status;
    }
    *names = list;
    *count = n;
    return PM_OK;
}
