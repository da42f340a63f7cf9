/* Adds variables in CUDA's __constant__ and global memory that a workload initialises. See
 * workload.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/workload.h"

/* size of CUDA's constant memory in bytes */
enum { MOST_CONSTANT = 1 << 16 };

void pm_workload_symbol(pm_workload *workload, const char *name, const void *data, size_t bytes)
{
    pm_device_symbol *grown, symbol = {.bytes = bytes};

    if (!workload || workload->error.status != PM_OK)
        return;
    grown = realloc(workload->symbols, (workload->symbol_count + 1) * sizeof *grown);
    if (grown) {
        workload->symbols = grown;
        symbol.name = strdup(name);
        symbol.data = malloc(bytes + 1);
        grown[workload->symbol_count++] = symbol;
    }
    if (symbol.name && symbol.data)
        memcpy(symbol.data, data, bytes);
    else
        pm_fail(&workload->error, PM_FAILED, "%s: out of memory for symbol %s", workload->program,
                name);
}

void pm_workload_symbol_buffer(pm_workload *workload, const char *name, size_t buffer)
{
    const pm_buffer *of = &workload->buffers[buffer];
    const size_t bytes = of->bytes <= MOST_CONSTANT ? of->bytes : 0;
    void *zeros = of->initial ? NULL : calloc(bytes + 1, 1);

    if (workload->error.status == PM_OK && !of->initial && !zeros)
        pm_fail(&workload->error, PM_FAILED, "%s: out of memory for symbol %s", workload->program,
                name);
    pm_workload_symbol(workload, name, of->initial ? of->initial : zeros, bytes);
    free(zeros);
    if (workload->error.status != PM_OK)
        return;
    workload->symbols[workload->symbol_count - 1].in_buffer = true;
    workload->symbols[workload->symbol_count - 1].buffer = buffer;
}

const pm_device_symbol *pm_workload_symbol_of(const pm_workload *workload, size_t buffer)
{
    for (size_t i = 0; i < workload->symbol_count; i++)
        if (workload->symbols[i].in_buffer && workload->symbols[i].buffer == buffer)
            return &workload->symbols[i];
    return NULL;
}

void pm_workload_free_symbols(pm_workload *workload)
{
    for (size_t i = 0; i < workload->symbol_count; i++) {
        free(workload->symbols[i].name);
        free(workload->symbols[i].data);
    }
    free(workload->symbols);
}
