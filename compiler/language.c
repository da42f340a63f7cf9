/* Determines the language of a kernel source. See language.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/language.h"

#include <stddef.h>
#include <string.h>

static bool ends_in(const char *path, const char *ending)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *dot = path ? strrchr(slash ? slash : path, '.') : NULL;

    return dot && strcmp(dot, ending) == 0;
}

bool pm_is_hip(const char *path)
{
    return ends_in(path, ".hip");
}

pm_language pm_language_of(const char *path)
{
    if (ends_in(path, ".ptx"))
        return PM_LANGUAGE_PTX;
    return ends_in(path, ".cu") || ends_in(path, ".cuh") || pm_is_hip(path) ? PM_LANGUAGE_CUDA
                                                                            : PM_LANGUAGE_OPENCL;
}

bool pm_is_cuda_launched(const char *path)
{
    return pm_language_of(path) != PM_LANGUAGE_OPENCL;
}

const pm_terms *pm_terms_of(pm_language language)
{
    static const pm_terms terms[] = {
        [PM_LANGUAGE_OPENCL] = {"work-items", "work-groups", "__local"},
        [PM_LANGUAGE_CUDA] = {"threads", "blocks", "__shared__"},
        [PM_LANGUAGE_PTX] = {"threads", "blocks", ".shared"},
    };

    return &terms[language];
}
