/* Whether what a kernel does depends on what its buffers hold. See depends.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was loaded is followed through all that is computed from it. As soon as it decides a branch
 * or stands in an address the answer is yes, so a phi need only be followed by its values.
 */
#include "depends.h"

#include <stdlib.h>

#include "collector/error.h"
#include "sites.h"

typedef struct {
    const pm_values *values;
    bool *tainted;   /* by place in values */
    size_t *waiting; /* tainted values whose uses have not been seen */
    size_t count;
} taint;

static void mark(taint *t, const pm_value *value)
{
    size_t i = (size_t)(value - t->values->values);

    if (t->tainted[i])
        return;
    t->tainted[i] = true;
    t->waiting[t->count++] = i;
}

/* Whether user needs the value to know where to go or what to access. */
static bool decides(LLVMValueRef user, LLVMValueRef value)
{
    LLVMValueRef pointer = pm_site_pointer(user);

    return LLVMIsATerminatorInst(user) || (pointer && pointer == value);
}

static bool follow(taint *t, size_t i)
{
    LLVMValueRef value = t->values->values[i].instruction;

    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const pm_value *known = pm_value_of(t->values, user);

        if (!known)
            continue;
        if (decides(user, value))
            return true;
        mark(t, known);
    }
    return false;
}

pm_status pm_depends_on_data(const pm_values *values, bool *depends, pm_error *err)
{
    taint t = {.values = values,
               .tainted = calloc(values->count + 1, sizeof *t.tainted),
               .waiting = calloc(values->count + 1, sizeof *t.waiting)};

    *depends = true;
    if (!t.tainted || !t.waiting) {
        free(t.tainted);
        free(t.waiting);
        return pm_fail(err, PM_FAILED, "out of memory for %zu instructions", values->count);
    }
    for (size_t i = 0; i < values->count; i++)
        if (pm_site_pointer(values->values[i].instruction) &&
            !LLVMIsAStoreInst(values->values[i].instruction))
            mark(&t, &values->values[i]);
    *depends = false;
    while (t.count > 0 && !*depends)
        *depends = follow(&t, t.waiting[--t.count]);
    free(t.tainted);
    free(t.waiting);
    return PM_OK;
}
