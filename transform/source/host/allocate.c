/* The interpreter executes host code (such as cudaMalloc calls) to find kernel launches. This file
 * creates an object in the interpreter's memory for each allocation of the host code. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/state.h"

enum {
    MOST_LOOKED_AT = 256
}; /* number of the latest allocations that are searched for a freed one to reuse */

static bool same_bytes(pm_host_value a, pm_host_value b)
{
    return a.kind == b.kind && a.integer == b.integer;
}

pm_host_value pm_host_allocate(pm_host_state *state, pm_host_node *call, pm_host_space space,
                               pm_host_value bytes)
{
    pm_host_heap *heap = &state->heap;
    size_t made;

    if (space == PM_HOST_BUFFER)
        pm_host_want(state, bytes, PM_HOST_FOR_SIZE);
    /* If the same call allocates a buffer again after it was freed, reuse the freed object. The
     * launches in a loop's iterations then have equal arguments. */
    for (size_t i = heap->allocation_count, end = i > MOST_LOOKED_AT ? i - MOST_LOOKED_AT : 0;
         i-- > end;) {
        pm_host_object *object = &heap->objects[heap->allocations[i]];

        if (object->site == call && object->freed && same_bytes(object->bytes, bytes)) {
            object->freed = false;
            return pm_host_pointer((pm_host_place){heap->allocations[i], 0});
        }
    }
    made = pm_host_add_object(heap, space, "", (CXType){.kind = CXType_Invalid}, call->line);
    heap->objects[made].site = call;
    heap->objects[made].bytes = pm_host_convert(bytes, (CXType){.kind = CXType_ULong});
    return pm_host_pointer((pm_host_place){made, 0});
}
