/* Loads the engine's compiler half. See backend_load.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "backend_load.h"

#include <dlfcn.h>
#include <limits.h>

#include "collector/error.h"
#include "collector/share.h"

pm_status pm_backend_load(const pm_backend **backend, pm_error *err)
{
    char path[PATH_MAX];
    pm_status status = pm_module_path("trace.so", path, sizeof path, err);
    const pm_backend *found;
    void *library;

    *backend = NULL;
    if (status != PM_OK)
        return status;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return pm_fail(err, PM_FAILED, "the trace engine does not load: %s; install LLVM %d",
                       dlerror(), PM_LLVM_MAJOR);
    found = dlsym(library, PM_BACKEND_SYMBOL);
    if (found && found->version == PM_BACKEND_VERSION)
        *backend = found;
    else
        status = pm_fail(err, PM_FAILED, "%s is of another version of perfmodel; install it again",
                         path);
    dlclose(library); /* NODELETE: the code stays */
    return status;
}
