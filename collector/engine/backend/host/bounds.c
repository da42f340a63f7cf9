/* Generates LLVM IR that computes the bounds of a memory access: the first and last address of host
 * memory that a load or store of a kernel may touch. See bounds.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/bounds.h"

#include <stddef.h>

#include "collector/engine/backend/ir/ir.h"

static pm_host_bounds argument_bounds(pm_block_builder *w, LLVMValueRef object, int argument)
{
    LLVMValueRef slot = pm_block_builder_argument_slot(w, object);

    if (pm_block_builder_is_by_value(w, object))
        return (pm_host_bounds){LLVMBuildPtrToInt(w->builder, slot, w->i64, ""),
                                pm_number(w, w->lanes->parameters[argument].room), pm_number(w, 0)};
    return (pm_host_bounds){
        pm_block_builder_load(w, w->i64, slot, offsetof(pm_pointer_argument, start)),
        pm_block_builder_load(w, w->i64, slot, offsetof(pm_pointer_argument, bytes)),
        pm_block_builder_load(w, w->i64, slot, offsetof(pm_pointer_argument, address))};
}

/* Generates the bounds for an access by a pointer to constant memory, which may point into a buffer
 * or into a constant array (table) of the program. If the address is in a table, the bounds are
 * those of the table; otherwise the result is `in`, the bounds of the buffer. */
static pm_host_bounds table_bounds(pm_block_builder *w, LLVMValueRef host, pm_host_bounds in)
{
    LLVMModuleRef module = LLVMGetGlobalParent(w->lanes->r.kernel);
    uint64_t address = PM_TABLE_ADDRESS;
    LLVMBuilderRef b = w->builder;

    PM_EACH_GLOBAL(g, module) {
        uint64_t size = LLVMABISizeOfType(w->lanes->r.layout, LLVMGlobalGetValueType(g));
        LLVMValueRef base, bytes = pm_number(w, size), inside;

        if (!LLVMIsGlobalConstant(g))
            continue;
        base = LLVMConstPtrToInt(g, w->i64);
        inside = LLVMBuildICmp(b, LLVMIntULT, LLVMBuildSub(b, host, base, ""), bytes, "");
        in.base = LLVMBuildSelect(b, inside, base, in.base, "");
        in.bytes = LLVMBuildSelect(b, inside, bytes, in.bytes, "");
        in.address = LLVMBuildSelect(b, inside, pm_number(w, address), in.address, "");
        address += (size + 15) / 16 * 16;
    }
    return in;
}

pm_host_bounds pm_host_bounds_of(pm_block_builder *w, const pm_site *site, LLVMValueRef object,
                                 LLVMValueRef host)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef zero = pm_number(w, 0);
    pm_host_bounds arena;

    if (site->space == PM_SPACE_SHARED)
        return (pm_host_bounds){LLVMBuildPtrToInt(b, w->shared, w->i64, ""), w->shared_bytes, zero};
    if (site->space == PM_SPACE_PRIVATE)
        return (pm_host_bounds){LLVMBuildPtrToInt(b, w->private_memory, w->i64, ""),
                                pm_number(w, w->lanes->values.private_bytes), zero};
    if (site->argument >= 0)
        return argument_bounds(w, object, site->argument);
    if (object && LLVMIsAGlobalVariable(object))
        return (pm_host_bounds){LLVMConstPtrToInt(object, w->i64), pm_number(w, site->object_bytes),
                                zero};
    arena = (pm_host_bounds){LLVMBuildPtrToInt(b, w->arena, w->i64, ""), w->arena_bytes,
                             w->arena_address};
    return site->space == PM_SPACE_CONSTANT ? table_bounds(w, host, arena) : arena;
}
