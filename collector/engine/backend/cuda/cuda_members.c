/* Makes parameters of the pointers in a kernel's struct arguments.
 *
 * A kernel that takes `struct View { const float *x; int n; } v` and reads v.x gets a further
 * parameter, a pointer to global memory, in place of the loads of v.x. All rules for pointer
 * arguments then hold for v.x, too: bounds, dependences between launches, names in tables. On a
 * GPU, reading v.x and reading a pointer argument cost the same, because all arguments of a launch
 * are in one constant bank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/cuda/cuda.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/ir/ir.h"

enum { MOST_MEMBERS = 64 };

static const char mark[] = "pm-member";

/* Pointer members of struct parameters that a kernel reads. */
typedef struct {
    struct {
        unsigned parameter;
        uint64_t offset; /* bytes from the start of the struct */
    } items[MOST_MEMBERS];
    unsigned count;
} members;

/* Returns the struct parameter that an address points into, and sets *offset to the offset in
 * bytes. -1: it points elsewhere, or the offset is not a constant. */
static int find_parameter(LLVMValueRef kernel, LLVMValueRef pointer, LLVMTargetDataRef layout,
                          uint64_t *offset)
{
    int parameter;

    *offset = 0;
    while (pm_is_opcode(pointer, LLVMGetElementPtr)) {
        uint64_t bytes;

        if (!pm_constant_offset(pointer, layout, &bytes))
            return -1;
        *offset += bytes;
        pointer = LLVMGetOperand(pointer, 0);
    }
    parameter = pm_parameter_index(kernel, pointer);
    return parameter >= 0 && pm_parameter_attribute(kernel, (unsigned)parameter, "byval")
               ? parameter
               : -1;
}

/* Returns the index in `list` of the struct member that an instruction loads, and adds the member
 * if it is new. MOST_MEMBERS: the instruction loads no pointer member, or the list is full. */
static unsigned member_of(LLVMValueRef kernel, LLVMValueRef load, LLVMTargetDataRef layout,
                          members *list)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    uint64_t offset;
    unsigned m = 0;
    int parameter;

    if (!LLVMIsALoadInst(load) || LLVMGetVolatile(load) ||
        LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(type) != GLOBAL_SPACE)
        return MOST_MEMBERS;
    parameter = find_parameter(kernel, LLVMGetOperand(load, 0), layout, &offset);
    if (parameter < 0)
        return MOST_MEMBERS;
    while (m < list->count &&
           (list->items[m].parameter != (unsigned)parameter || list->items[m].offset != offset))
        m++;
    if (m == list->count && m < MOST_MEMBERS) {
        list->items[m].parameter = (unsigned)parameter;
        list->items[m].offset = offset;
        list->count++;
    }
    return m;
}

static void find_members(LLVMValueRef kernel, LLVMTargetDataRef layout, members *list)
{
    PM_EACH_BLOCK(block, kernel)
        PM_EACH_INSTRUCTION(i, block)
            member_of(kernel, i, layout, list);
}

/* Declares a new version of the kernel. Its parameters are those of the kernel, and then one for
 * each pointer member in `list`. */
static LLVMValueRef declare(LLVMModuleRef module, LLVMValueRef old, const members *list)
{
    const unsigned count = LLVMCountParams(old);
    LLVMTypeRef *types = calloc(count + list->count, sizeof(LLVMTypeRef));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef made = NULL;

    for (unsigned i = 0; types && i < count; i++)
        types[i] = LLVMTypeOf(LLVMGetParam(old, i));
    for (unsigned m = 0; types && m < list->count; m++)
        types[count + m] = LLVMPointerTypeInContext(context, GLOBAL_SPACE);
    if (types)
        made = LLVMAddFunction(
            module, "",
            LLVMFunctionType(LLVMVoidTypeInContext(context), types, count + list->count, 0));
    for (unsigned m = 0; made && m < list->count; m++) {
        char text[48];

        snprintf(text, sizeof text, "%u:%" PRIu64, list->items[m].parameter, list->items[m].offset);
        LLVMAddAttributeAtIndex(made, count + m + 1,
                                LLVMCreateStringAttribute(context, mark, sizeof mark - 1, text,
                                                          (unsigned)strlen(text)));
    }
    free(types);
    return made;
}

/* Replaces the loads of the members in `list` by the parameters of the new kernel `made`. */
static void replace_loads(LLVMValueRef old, LLVMValueRef made, LLVMTargetDataRef layout,
                          members *list)
{
    const unsigned own = LLVMCountParams(old);

    PM_EACH_BLOCK(block, old)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            const unsigned m = member_of(old, i, layout, list);

            next = LLVMGetNextInstruction(i);
            if (m >= list->count)
                continue;
            LLVMReplaceAllUsesWith(i, LLVMGetParam(made, own + m));
            LLVMInstructionEraseFromParent(i);
        }
}

static void split(LLVMModuleRef module, LLVMValueRef old, LLVMTargetDataRef layout)
{
    members list = {.count = 0};
    LLVMValueRef made;

    find_members(old, layout, &list);
    made = list.count > 0 ? declare(module, old, &list) : NULL;
    if (!made)
        return;
    replace_loads(old, made, layout, &list);
    pm_cuda_move_kernel(module, old, made);
}

void pm_cuda_split_structs(LLVMModuleRef module)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (pm_cuda_is_lifted(f))
            split(module, f, layout);
    }
}

bool pm_cuda_is_member(LLVMValueRef kernel, unsigned i, unsigned *parameter, uint64_t *offset)
{
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(kernel, i + 1, mark, sizeof mark - 1);
    unsigned length;
    char text[48];

    if (!attribute)
        return false;
    snprintf(text, sizeof text, "%.*s", 47, LLVMGetStringAttributeValue(attribute, &length));
    return sscanf(text, "%u:%" SCNu64, parameter, offset) == 2;
}
