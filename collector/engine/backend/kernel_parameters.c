/* Describes the parameters of a compiled kernel: whether each is a pointer or a value, its size in
 * bytes, and its offset in the memory block from which the generated code reads the arguments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "collector/engine/backend/accesses/fields.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/kernel.h"

enum { SMALL_SLOT = 32 };

static void describe_parameter(const pm_kernel_request *r, unsigned i, pm_parameter *out)
{
    LLVMValueRef value = LLVMGetParam(r->kernel, i);
    LLVMTypeRef type = LLVMTypeOf(value);
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    LLVMAttributeRef by_value = pm_parameter_attribute(r->kernel, i, "byval");

    out->name = pm_format(r->kept, "%.*s", (int)length, name);
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind) {
        out->kind = PM_PARAMETER_VALUE;
        /* use the ABI size, because OpenCL's vectors of three components take the size of four */
        out->bytes = LLVMABISizeOfType(r->layout, type);
    } else if (by_value) {
        out->kind = PM_PARAMETER_VALUE;
        out->bytes = LLVMABISizeOfType(r->layout, LLVMGetTypeAttributeValue(by_value));
    } else {
        out->kind = LLVMGetPointerAddressSpace(type) == SHARED_SPACE ? PM_PARAMETER_SHARED
                                                                     : PM_PARAMETER_GLOBAL;
    }
}

/* Returns the name of a pointer member of a struct argument, such as view.x. The texels of a
 * texture have the name of the texture, which is taken from the argument. */
static char *name_member(const pm_kernel_request *r, unsigned structure, uint64_t offset)
{
    LLVMValueRef argument = LLVMGetParam(r->kernel, structure);
    pm_member_name field;
    size_t length;
    const char *name = LLVMGetValueName2(argument, &length);
    char *made;

    if (pm_cuda_is_texture(r->kernel, structure)) {
        made = pm_copy(r->kept, name);
        LLVMSetValueName2(argument, "", 0);
        return made;
    }
    return pm_field_of_value(r->kernel, structure, offset, &field)
               ? pm_format(r->kept, "%s.%s", name, field.field)
               : pm_format(r->kept, "%s+%" PRIu64, name, offset);
}

/* Describes a parameter that is a pointer member of a struct argument, and names it. */
static void describe_member(const pm_kernel_request *r, unsigned i, pm_parameter *out)
{
    LLVMValueRef value = LLVMGetParam(r->kernel, i);
    unsigned structure;
    uint64_t offset;

    if (!pm_cuda_is_member(r->kernel, i, &structure, &offset))
        return;
    out->structure = structure;
    out->member = offset;
    out->name = name_member(r, structure, offset);
    LLVMSetValueName2(value, out->name, strlen(out->name));
}

/* Assigns to a parameter its slot, the offset of its value among the launch's argument values.
 * Slots are aligned to 32 bytes, or to 128 if they are larger, because the generated code relies on
 * the alignment of types up to double16. */
static void place_parameter(pm_parameter *parameter, size_t *used)
{
    const size_t bytes =
        parameter->kind == PM_PARAMETER_VALUE ? parameter->bytes : sizeof(pm_pointer_argument);
    const size_t align = bytes > SMALL_SLOT ? PM_ARGUMENT_ALIGNMENT : SMALL_SLOT;

    parameter->slot = (*used + align - 1) / align * align;
    parameter->room = (bytes + SMALL_SLOT - 1) / SMALL_SLOT * SMALL_SLOT;
    *used = parameter->slot + parameter->room;
}

void pm_kernel_describe_parameters(const pm_kernel_request *r, pm_kernel_code *code)
{
    size_t count = LLVMCountParams(r->kernel);
    pm_parameter *parameters = pm_take(r->kept, count, sizeof *parameters);

    for (unsigned i = 0; i < count; i++) {
        const char *variable = pm_cuda_variable_of(r->kernel, i);
        const char *reference = pm_cuda_reference_of(r->kernel, i);
        unsigned structure;
        uint64_t offset;

        describe_parameter(r, i, &parameters[i]);
        describe_member(r, i, &parameters[i]);
        code->member_count += pm_cuda_is_member(r->kernel, i, &structure, &offset);
        parameters[i].variable = variable ? pm_copy(r->kept, variable) : NULL;
        parameters[i].reference = reference ? pm_copy(r->kept, reference) : NULL;
        code->variable_count += variable || reference;
        place_parameter(&parameters[i], &code->argument_bytes);
    }
    code->parameters = parameters;
    code->parameter_count = count;
}

void pm_kernel_describe_group(const pm_kernel_request *r, pm_kernel_code *code)
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
