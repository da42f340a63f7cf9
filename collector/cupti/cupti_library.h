/* Loads CUPTI at run time.
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
 * /usr/local/cuda. libcuda.so.1 must be loaded before it counts. PM_FAILED lists where it was
 * searched. */
pm_status pm_cupti_open(pm_cupti *cupti, pm_error *err);
/* Closes the handle. The library stays loaded (RTLD_NODELETE), because it has hooks in the
 * driver. */
void pm_cupti_close(pm_cupti *cupti);
/* Raises an error that names the failed call, CUPTI's reason, and the remedy if there is one.
 * call: symbol of the call. about: the object of the call, may be NULL. Returns PM_FAILED. */
pm_status pm_cupti_fail(const pm_cupti *cupti, pm_error *err, const char *call, const char *about,
                        pm_cupti_result code);

/* Defines a wrapper of a CUPTI call that raises an error on failure. about: object of the call,
 * named in the error; may be NULL. */
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
