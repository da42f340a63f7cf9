/* CUPTI, loaded at run time.
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

/* Finds libcupti where the loader looks, then in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda. It
 * wants libcuda.so.1 in the process before it counts. PM_FAILED says where it was looked for. */
pm_status pm_cupti_open(pm_cupti *cupti, pm_error *err);
/* The library stays in the process: it keeps hooks in the driver. */
void pm_cupti_close(pm_cupti *cupti);
/* Says which call failed (its symbol, and about what, which may be NULL), why in CUPTI's words, and
 * what to do about the failures that a user can mend. Returns PM_FAILED. */
pm_status pm_cupti_fail(const pm_cupti *cupti, pm_error *err, const char *call, const char *about,
                        pm_cupti_result code);

/* A call of CUPTI whose failure is told; about as for pm_cupti_fail. */
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
