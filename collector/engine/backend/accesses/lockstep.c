/* Finds accesses to shared memory that rely on the work-items of a warp executing in lockstep.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/accesses/lockstep.h"

#include "collector/engine/backend/accesses/sites.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"

/* Returns the variable or argument in shared memory that a load or store accesses; NULL for any
 * other instruction, and for bulk copies, whose parts must stay in one basic block. */
static LLVMValueRef shared_object(LLVMValueRef instruction)
{
    LLVMValueRef pointer = PM_IS(instruction, LLVMLoad, LLVMStore) && !pm_is_bulk(instruction)
                               ? pm_site_pointer(instruction)
                               : NULL;

    return pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == SHARED_SPACE
               ? pm_site_object(pointer)
               : NULL;
}

/* A variable or argument in shared memory that the code has accessed since the last point at which
 * all work-items of a warp wait for each other. These points are barriers, the start of a basic
 * block, and cuts (points that the engine inserts for this purpose). */
typedef struct {
    LLVMValueRef object;
    bool is_written;
} touched;

typedef struct {
    touched *items;
    size_t count;
} touched_objects;

static bool needs_cut(touched_objects *objects, LLVMValueRef object, bool writes, pm_memory *memory)
{
    for (size_t i = 0; i < objects->count; i++)
        if (objects->items[i].object == object)
            return writes || objects->items[i].is_written;
    *pm_add(memory, objects->items, objects->count) = (touched){object, writes};
    return false;
}

/* A cut is a point at which all work-items of a warp wait for each other. The engine executes the
 * code between two cuts for one work-item after the other. Two accesses that rely on lockstep
 * therefore need a cut between them, but only if they are in the same basic block: at the start of
 * a block and after a barrier, all work-items of the warp have executed the code before. */
void pm_lockstep_find(LLVMValueRef kernel, pm_cuts *cuts, pm_memory *memory)
{
    touched_objects objects = {0};

    PM_EACH_BLOCK(block, kernel) {
        objects.count = 0;
        PM_EACH_INSTRUCTION(i, block) {
            LLVMValueRef object = shared_object(i);
            const bool writes = LLVMIsAStoreInst(i) != NULL;

            if (pm_is_barrier(i))
                objects.count = 0;
            if (!object || !needs_cut(&objects, object, writes, memory))
                continue;
            *pm_add(memory, cuts->after, cuts->count) = LLVMGetPreviousInstruction(i);
            objects.count = 0;
            *pm_add(memory, objects.items, objects.count) = (touched){object, writes};
        }
    }
}
