/* Compiles one kernel of a module: describes its basic blocks and memory instructions, and
 * generates the basic blocks' host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/kernel.h"

#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "collector/engine/backend/accesses/lockstep.h"
#include "collector/engine/backend/accesses/order.h"
#include "collector/engine/backend/accesses/retry.h"
#include "collector/engine/backend/cpu/latency.h"
#include "collector/engine/backend/cpu/work_loops.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/host/exchange.h"
#include "collector/engine/backend/host/warp_builder.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/mix/count_mix.h"
#include "collector/engine/backend/mix/predication.h"
#include "collector/engine/backend/module/marks.h"
#include "collector/engine/backend/module/module.h"
#include "collector/engine/backend/registers/registers.h"

void pm_kernel_block_name(size_t kernel, uint32_t block, pm_code_kind kind, char *name, size_t size)
{
    snprintf(name, size, "%s.kernel%zu.block%u", pm_kernel_prefix(kind), kernel, block);
}

const char *pm_kernel_prefix(pm_code_kind kind)
{
    return kind == PM_CODE_SLICE ? "pm.slice" : "pm.whole";
}

static const void *keep_copy(const pm_kernel_request *r, const void *items, size_t count,
                             size_t size)
{
    void *kept = pm_take(r->kept, count, size);

    return count > 0 ? memcpy(kept, items, count * size) : kept;
}

static const pm_merge_point *keep_merges(const pm_kernel_request *r, const pm_structure *s)
{
    pm_merge_point *kept = pm_take(r->kept, s->merge_count, sizeof *kept);

    for (size_t i = 0; i < s->merge_count; i++) {
        kept[i] = s->merges[i];
        kept[i].between =
            keep_copy(r, kept[i].between, kept[i].between_count, sizeof *kept[i].between);
    }
    return kept;
}

/* ---- shared variables --------------------------------------------------------------------- */

/* Returns whether an instruction of the kernel uses the value, directly or in a constant
 * expression. */
static bool is_used_in(LLVMValueRef value, LLVMValueRef kernel)
{
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAInstruction(user)
                ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == kernel
                : is_used_in(user, kernel))
            return true;
    }
    return false;
}

/* Returns whether a shared variable belongs to the kernel. Only kernels can declare shared
 * variables in OpenCL C, and clang names them kernel.variable. CUDA functions and files can declare
 * them, too; these variables belong to the kernels that use them. */
static bool belongs(LLVMValueRef variable, LLVMValueRef kernel)
{
    size_t own, length;
    const char *name = LLVMGetValueName2(variable, &length);
    const char *function = LLVMGetValueName2(kernel, &own);

    if (LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != SHARED_SPACE)
        return false;
    return (length > own && strncmp(name, function, own) == 0 && name[own] == '.') ||
           is_used_in(variable, kernel);
}

/* Alignments in bytes of shared variables. LARGE: least alignment for which a variable is placed
 * before the others; bulk copies need it. LARGEST: largest alignment that is kept. */
enum { LARGE_ALIGNMENT = 128, LARGEST_ALIGNMENT = 1024 };

static size_t round_up(size_t bytes, size_t align)
{
    return (bytes + align - 1) / align * align;
}

/* Assigns an offset in a work-group's shared memory to each of the kernel's shared variables whose
 * alignment is from `least` to `most` bytes. is_unsized: false for variables with a size, true for
 * arrays whose size the launch determines (CUDA's extern __shared__). */
static void place_aligned(pm_warp_builder *lanes, pm_kernel_code *code, unsigned least,
                          unsigned most, bool is_unsized)
{
    PM_EACH_GLOBAL(g, lanes->r.module) {
        const size_t bytes = LLVMABISizeOfType(lanes->r.layout, LLVMGlobalGetValueType(g));
        const unsigned align = LLVMGetAlignment(g);

        if ((bool)LLVMIsDeclaration(g) != is_unsized || !belongs(g, lanes->r.kernel) ||
            (!is_unsized && (align < least || align > most)))
            continue;
        if (least > SHARED_ALIGNMENT)
            code->shared_bytes = round_up(code->shared_bytes, least);
        *pm_add(lanes->r.memory, lanes->shared, lanes->shared_count) =
            (pm_shared_variable){g, code->shared_bytes};
        if (!is_unsized)
            code->shared_bytes += round_up(bytes, SHARED_ALIGNMENT);
    }
}

/* Assigns to the kernel's shared variables their offsets in a work-group's shared memory. Variables
 * with large alignments come first, the largest alignment before the others, so that there are few
 * gaps. An array whose size the launch determines (CUDA's extern __shared__) comes last. */
static void place_shared(pm_warp_builder *lanes, pm_kernel_code *code)
{
    place_aligned(lanes, code, LARGEST_ALIGNMENT, UINT_MAX, false);
    for (unsigned align = LARGEST_ALIGNMENT / 2; align >= LARGE_ALIGNMENT; align /= 2)
        place_aligned(lanes, code, align, 2 * align - 1, false);
    place_aligned(lanes, code, 0, LARGE_ALIGNMENT - 1, false);
    PM_EACH_GLOBAL(g, lanes->r.module)
        for (unsigned align = LARGEST_ALIGNMENT; align >= LARGE_ALIGNMENT; align /= 2)
            if (LLVMIsDeclaration(g) && belongs(g, lanes->r.kernel) && LLVMGetAlignment(g) >= align)
                code->shared_bytes = round_up(code->shared_bytes, align);
    place_aligned(lanes, code, 0, 0, true);
}

/* Sets for each memory instruction that accesses a shared variable the variable's offset in the
 * work-group's shared memory. */
static void place_sites(const pm_warp_builder *lanes)
{
    for (size_t i = 0; i < lanes->values.count; i++) {
        const pm_code_value *value = &lanes->values.values[i];
        LLVMValueRef object =
            value->sites > 0 ? pm_site_object(pm_site_pointer(value->instruction)) : NULL;

        for (size_t g = 0; object && g < lanes->shared_count; g++)
            for (uint32_t s = 0; lanes->shared[g].variable == object && s < value->sites; s++)
                lanes->sites.sites[value->site + s].object_offset = lanes->shared[g].offset;
    }
}

/* ---- slices -------------------------------------------------------------------------------- */

/* State of a backward search for the values on which a branch or an address may depend (a slice). A
 * value loaded from a variable in shared or private memory depends on everything that is stored in
 * this variable. */
typedef struct {
    const pm_values *values;
    size_t *waiting; /* list of values whose operands the search has not visited yet, as indices in
                        `values` */
    size_t count;
    pm_memory *memory;
    /* variables in shared or private memory from which values of the slice (on which branches or
     * addresses depend) are loaded; NULL: an unknown variable */
    LLVMValueRef *read;
    size_t read_count;
} slice;

static void mark(slice *s, LLVMValueRef operand)
{
    pm_code_value *value = pm_code_value_of(s->values, operand);

    if (!value || value->decides)
        return;
    value->decides = true;
    s->waiting[s->count++] = (size_t)(value - s->values->values);
}

static void mark_operands(slice *s, LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        mark(s, LLVMGetOperand(instruction, (unsigned)i));
}

static bool is_own_memory(LLVMValueRef pointer)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

    return space != GLOBAL_SPACE && space != CONSTANT_SPACE;
}

/* Marks all values that are stored to a variable as part of the slice (values on which branches or
 * addresses depend). Does nothing if this was already done for the variable. */
static void mark_stored(slice *s, LLVMValueRef variable)
{
    for (size_t i = 0; i < s->read_count; i++)
        if (s->read[i] == variable)
            return;
    *pm_add(s->memory, s->read, s->read_count) = variable;
    for (size_t i = 0; i < s->values->count; i++) {
        LLVMValueRef instruction = s->values->values[i].instruction;
        LLVMValueRef pointer = pm_site_pointer(instruction), other;

        if (!pointer || !is_own_memory(pointer))
            continue;
        other = pm_site_object(pointer);
        if (variable && other && other != variable)
            continue;
        s->values->values[i].feeds = true;
        mark_operands(s, instruction);
    }
}

static void follow(slice *s, LLVMValueRef instruction)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);

    mark_operands(s, instruction);
    if (pointer && is_own_memory(pointer))
        mark_stored(s, pm_site_object(pointer));
}

static void find_deciding(const pm_values *values, pm_memory *memory)
{
    slice s = {.values = values,
               .waiting = pm_take(memory, values->count, sizeof *s.waiting),
               .memory = memory};

    for (size_t i = 0; i < values->count; i++) {
        LLVMValueRef instruction = values->values[i].instruction;
        LLVMValueRef pointer = pm_site_pointer(instruction);

        if (pointer)
            mark(&s, pointer);
        else if (LLVMIsATerminatorInst(instruction))
            mark_operands(&s, instruction);
        else if (pm_changes_group(instruction))
            mark(&s, instruction);
    }
    while (s.count > 0)
        follow(&s, values->values[s.waiting[--s.count]].instruction);
}

/* ---- blocks ------------------------------------------------------------------------------- */

static unsigned end_line(const pm_code_segment *segment)
{
    unsigned line = LLVMGetDebugLocLine(segment->last);

    for (LLVMValueRef i = segment->first; i != segment->last; i = LLVMGetNextInstruction(i))
        if (line == 0)
            line = LLVMGetDebugLocLine(i);
    return line;
}

/* Returns the description of segment k (basic block, cut at barriers) for the engine. *deepest: in:
 * number of instructions on the longest dependency chain up to the end of the previous segment;
 * out: the same for this segment. The input counts only if both segments are parts of the same
 * basic block. */
static pm_block describe_block(const pm_warp_builder *lanes, uint32_t k, uint32_t next_site,
                               pm_again again, double *deepest)
{
    const pm_code_segment *segment = &lanes->structure.segments[k];
    const double before_cut = segment->whole == k ? 0 : *deepest;
    pm_block block = {.end = segment->end,
                      .successors = segment->successors,
                      .first_successor = segment->first_successor,
                      .join = segment->join,
                      .loop = segment->loop,
                      .again = again,
                      .meet = segment->meet,
                      .meet_loop = segment->meet_loop,
                      .merges = segment->merges,
                      .first_merge = segment->first_merge,
                      .begins = segment->whole == k,
                      .predicated = segment->predicated,
                      .grid = segment->end == PM_END_BARRIER && pm_is_grid_barrier(segment->last),
                      .stretch = segment->stretch,
                      .first_site = next_site,
                      .line = end_line(segment)};
    pm_error why;

    *deepest = before_cut;
    PM_EACH_OF_SEGMENT(i, segment) {
        const pm_code_value *value = pm_code_value_of(&lanes->values, i);
        double before = block.mix.total - block.mix.beside, depth;

        block.drains = pm_async_wait(i) >= 0 ? (unsigned)pm_async_wait(i) + 1 : block.drains;
        if (pm_call_waits_for(i) != PM_WAITS_FOR_NOTHING)
            block.waits_for = pm_call_waits_for(i);
        block.sites += value->sites;
        for (uint32_t s = 0; s < value->sites; s++)
            block.global =
                block.global || lanes->sites.sites[value->site + s].space == PM_SPACE_GLOBAL;
        if (!(segment->predicated && i == segment->last) &&
            pm_mix_add(lanes->r.costs, i, &block.mix, &why) != PM_OK)
            pm_leave(lanes->r.memory, why.status, "%s", why.text);
        depth = pm_order_depth(i, block.mix.total - block.mix.beside - before, &lanes->structure,
                               &lanes->values);
        *deepest = depth > *deepest ? depth : *deepest;
    }
    block.mix.depth = *deepest - before_cut;
    return block;
}

/* Returns whether a GPU needs reconvergence instructions (BSSY, BSYNC) for the branch at the end of
 * a segment (basic block, cut at barriers), because work-items may diverge there. */
static bool parts_work_items(const pm_structure *s, const pm_code_segment *segment)
{
    LLVMValueRef condition;

    if (segment->end != PM_END_BRANCH || segment->predicated || segment->join == PM_NO_BLOCK ||
        pm_is_exit(s->segments[segment->join].block))
        return false;
    condition = LLVMGetOperand(segment->last, 0);
    return !pm_is_uniform(condition);
}

/* Adds a jump to the counts of a basic block that ends with a branch in a compare-and-swap retry
 * loop, because the compiled code has one more branch there than the IR. An H200 executes 2.1
 * branches per attempt (benchmark tests/bench/terms/atomics_float). */
static void add_way_back(const pm_warp_builder *lanes, pm_block *block)
{
    if (block->again && block->end == PM_END_BRANCH)
        pm_mix_add_row(pm_costs_row(lanes->r.costs, PM_COST_jump), 1.0, &block->mix);
}

/* If the segments (basic blocks, cut at barriers) between a branch and its partial reconvergence
 * point are short and access no memory, the compiler makes them a part of the branch's condition.
 * No reconvergence instructions are then needed. Short means at most MOST_FOLDED instructions each.
 */
enum {
    MOST_FOLDED = 4 /* maximum number of instructions of a segment (basic block, cut at barriers) */
};

static bool is_folded(const pm_merge_point *merge, const pm_block *blocks)
{
    for (uint32_t k = 0; k < merge->between_count; k++) {
        const pm_block *block = &blocks[merge->between[k]];

        if (block->sites > 0 || block->mix.total > MOST_FOLDED)
            return false;
    }
    return true;
}

/* Adds a BREAK instruction to a segment (basic block, cut at barriers) between a branch and its
 * partial reconvergence point `merge`, if work-items may go from the segment to a path that
 * bypasses the point. A return from the kernel needs no BREAK. */
static void add_break(const pm_warp_builder *lanes, uint32_t from, const pm_merge_point *merge,
                      pm_block *block)
{
    const pm_structure *s = &lanes->structure;
    const pm_code_segment *segment = &s->segments[from];
    bool leaves = false;

    for (uint32_t k = 0; segment->end == PM_END_BRANCH && k < segment->successors; k++) {
        const uint32_t to = s->successors[segment->first_successor + k];

        leaves = leaves || (to != merge->block && !pm_is_before_merge(merge, to) &&
                            !pm_is_exit(s->segments[to].block));
    }
    if (leaves)
        pm_mix_add_row(pm_costs_row(lanes->r.costs, PM_COST_jump), 1.0, &block->mix);
}

static void add_merges(const pm_warp_builder *lanes, uint32_t from, bool *meets, pm_block *blocks)
{
    const pm_code_segment *branch = &lanes->structure.segments[from];

    for (uint32_t k = 0; k < branch->merges; k++) {
        const pm_merge_point *merge = &lanes->structure.merges[branch->first_merge + k];

        if (is_folded(merge, blocks))
            continue;
        meets[merge->block] = true;
        for (uint32_t n = 0; n < merge->between_count; n++)
            add_break(lanes, merge->between[n], merge, &blocks[merge->between[n]]);
    }
}

/* Adds the reconvergence instructions of all branches. Branches with the same reconvergence point
 * have one BSSY and one BSYNC together. Both are counted in the basic block at the reconvergence
 * point, which a warp executes as often as the first of these branches. */
static void add_meetings(const pm_warp_builder *lanes, pm_block *blocks)
{
    const pm_structure *s = &lanes->structure;
    bool *meets = pm_take(lanes->r.memory, s->count, sizeof *meets);

    for (size_t k = 0; k < s->count; k++)
        if (parts_work_items(s, &s->segments[k]))
            meets[s->segments[k].join] = true;
    for (uint32_t k = 0; k < s->count; k++)
        if (s->segments[k].merges > 0 && !pm_is_uniform(LLVMGetOperand(s->segments[k].last, 0)))
            add_merges(lanes, k, meets, blocks);
    for (size_t k = 0; k < s->count; k++)
        if (meets[k])
            pm_mix_add_row(pm_costs_row(lanes->r.costs, PM_COST_reconverge), 1.0, &blocks[k].mix);
}

static void write_block(const pm_warp_builder *lanes, uint32_t k)
{
    char name[64];

    pm_kernel_block_name(lanes->r.number, k, PM_CODE_WHOLE, name, sizeof name);
    pm_warp_builder_write(lanes, k, false, name);
    if (!lanes->r.sliced)
        return;
    pm_kernel_block_name(lanes->r.number, k, PM_CODE_SLICE, name, sizeof name);
    pm_warp_builder_write(lanes, k, true, name);
}

/* Sets in *block the numbers of the PTX blocks to which segment k (basic block, cut at barriers)
 * belongs (pm_block.first_mark). If a basic block was cut into several segments, its first segment
 * gets all numbers. */
static void add_marks(const pm_warp_builder *lanes, uint32_t k, uint32_t **marks, size_t *count,
                      pm_block *block)
{
    const pm_code_segment *segment = &lanes->structure.segments[k];
    const bool is_first = k == 0 || segment[-1].block != segment->block;
    uint32_t found = 0;
    const pm_mark *first = is_first ? pm_marks_of(lanes->r.marks, segment->block, &found) : NULL;

    block->first_mark = (uint32_t)*count;
    block->mark_count = found;
    for (uint32_t m = 0; m < found; m++)
        *pm_add(lanes->r.kept, *marks, *count) = first[m].number;
}

/* Sets in *block the number of loads and stores of spilled registers in segment k (basic block, cut
 * at barriers). If a basic block was cut into several segments, its first segment gets all of
 * them. */
static void add_spills(const pm_spills *spills, const pm_code_segment *segment, uint32_t k,
                       pm_block *block)
{
    const pm_block_spills found =
        segment->whole == k ? pm_spills_of(spills, segment->block) : (pm_block_spills){0};

    block->spill_loads = found.loads;
    block->spill_stores = found.stores;
}

static void describe_blocks(const pm_warp_builder *lanes, const pm_spills *spills,
                            const pm_again *again, pm_kernel_code *code)
{
    size_t count = lanes->structure.count;
    const bool *serial = pm_find_serial_segments(&lanes->structure, lanes->r.memory);
    const double *latency = pm_latency_find(&lanes->structure, &lanes->values, lanes->r.memory);
    pm_block *blocks = pm_take(lanes->r.kept, count, sizeof *blocks);
    uint32_t site = 0, *marks = NULL;
    size_t mark_count = 0;
    double deepest = 0;

    code->blocks = blocks;
    code->block_count = count;
    for (uint32_t k = 0; k < count; k++) {
        blocks[k] =
            describe_block(lanes, k, site, again[lanes->structure.segments[k].loop], &deepest);
        blocks[k].serial = serial[k];
        blocks[k].latency = latency[k];
        add_spills(spills, &lanes->structure.segments[k], k, &blocks[k]);
        add_marks(lanes, k, &marks, &mark_count, &blocks[k]);
        add_way_back(lanes, &blocks[k]);
        code->tries_again[blocks[k].again] = true;
        code->waits_for_grid = code->waits_for_grid || blocks[k].grid;
        site += blocks[k].sites;
        if (k == 0)
            pm_mix_add_entry(lanes->r.costs, lanes->r.kernel, &lanes->structure, &blocks[k].mix);
        code->most_sites = blocks[k].sites > code->most_sites ? blocks[k].sites : code->most_sites;
        code->most_successors = blocks[k].successors > code->most_successors
                                    ? blocks[k].successors
                                    : code->most_successors;
        write_block(lanes, k);
    }
    code->marks = marks;
    add_meetings(lanes, blocks);
}

/* ---- the kernel --------------------------------------------------------------------------- */

typedef struct {
    pm_warp_builder lanes;
    pm_registers registers;
    pm_kernel_code *code;
} kernel_build;

static void build(void *user)
{
    kernel_build *k = user;
    pm_warp_builder *lanes = &k->lanes;
    const pm_kernel_request *r = &lanes->r;
    const pm_structure *structure = &lanes->structure;
    pm_kernel_code *code = k->code;
    pm_cuts cuts = {0};
    const pm_again *again;
    size_t length;
    const char *name = LLVMGetValueName2(r->kernel, &length);

    *r->memory = pm_memory_beside(r->kept);
    code->name = pm_format(r->kept, "%.*s", (int)length, name);
    code->is_cuda = pm_cuda_is_lifted(r->kernel);
    pm_kernel_describe_group(r, code);
    k->registers = pm_registers_estimate(r->kernel, r->register_limit, r->memory);
    code->registers = k->registers.count;
    code->spilled = k->registers.spills.words;
    code->registers_sunk = pm_registers_sunk(r->kernel, r->memory);
    pm_kernel_describe_parameters(r, code);
    pm_exchange_prepare(r->kernel, &cuts, r->memory);
    pm_lockstep_find(r->kernel, &cuts, r->memory);
    lanes->parameters = code->parameters;
    lanes->structure = pm_structure_find(r->kernel, NULL, r->memory);
    again = pm_retry_find(structure, &cuts, r->memory);
    if (cuts.count > 0)
        lanes->structure = pm_structure_find(r->kernel, &cuts, r->memory);
    pm_predication_find(&lanes->structure, r->costs);
    pm_predication_join(&lanes->structure, r->memory);
    lanes->values = pm_values_find(structure, r->layout, r->warp_width, r->memory);
    find_deciding(&lanes->values, r->memory);
    lanes->sites = pm_sites_find(r, structure, &lanes->values);
    place_shared(lanes, code);
    place_sites(lanes);
    code->sites = keep_copy(r, lanes->sites.sites, lanes->sites.count, sizeof(pm_site));
    code->site_count = lanes->sites.count;
    code->successors =
        keep_copy(r, structure->successors, structure->successor_count, sizeof(uint32_t));
    code->merges = keep_merges(r, structure);
    code->loops = keep_copy(r, structure->loops, structure->loop_count, sizeof(pm_code_loop));
    code->loop_count = structure->loop_count;
    code->frame_bytes = lanes->values.frame_bytes;
    code->private_bytes = lanes->values.private_bytes;
    describe_blocks(lanes, &k->registers.spills, again, code);
}

pm_status pm_kernel_build(const pm_kernel_request *r, pm_kernel_code *code, pm_error *err)
{
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    pm_memory memory = {0};
    kernel_build k = {.lanes = {.r = *r,
                                .builder = LLVMCreateBuilderInContext(context),
                                .uniform = LLVMCreateBuilderInContext(context)},
                      .code = code};
    pm_status status;

    *code = (pm_kernel_code){0};
    k.lanes.r.memory = &memory;
    status = pm_attempt(r->kept, build, &k, err);
    LLVMDisposeBuilder(k.lanes.builder);
    LLVMDisposeBuilder(k.lanes.uniform);
    pm_memory_free(&memory);
    return status;
}
