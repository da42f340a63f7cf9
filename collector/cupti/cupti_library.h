/* Loads libcupti, NVIDIA's profiling library, at run time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_LIBRARY_H
#define PM_COLLECTOR_CUPTI_CUPTI_LIBRARY_H

#include "collector/cupti/cupti_abi.h"
#include "perfmodel.h"

typedef struct {
    void *library;
    pm_cupti_result (*result_string)(pm_cupti_result code, const char **text);
#define PM_CUPTI_MEMBER(name, symbol, type) pm_cupti_result (*name)(type *);
    PM_CUPTI_FUNCTIONS(PM_CUPTI_MEMBER)
#undef PM_CUPTI_MEMBER
} pm_cupti;

/* Loads libcupti from the loader's search path, else from $CUDA_HOME, $CUDA_PATH or
 * /usr/local/cuda. CUPTI can count only after libcuda.so.1 has been loaded. If libcupti is not
 * found, the result is PM_FAILED, and the error lists the paths that were tried. */
pm_status pm_cupti_open(pm_cupti *cupti, pm_error *err);
/* Closes the handle of libcupti. The library stays loaded (RTLD_NODELETE), because it has hooks in
 * the CUDA driver. */
void pm_cupti_close(pm_cupti *cupti);
/* Raises an error with the name of the failed CUPTI function, CUPTI's reason, and the remedy if
 * there is one. call: name of the function. about: name of the metric, chip or other object of the
 * call, for the error; may be NULL. Returns PM_FAILED. */
pm_status pm_cupti_fail(const pm_cupti *cupti, pm_error *err, const char *call, const char *about,
                        pm_cupti_result code);

/* Defines the function pm_cupti_call_NAME, which calls a CUPTI function and raises an error if it
 * fails. about: name of the metric, chip or other object of the call, for the error; may be
 * NULL. */
#define PM_CUPTI_CALL(name, symbol, type)                                                          \
    static inline pm_status pm_cupti_call_##name(const pm_cupti *cupti, type *ask,                 \
                                                 const char *about, pm_error *err)                 \
    {                                                                                              \
        pm_cupti_result code = cupti->name(ask);                                                   \
                                                                                                   \
        return code == PM_CUPTI_SUCCESS ? PM_OK : pm_cupti_fail(cupti, err, symbol, about, code);  \
    }
PM_CUPTI_FUNCTIONS(PM_CUPTI_CALL)
#undef PM_CUPTI_CALL

#endif
