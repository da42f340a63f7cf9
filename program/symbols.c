/* Variables in CUDA's __constant__ memory that a workload initialises. See workload.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/workload.h"

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

void pm_workload_free_symbols(pm_workload *workload)
{
    for (size_t i = 0; i < workload->symbol_count; i++) {
        free(workload->symbols[i].name);
        free(workload->symbols[i].data);
    }
    free(workload->symbols);
}
