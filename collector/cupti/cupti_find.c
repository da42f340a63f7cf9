/* Finds and loads NVIDIA's profiling library, libcupti.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cupti_find.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
static const char *const folders[] = {"lib64", "extras/CUPTI/lib64", "lib"};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void *open_in(const char *root)
{
    char path[4096];
    void *library = NULL;

    for (size_t f = 0; root && *root && !library && f < COUNT(folders); f++) {
        for (size_t n = 0; !library && n < COUNT(names); n++) {
            int length = snprintf(path, sizeof path, "%s/%s/%s", root, folders[f], names[n]);

            if (length > 0 && (size_t)length < sizeof path)
                library = dlopen(path, RTLD_NOW | RTLD_NODELETE);
        }
    }
    return library;
}

void *pm_cupti_find(void)
{
    void *library = NULL;

    for (size_t n = 0; !library && n < COUNT(names); n++)
        library = dlopen(names[n], RTLD_NOW | RTLD_NODELETE);
    if (!library)
        library = open_in(getenv("CUDA_HOME"));
    if (!library)
        library = open_in(getenv("CUDA_PATH"));
    return library ? library : open_in("/usr/local/cuda");
}
