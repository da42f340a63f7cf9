/* Frees the lists of kernel launches that were found in a source's host code or given by
 * command-line options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/launches.h"

void pm_source_launches_free(pm_source_launches *of)
{
    pm_memory_free(&of->memory);
    *of = (pm_source_launches){.buffer_count = 0};
}
