/* The methods by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "collector/error.h"
#include "method.h"

static const pm_method *const methods[] = {&pm_method_auto,  &pm_method_gp,  &pm_method_forest,
                                           &pm_method_units, &pm_method_sum, &pm_method_ridge,
                                           &pm_method_paper};

size_t pm_method_count(void)
{
    return sizeof methods / sizeof *methods;
}

const pm_method_info *pm_method_at(size_t i)
{
    return i < pm_method_count() ? &methods[i]->info : NULL;
}

const pm_method *pm_method_find(const char *name, pm_error *err)
{
    char names[256] = "";

    if (!name)
        return methods[0];
    for (size_t i = 0; i < pm_method_count(); i++) {
        size_t used = strlen(names);

        if (strcmp(methods[i]->info.name, name) == 0)
            return methods[i];
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", methods[i]->info.name);
    }
    pm_fail(err, PM_BAD_INPUT, "no method '%s'; there is: %s", name, names);
    return NULL;
}
