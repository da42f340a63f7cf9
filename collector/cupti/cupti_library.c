/* Loads NVIDIA's profiling library libcupti at run time, and turns its error codes into messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cupti_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/cupti/cupti_find.h"

/* True if perfmodel is built with the address sanitizer. libcupti loads further libraries with
 * RTLD_DEEPBIND, upon which the address sanitizer ends the process. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

static const char *find_functions(pm_cupti *cupti)
{
    void *found = dlsym(cupti->library, "cuptiGetResultString");

    if (!found)
        return "cuptiGetResultString";
    memcpy(&cupti->result_string, &found, sizeof found);
#define PM_CUPTI_FIND(name, symbol, type)                                                          \
    found = dlsym(cupti->library, symbol);                                                         \
    if (!found)                                                                                    \
        return symbol;                                                                             \
    memcpy(&cupti->name, &found, sizeof found);
    PM_CUPTI_FUNCTIONS(PM_CUPTI_FIND)
#undef PM_CUPTI_FIND
    return NULL;
}

pm_status pm_cupti_open(pm_cupti *cupti, pm_error *err)
{
    const char *missing;

    memset(cupti, 0, sizeof *cupti);
    if (SANITIZED)
        return pm_fail(err, PM_FAILED,
                       "CUPTI does not run under the address sanitizer: build without PM_SANITIZE");
    cupti->library = pm_cupti_find();
    if (!cupti->library)
        return pm_fail(err, PM_FAILED,
                       "no CUPTI (libcupti.so.13 or .12) where the loader looks, in $CUDA_HOME or "
                       "in /usr/local/cuda: install the CUDA toolkit's cuda-cupti package, or add "
                       "the folder of libcupti.so to LD_LIBRARY_PATH");
    missing = find_functions(cupti);
    if (!missing)
        return PM_OK;
    pm_cupti_close(cupti);
    return pm_fail(err, PM_FAILED,
                   "libcupti has no %s: it is too old for range profiling, install CUPTI of "
                   "CUDA 12.8 or newer",
                   missing);
}

void pm_cupti_close(pm_cupti *cupti)
{
    if (cupti->library)
        dlclose(cupti->library);
    memset(cupti, 0, sizeof *cupti);
}

static const char *remedy(pm_cupti_result code)
{
    switch (code) {
    case PM_CUPTI_INSUFFICIENT_PRIVILEGES:
    case PM_CUPTI_VIRTUALIZED_PRIVILEGES:
        return "; counting is for root only here: run as root, or let the administrator load the "
               "nvidia module with NVreg_RestrictProfilingToAdminUsers=0 (NVIDIA's page "
               "ERR_NVGPUCTRPERM explains)";
    case PM_CUPTI_MULTIPLE_SUBSCRIBERS:
        return "; another profiler is attached to this process: run without ncu, nsys or the like";
    case PM_CUPTI_NOT_SUPPORTED:
        return "; this CUPTI cannot count on this GPU";
    case PM_CUPTI_INVALID_CHIP:
        return "; this CUPTI does not know the GPU: install a newer one";
    case PM_CUPTI_CONFIDENTIAL_COMPUTING:
        return "; counting does not work while confidential computing is on";
    case PM_CUPTI_MIG_DEVICE:
        return "; counting does not work on this MIG slice";
    default:
        return "";
    }
}

pm_status pm_cupti_fail(const pm_cupti *cupti, pm_error *err, const char *call, const char *about,
                        pm_cupti_result code)
{
    const char *text = NULL;

    if (cupti->result_string(code, &text) != PM_CUPTI_SUCCESS || !text)
        text = "unknown error";
    return pm_fail(err, PM_FAILED, "%s%s%s: %s (%d)%s", call, about ? " for " : "",
                   about ? about : "", text, code, remedy(code));
}
