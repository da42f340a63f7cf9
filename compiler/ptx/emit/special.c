/* Emits reads of special registers, such as %tid.x. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/strings.h"
#include "compiler/ptx/emit/emitter.h"

enum { WARP = 32 };

/* Special registers that have the same value in all traces. Traced clusters have one block. A trace
 * does not simulate on which multiprocessor a block runs, so %smid is 0. */
static const struct {
    const char *name;
    unsigned long long value;
} numbers[] = {
    {"%tid.w", 0},
    {"%ntid.w", 1},
    {"%ctaid.w", 0},
    {"%nctaid.w", 1},
    {"%smid", 0},
    {"%gridid", 0},
    {"%cluster_ctaid.x", 0},
    {"%cluster_ctaid.y", 0},
    {"%cluster_ctaid.z", 0},
    {"%cluster_nctaid.x", 1},
    {"%cluster_nctaid.y", 1},
    {"%cluster_nctaid.z", 1},
    {"%cluster_ctarank", 0},
    {"%cluster_nctarank", 1},
    {"%is_explicit_cluster", 0},
};

/* Registers with indices and sizes of the launch. read: last part of the name of LLVM's intrinsic
 * that reads the register, llvm.nvvm.read.ptx.sreg.NAME.x. */
static const struct {
    const char *name, *read;
} indices[] = {
    {"%tid", "tid"},       {"%ntid", "ntid"},       {"%ctaid", "ctaid"},
    {"%nctaid", "nctaid"}, {"%clusterid", "ctaid"}, {"%nclusterid", "nctaid"},
};

static LLVMValueRef read_index(pm_ptx_emitter *e, const char *register_name, char dimension)
{
    return pm_ptx_intrinsic(
        e, pm_format(e->memory, "llvm.nvvm.read.ptx.sreg.%s.%c", register_name, dimension), NULL,
        NULL, 0);
}

/* Returns the thread's number in its block: x + nx * (y + ny * z). */
static LLVMValueRef thread_number(pm_ptx_emitter *e)
{
    LLVMValueRef number;
    const unsigned *most = e->f->required[0] ? e->f->required : e->f->most;

    if (most[0] > 0 && most[1] == 1 && most[2] == 1)
        return read_index(e, "tid", 'x');
    number = LLVMBuildMul(e->b, read_index(e, "tid", 'z'), read_index(e, "ntid", 'y'), "");
    number = LLVMBuildAdd(e->b, number, read_index(e, "tid", 'y'), "");
    number = LLVMBuildMul(e->b, number, read_index(e, "ntid", 'x'), "");
    return LLVMBuildAdd(e->b, number, read_index(e, "tid", 'x'), "");
}

static LLVMValueRef lane(pm_ptx_emitter *e)
{
    return LLVMBuildAnd(e->b, thread_number(e),
                        pm_ptx_constant(pm_ptx_integer_type(e, 32), WARP - 1), "");
}

/* Returns a mask of lanes relative to the thread's own lane. The mask `which` is eq (the own lane),
 * lt or le (lanes below; le with the own one), gt or ge (lanes above; ge with the own one). */
static LLVMValueRef lane_mask(pm_ptx_emitter *e, const char *which)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);
    LLVMValueRef own = LLVMBuildShl(e->b, pm_ptx_constant(word, 1), lane(e), "");
    LLVMValueRef below = LLVMBuildSub(e->b, own, pm_ptx_constant(word, 1), "");

    if (strcmp(which, "eq") == 0)
        return own;
    if (strcmp(which, "lt") == 0)
        return below;
    if (strcmp(which, "ge") == 0)
        return LLVMBuildNot(e->b, below, "");
    below = LLVMBuildOr(e->b, below, own, "");
    return strcmp(which, "le") == 0 ? below : LLVMBuildNot(e->b, below, "");
}

static LLVMValueRef find_index(pm_ptx_emitter *e, const char *name)
{
    const size_t length = strlen(name);

    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        const size_t stem = strlen(indices[k].name);

        if (strncmp(name, indices[k].name, stem) == 0 && length == stem + 2 && name[stem] == '.' &&
            name[stem + 1] >= 'x' && name[stem + 1] <= 'z')
            return read_index(e, indices[k].read, name[stem + 1]);
    }
    return NULL;
}

LLVMValueRef pm_ptx_special(pm_ptx_emitter *e, const pm_ptx_instruction *i, const char *name)
{
    static const char *const masks[] = {"%lanemask_eq", "%lanemask_lt", "%lanemask_le",
                                        "%lanemask_ge", "%lanemask_gt", NULL};
    LLVMTypeRef word = pm_ptx_integer_type(e, 32), wide = pm_ptx_integer_type(e, 64);
    LLVMValueRef index = find_index(e, name);

    if (index)
        return index;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(name, numbers[k].name) == 0)
            return pm_ptx_constant(word, numbers[k].value);
    if (strncmp(name, "%envreg", 7) == 0)
        return pm_ptx_constant(word, 0);
    if (strcmp(name, "%laneid") == 0)
        return lane(e);
    if (strcmp(name, "%warpid") == 0)
        return LLVMBuildLShr(e->b, thread_number(e), pm_ptx_constant(word, 5), "");
    if (pm_listed(masks, name))
        return lane_mask(e, name + strlen("%lanemask_"));
    if (strcmp(name, "%clock") == 0 || strcmp(name, "%clock_hi") == 0)
        return pm_ptx_known_function(e, "clock", word, NULL, 0);
    if (strcmp(name, "%clock64") == 0)
        return pm_ptx_known_function(e, "clock64", wide, NULL, 0);
    if (strcmp(name, "%globaltimer") == 0)
        return pm_ptx_known_function(e, "__globaltimer", wide, NULL, 0);
    pm_ptx_refuse(e, i, "the value of %.60s is not known in a trace, or it is no register", name);
}
