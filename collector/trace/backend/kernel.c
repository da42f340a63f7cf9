/* One kernel of a module. See kernel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernel.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "count_mix.h"
#include "depends.h"
#include "ir.h"
#include "lanes.h"
#include "module.h"
#include "order.h"
#include "registers.h"

void pm_kernel_block_name(size_t kernel, uint32_t block, char *name, size_t size)
{
    snprintf(name, size, "pm.kernel%zu.block%u", kernel, block);
}

/* ---- parameters --------------------------------------------------------------------------- */

static bool has_attribute(LLVMValueRef kernel, unsigned parameter, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(kernel, parameter + 1,
                                       LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void describe_parameter(const pm_kernel_request *r, unsigned i, pm_parameter *out)
{
    LLVMValueRef value = LLVMGetParam(r->kernel, i);
    LLVMTypeRef type = LLVMTypeOf(value);
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    bool none = has_attribute(r->kernel, i, "readnone");

    out->name = pm_arena_text(r->arena, name, length);
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind) {
        out->kind = PM_PARAMETER_VALUE;
        out->bytes = LLVMABISizeOfType(r->layout, type); /* of three components: that of four */
    } else if (has_attribute(r->kernel, i, "byval")) {
        LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(
            r->kernel, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));

        out->kind = PM_PARAMETER_VALUE;
        out->bytes = LLVMABISizeOfType(r->layout, LLVMGetTypeAttributeValue(by_value));
    } else {
        out->kind = LLVMGetPointerAddressSpace(type) == SHARED_SPACE ? PM_PARAMETER_SHARED
                                                                     : PM_PARAMETER_GLOBAL;
        out->read = !none && !has_attribute(r->kernel, i, "writeonly");
        out->written = !none && !has_attribute(r->kernel, i, "readonly");
    }
}

static pm_status describe_parameters(const pm_kernel_request *r, pm_kernel_code *code,
                                     pm_error *err)
{
    pm_parameter *parameters;

    code->parameter_count = LLVMCountParams(r->kernel);
    parameters = pm_arena_alloc(r->arena, (code->parameter_count + 1) * sizeof *parameters);
    if (!parameters)
        return pm_fail(err, PM_FAILED, "out of memory for the parameters of a kernel");
    for (unsigned i = 0; i < code->parameter_count; i++)
        describe_parameter(r, i, &parameters[i]);
    code->parameters = parameters;
    return PM_OK;
}

/* __attribute__((reqd_work_group_size(x, y, z))) */
static void describe_group(const pm_kernel_request *r, pm_kernel_code *code)
{
    static const char name[] = "reqd_work_group_size";
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    unsigned kind = LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(r->kernel, &count);

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef node, sizes[3];

        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind)
            continue;
        node = LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i));
        if (LLVMGetMDNodeNumOperands(node) != 3)
            continue;
        LLVMGetMDNodeOperands(node, sizes);
        for (unsigned d = 0; d < 3; d++)
            code->required_group[d] = (unsigned)LLVMConstIntGetZExtValue(sizes[d]);
    }
    LLVMDisposeValueMetadataEntries(entries);
}

/* ---- shared variables --------------------------------------------------------------------- */

/* clang calls a kernel's own variable kernel.variable; only kernels can have them. */
static bool belongs(LLVMValueRef variable, LLVMValueRef kernel)
{
    size_t own, length;
    const char *name = LLVMGetValueName2(variable, &length);
    const char *function = LLVMGetValueName2(kernel, &own);

    return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == SHARED_SPACE && length > own &&
           strncmp(name, function, own) == 0 && name[own] == '.';
}

static pm_status place_shared(const pm_kernel_request *r, pm_lanes *lanes, pm_kernel_code *code,
                              pm_error *err)
{
    size_t count = 0;

    for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g))
        count += belongs(g, r->kernel);
    lanes->shared = pm_arena_alloc(r->arena, (count + 1) * sizeof *lanes->shared);
    lanes->shared_offset = pm_arena_alloc(r->arena, (count + 1) * sizeof *lanes->shared_offset);
    if (!lanes->shared || !lanes->shared_offset)
        return pm_fail(err, PM_FAILED, "out of memory for the shared variables of a kernel");
    for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g)) {
        size_t bytes;

        if (!belongs(g, r->kernel))
            continue;
        bytes = LLVMABISizeOfType(r->layout, LLVMGlobalGetValueType(g));
        lanes->shared[lanes->shared_count] = g;
        lanes->shared_offset[lanes->shared_count++] = code->shared_bytes;
        code->shared_bytes += (bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
    }
    return PM_OK;
}

/* Where in the group's shared memory the variable of a site starts. */
static void place_sites(const pm_lanes *lanes, pm_sites *sites)
{
    for (size_t i = 0; i < lanes->values->count; i++) {
        const pm_value *value = &lanes->values->values[i];
        LLVMValueRef object =
            value->sites > 0 ? pm_site_object(pm_site_pointer(value->instruction)) : NULL;

        for (size_t g = 0; object && g < lanes->shared_count; g++)
            for (uint32_t s = 0; lanes->shared[g] == object && s < value->sites; s++)
                sites->sites[value->site + s].object_offset = lanes->shared_offset[g];
    }
}

/* ---- blocks ------------------------------------------------------------------------------- */

static unsigned end_line(const pm_segment *segment)
{
    unsigned line = LLVMGetDebugLocLine(segment->last);

    for (LLVMValueRef i = segment->first; i != segment->last; i = LLVMGetNextInstruction(i))
        if (line == 0)
            line = LLVMGetDebugLocLine(i);
    return line;
}

static pm_status describe_block(const pm_kernel_request *r, const pm_lanes *lanes, uint32_t k,
                                uint32_t *next_site, pm_block *block, pm_error *err)
{
    const pm_segment *segment = &lanes->structure->segments[k];
    double before, depth;

    *block = (pm_block){.end = segment->end,
                        .successors = segment->successors,
                        .first_successor = segment->first_successor,
                        .join = segment->join,
                        .predicated = segment->predicated,
                        .first_site = *next_site,
                        .line = end_line(segment)};
    for (LLVMValueRef i = segment->first;; i = LLVMGetNextInstruction(i)) {
        const pm_value *value = pm_value_of(lanes->values, i);

        block->sites += value->sites;
        for (uint32_t s = 0; s < value->sites; s++)
            block->global =
                block->global || lanes->sites->sites[value->site + s].space == PM_SPACE_GLOBAL;
        before = block->mix.total;
        if (!(segment->predicated && i == segment->last) &&
            pm_mix_add(r->costs, i, &block->mix, err) != PM_OK)
            return err->status;
        depth = pm_order_depth(i, block->mix.total - before, lanes->values);
        block->mix.depth = depth > block->mix.depth ? depth : block->mix.depth;
        if (i == segment->last)
            break;
    }
    *next_site += block->sites;
    return PM_OK;
}

static pm_status describe_blocks(const pm_kernel_request *r, const pm_lanes *lanes,
                                 pm_kernel_code *code, pm_error *err)
{
    const pm_structure *structure = lanes->structure;
    pm_block *blocks = pm_arena_alloc(r->arena, structure->count * sizeof *blocks);
    uint32_t *successors =
        pm_arena_alloc(r->arena, (structure->successor_count + 1) * sizeof *successors);
    pm_loop *loops = pm_arena_alloc(r->arena, structure->loop_count * sizeof *loops);
    uint32_t site = 0;

    if (!blocks || !successors || !loops)
        return pm_fail(err, PM_FAILED, "out of memory for the blocks of a kernel");
    memcpy(successors, structure->successors, structure->successor_count * sizeof *successors);
    memcpy(loops, structure->loops, structure->loop_count * sizeof *loops);
    code->blocks = blocks;
    code->block_count = structure->count;
    code->successors = successors;
    code->loops = loops;
    code->loop_count = structure->loop_count;
    for (uint32_t k = 0; k < structure->count; k++) {
        char name[64];

        if (describe_block(r, lanes, k, &site, &blocks[k], err) != PM_OK)
            return err->status;
        if (k == 0)
            pm_mix_add_entry(r->costs, r->kernel, &blocks[k].mix);
        code->most_sites = blocks[k].sites > code->most_sites ? blocks[k].sites : code->most_sites;
        code->most_successors = blocks[k].successors > code->most_successors
                                    ? blocks[k].successors
                                    : code->most_successors;
        pm_kernel_block_name(r->number, k, name, sizeof name);
        if (pm_lanes_write(lanes, k, name, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

static pm_status build_with(const pm_kernel_request *r, const pm_structure *structure,
                            pm_values *values, pm_kernel_code *code, pm_error *err)
{
    pm_sites sites;
    pm_lanes lanes = {.module = r->module,
                      .kernel = r->kernel,
                      .structure = structure,
                      .values = values,
                      .sites = &sites,
                      .layout = r->layout,
                      .warp_width = r->warp_width};
    pm_status status =
        pm_sites_find(r->kernel, structure, values, r->layout, r->arena, &sites, err);

    if (status == PM_OK)
        status = place_shared(r, &lanes, code, err);
    if (status != PM_OK)
        return status;
    place_sites(&lanes, &sites);
    code->sites = sites.sites;
    code->site_count = sites.count;
    code->frame_bytes = values->frame_bytes;
    code->private_bytes = values->private_bytes;
    return describe_blocks(r, &lanes, code, err);
}

pm_status pm_kernel_build(const pm_kernel_request *r, pm_kernel_code *code, pm_error *err)
{
    pm_structure structure;
    pm_values values;
    size_t length;
    const char *name = LLVMGetValueName2(r->kernel, &length);
    pm_status status;

    *code = (pm_kernel_code){.name = pm_arena_text(r->arena, name, length)};
    describe_group(r, code);
    if (pm_registers_estimate(r->kernel, &code->registers, err) != PM_OK ||
        describe_parameters(r, code, err) != PM_OK ||
        pm_structure_find(r->kernel, &structure, err) != PM_OK)
        return err->status;
    status = pm_values_find(&structure, r->layout, r->warp_width, &values, err);
    if (status == PM_OK)
        status = pm_depends_on_data(&values, &code->data_dependent, err);
    if (status == PM_OK)
        status = build_with(r, &structure, &values, code, err);
    pm_values_free(&values);
    pm_structure_free(&structure);
    return status;
}
