/* Lists how the trace engine executes and counts LLVM's intrinsics and other functions outside of
 * the source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/ir/intrinsics.h"

#include <string.h>

#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/ir/texture.h"
#include "machine/async_copy.h"
#include "machine/bulk_copy.h"
#include "machine/matrix_product.h"

static const pm_intrinsic intrinsics[] = {
    {"llvm.dbg.", PM_CALL_NOTHING, PM_COUNTED_NOTHING, 0},
    {"llvm.lifetime.", PM_CALL_NOTHING, PM_COUNTED_NOTHING, 0},
    {"llvm.assume", PM_CALL_NOTHING, PM_COUNTED_NOTHING, 0},
    {"llvm.experimental.noalias.scope.decl", PM_CALL_NOTHING, PM_COUNTED_NOTHING, 0},
    {"llvm.prefetch.", PM_CALL_NOTHING, PM_COUNTED_CALL, 0},
    {"llvm.nvvm.membar.", PM_CALL_NOTHING, PM_COUNTED_ROW, PM_COST_fence},
    {"llvm.nvvm.barrier0", PM_CALL_BARRIER, PM_COUNTED_ROW, PM_COST_barrier},
    {"llvm.nvvm.barrier.cta.sync", PM_CALL_BARRIER, PM_COUNTED_ROW, PM_COST_barrier},
    /* this_grid().sync() of cooperative groups. The call counts as two barriers of the work-group:
     * one before the work-groups wait for each other, and one after that. */
    {"grid_group_sync", PM_CALL_GRID_BARRIER, PM_COUNTED_ROW, PM_COST_barrier},
    {"llvm.nvvm.bar.warp.sync", PM_CALL_WARP_SYNC, PM_COUNTED_NOTHING, 0},
    {"llvm.nvvm.shfl.sync.", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_shuffle},
    {"llvm.nvvm.vote.all.sync", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_vote},
    {"llvm.nvvm.vote.any.sync", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_vote},
    {"llvm.nvvm.vote.uni.sync", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_vote},
    {"llvm.nvvm.vote.ballot.sync", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_vote},
    {"llvm.nvvm.activemask", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_vote},
    {"llvm.nvvm.match.any.sync.", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_match},
    {"llvm.nvvm.redux.sync.", PM_CALL_EXCHANGE, PM_COUNTED_ROW, PM_COST_redux},
    /* functions that compiler/ptx/emit calls: instructions of tensor cores, and exchanges between
     * work-items that are parts of other instructions */
    {PM_PRODUCT_PREFIX, PM_CALL_EXCHANGE, PM_COUNTED_PRODUCT, PM_COST_tensor},
    {PM_GROUP_PRODUCT_PREFIX, PM_CALL_EXCHANGE, PM_COUNTED_PRODUCT, PM_COST_tensor},
    {"pm.warp.movmatrix", PM_CALL_EXCHANGE, PM_COUNTED_ONCE, PM_COST_shuffle},
    {"pm.warp.elect", PM_CALL_EXCHANGE, PM_COUNTED_ONCE, PM_COST_vote},
    /* barriers in shared memory (mbarrier) and barriers for parts of a work-group. The function
     * `join` counts as the whole instruction bar.sync or barrier.red, of which `pass` and `sum` are
     * parts. */
    {"pm.barrier.pass", PM_CALL_EXCHANGE, PM_COUNTED_NOTHING, 0},
    {"pm.barrier.sum", PM_CALL_EXCHANGE, PM_COUNTED_NOTHING, 0},
    {"pm.barrier.", PM_CALL_EXCHANGE, PM_COUNTED_ONCE, PM_COST_barrier},
    /* Bulk copies. The load behind the call counts as their instruction. */
    {PM_BULK_END, PM_CALL_NOTHING, PM_COUNTED_NOTHING, 0},
    {PM_MAP_REPLACE, PM_CALL_EXCHANGE, PM_COUNTED_ONCE, PM_COST_memory},
    {PM_MAP_COPY, PM_CALL_EXCHANGE, PM_COUNTED_ONCE, PM_COST_memory},
    {PM_BULK_PREFIX, PM_CALL_EXCHANGE, PM_COUNTED_NOTHING, 0},
    {PM_ASYNC_COMMIT, PM_CALL_NOTHING, PM_COUNTED_ONCE, PM_COST_barrier},
    {PM_ASYNC_WAIT, PM_CALL_WARP_SYNC, PM_COUNTED_ONCE, PM_COST_barrier},
    {"pm.warp.", PM_CALL_EXCHANGE, PM_COUNTED_NOTHING, 0},
    /* clock(), clock64() and __globaltimer(), declared in compiler/cuda/host.cuh */
    {"clock", PM_CALL_CLOCK, PM_COUNTED_ROW, PM_COST_id},
    {"__globaltimer", PM_CALL_CLOCK, PM_COUNTED_ROW, PM_COST_id},
    /* functions of compiler/cuda/texture.cuh for values that the texture unit computes from
     * coordinates */
    {PM_TEXTURE_FUNCTION, PM_CALL_ORDINARY, PM_COUNTED_NOTHING, 0},
    {"llvm.nvvm.read.ptx.sreg.tid.", PM_CALL_LOCAL_ID, PM_COUNTED_ROW, PM_COST_id},
    {"llvm.nvvm.read.ptx.sreg.ctaid.", PM_CALL_GROUP_ID, PM_COUNTED_ROW, PM_COST_id},
    {"llvm.nvvm.read.ptx.sreg.ntid.", PM_CALL_LOCAL_SIZE, PM_COUNTED_ROW, PM_COST_constant},
    {"llvm.nvvm.read.ptx.sreg.nctaid.", PM_CALL_GROUPS, PM_COUNTED_ROW, PM_COST_constant},
    {"llvm.abs.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.bitreverse.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_bit_count},
    {"llvm.bswap.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_permute},
    {"llvm.canonicalize.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.ceil.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_round},
    {"llvm.convert.from.fp16.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.convert.to.fp16.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.copysign.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.cos.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.ctlz.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_count_zeros},
    {"llvm.ctpop.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_bit_count},
    {"llvm.cttz.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_count_zeros},
    {"llvm.exp.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.exp10.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.exp2.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.expect.", PM_CALL_ORDINARY, PM_COUNTED_NOTHING, 0},
    {"llvm.fabs.", PM_CALL_ORDINARY, PM_COUNTED_NOTHING,
     0}, /* no instruction: GPUs compute |x| as a modifier of another instruction's operand */
    {"llvm.floor.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_round},
    {"llvm.fma.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.fmuladd.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.fptosi.sat.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.fptoui.sat.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.frexp.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.fshl.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.fshr.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.is.fpclass.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.ldexp.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.log.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.log10.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.log2.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.maximum.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.maxnum.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.minimum.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.minnum.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.nearbyint.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_round},
    {"llvm.pow.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.powi.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.ptrmask.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.rint.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_round},
    {"llvm.round.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.roundeven.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_round},
    {"llvm.sadd.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.scmp.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.sin.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.smax.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.smin.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.smul.with.overflow.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.sqrt.", PM_CALL_ORDINARY, PM_COUNTED_BUILTIN, 0},
    {"llvm.sshl.sat.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.ssub.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.tan.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.trunc.", PM_CALL_ORDINARY, PM_COUNTED_ROW, PM_COST_round},
    {"llvm.uadd.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.ucmp.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.umax.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.umin.", PM_CALL_ORDINARY, PM_COUNTED_ARITHMETIC, 0},
    {"llvm.umul.with.overflow.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.ushl.sat.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.usub.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
    {"llvm.vector.reduce.", PM_CALL_ORDINARY, PM_COUNTED_CALL, 0},
};

const pm_intrinsic *pm_intrinsic_of(const char *name)
{
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (pm_starts(name, intrinsics[i].name))
            return &intrinsics[i];
    return NULL;
}

pm_call pm_call_of(const char *name)
{
    const pm_intrinsic *intrinsic;

    if (strstr(name, "pm_global_offset"))
        return PM_CALL_OFFSET;
    if (strstr(name, "pm_work_dim"))
        return PM_CALL_DIMENSIONS;
    intrinsic = pm_intrinsic_of(name);
    return intrinsic ? intrinsic->call : PM_CALL_ORDINARY;
}

pm_call pm_call_kind(LLVMValueRef call)
{
    return pm_call_of(pm_callee_name(call));
}

bool pm_is_barrier(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && (pm_call_kind(instruction) == PM_CALL_BARRIER ||
                                            pm_call_kind(instruction) == PM_CALL_GRID_BARRIER);
}

bool pm_is_grid_barrier(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && pm_call_kind(instruction) == PM_CALL_GRID_BARRIER;
}

unsigned pm_call_dimension(LLVMValueRef call)
{
    const char *name = pm_callee_name(call);
    char last = *name ? name[strlen(name) - 1] : '\0';

    return last >= 'x' && last <= 'z' ? (unsigned)(last - 'x') : 0;
}

pm_waits_for pm_call_waits_for(LLVMValueRef call)
{
    const char *name = LLVMIsACallInst(call) ? pm_callee_name(call) : "";

    return strcmp(name, "pm.barrier.wait") == 0   ? PM_WAITS_FOR_PHASE
           : strcmp(name, "pm.barrier.pass") == 0 ? PM_WAITS_FOR_NAMED
                                                  : PM_WAITS_FOR_NOTHING;
}

bool pm_changes_group(LLVMValueRef call)
{
    return LLVMIsACallInst(call) && (pm_starts(pm_callee_name(call), "pm.barrier.") ||
                                     (pm_starts(pm_callee_name(call), PM_BULK_PREFIX) &&
                                      pm_call_kind(call) == PM_CALL_EXCHANGE));
}
