/* Estimates the number of registers of a kernel's work-item, from the largest number of live
 * values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/registers/registers.h"

#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/registers/liveness.h"
#include "collector/engine/backend/registers/sunk.h"

enum {
    /* Number of registers that every kernel needs. They are the stack pointer (R1 in NVIDIA's
     * calling convention) and its neighbour, two registers for the hardware per work-item since
     * Volta, and a pair for the address that is being computed. */
    BASE = 6,
    /* Up to this number of registers per work-item, the occupancy is not reduced on any chip since
     * Kepler (65536 registers for 2048 work-items). NVIDIA's compiler uses these registers to have
     * many loads in flight. */
    FREE = 32
};

/* Largest number of 32-bit registers that live values need at any point of the code, for two orders
 * of execution. ordered: the order of the code. ahead: all loads between two barriers are started
 * before all other instructions. */
typedef struct {
    unsigned ordered, ahead;
} need;

static void note_need(const pm_liveness *l, need *n, unsigned loads)
{
    unsigned words = pm_set_words(l, l->live);

    n->ordered = words > n->ordered ? words : n->ordered;
    n->ahead = words + loads > n->ahead ? words + loads : n->ahead;
}

/* Walks backwards through a basic block, and increases the members of *needs to the numbers of
 * registers that the block needs. */
static void walk(pm_liveness *l, LLVMBasicBlockRef block, need *needs)
{
    /* number of registers for the results of the loads between the current instruction and the next
     * barrier */
    unsigned loads = 0;

    pm_liveness_start(l, block);
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        note_need(l, needs, 0);
        if (pm_is_barrier(i)) {
            note_need(l, needs, loads);
            loads = 0;
        }
        if (pm_is_opcode(i, LLVMLoad))
            loads += l->sizes[pm_liveness_variable(l, i)->number];
        pm_liveness_step(l, i);
    }
    note_need(l, needs, loads);
}

static unsigned estimate(LLVMValueRef function, pm_liveness *l, pm_memory *memory)
{
    need needs = {0, 0};

    pm_liveness_find(function, l, memory);
    PM_EACH_BLOCK(b, function)
        walk(l, b, &needs);
    if (BASE + needs.ordered >= FREE)
        return BASE + needs.ordered;
    return BASE + needs.ahead < FREE ? BASE + needs.ahead : FREE;
}

static pm_registers limited(LLVMValueRef function, unsigned limit, pm_memory *memory)
{
    pm_liveness l;
    pm_registers found = {.count = estimate(function, &l, memory)};

    if (found.count > limit) {
        found.count = limit;
        found.spills = pm_spills_find(function, &l, limit > BASE ? limit - BASE : 1, memory);
    }
    return found;
}

/* LLVM sinks sums into a side of a branch. Registers are estimated with and without undoing this,
 * and the smaller estimate is used: NVIDIA's compiler does not move sums if that saves no
 * registers. */
pm_registers pm_registers_estimate(LLVMValueRef function, unsigned limit, pm_memory *memory)
{
    const pm_sunk sunk = pm_sunk_move_back(function, memory);
    pm_liveness l;
    bool better = true;
    pm_registers found;

    if (sunk.count > 0) {
        const unsigned moved = estimate(function, &l, memory);

        pm_sunk_restore(&sunk);
        better = moved < estimate(function, &l, memory);
        if (better)
            pm_sunk_move_back(function, memory);
    }
    found = limited(function, limit, memory);
    if (sunk.count > 0 && better)
        pm_sunk_restore(&sunk);
    return found;
}

unsigned pm_registers_sunk(LLVMValueRef function, pm_memory *memory)
{
    const pm_sunk sunk = pm_sunk_move_on(function, memory);
    pm_liveness l;
    const unsigned registers = estimate(function, &l, memory);

    pm_sunk_restore(&sunk);
    return registers;
}
