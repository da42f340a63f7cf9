/* Finds the names of struct members in LLVM's debug information.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LLVM's C interface returns names, sizes and offsets of types, but the members of a struct only as
 * operands of its metadata node, by index. The operands of every type node are file, scope, name
 * and base type. In a composite type (struct, union or array) the list of elements follows.
 */
#include "collector/engine/backend/accesses/fields.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "collector/engine/backend/ir/ir.h"

enum { OPERAND_BASE = 3, OPERAND_ELEMENTS = 4, MOST_OPERANDS = 256, MOST_NESTED = 8 };

typedef struct {
    LLVMMetadataRef items[MOST_OPERANDS];
    unsigned count;
} node;

/* Sets *out to the operands of a metadata node. An operand is NULL if it is missing or is not a
 * node. */
static void operands(LLVMContextRef context, LLVMMetadataRef metadata, node *out)
{
    LLVMValueRef value = LLVMMetadataAsValue(context, metadata), values[MOST_OPERANDS];

    out->count = LLVMGetMDNodeNumOperands(value);
    if (out->count > MOST_OPERANDS) {
        out->count = 0;
        return;
    }
    LLVMGetMDNodeOperands(value, values);
    for (unsigned i = 0; i < out->count; i++)
        out->items[i] =
            values[i] && LLVMIsAMDNode(values[i]) ? LLVMValueAsMetadata(values[i]) : NULL;
}

static LLVMMetadataRef operand(LLVMContextRef context, LLVMMetadataRef metadata, unsigned i)
{
    node n;

    operands(context, metadata, &n);
    return i < n.count ? n.items[i] : NULL;
}

static LLVMMetadataKind kind_of(LLVMMetadataRef metadata)
{
    return LLVMGetMetadataKind(metadata);
}

static LLVMMetadataRef argument_type(LLVMValueRef kernel, unsigned argument)
{
    LLVMContextRef context = pm_context_of(kernel);
    LLVMMetadataRef subprogram = LLVMGetSubprogram(kernel);
    node n;

    if (!subprogram)
        return NULL;
    operands(context, subprogram, &n);
    for (unsigned i = 0; i < n.count; i++)
        if (n.items[i] && kind_of(n.items[i]) == LLVMDISubroutineTypeMetadataKind) {
            LLVMMetadataRef types = operand(context, n.items[i], OPERAND_BASE);

            /* add 1, because the list of a function's types starts with the result's type */
            return types ? operand(context, types, argument + 1) : NULL;
        }
    return NULL;
}

static void copy_name(LLVMMetadataRef type, char *out, size_t size)
{
    size_t length;
    const char *name = LLVMDITypeGetName(type, &length);

    snprintf(out, size, "%.*s", (int)length, name ? name : "");
}

/* Returns the composite type (struct) that a type leads to through at most `pointers` pointers and
 * any typedefs and qualifiers; NULL: there is none. *name becomes the last name on the way, such as
 * a typedef's. A pointer in the metadata is a derived type with a size and without a name. */
static LLVMMetadataRef composite(LLVMContextRef context, LLVMMetadataRef type, unsigned pointers,
                                 char *name, size_t size)
{
    for (int depth = 0; type && depth < 4 * MOST_NESTED; depth++) {
        char own[64];

        copy_name(type, own, sizeof own);
        if (kind_of(type) == LLVMDICompositeTypeMetadataKind) {
            if (*own)
                snprintf(name, size, "%s", own);
            return pointers == 0 ? type : NULL;
        }
        if (kind_of(type) != LLVMDIDerivedTypeMetadataKind)
            return NULL;
        if (*own)
            snprintf(name, size, "%s", own);
        else if (LLVMDITypeGetSizeInBits(type) == 64 && pointers > 0)
            pointers--;
        type = operand(context, type, OPERAND_BASE);
    }
    return NULL;
}

/* Returns the member of a struct that contains the byte at `offset`. NULL if the type is not a
 * struct or has no member there. */
static LLVMMetadataRef member_at(LLVMContextRef context, LLVMMetadataRef type, uint64_t offset)
{
    LLVMMetadataRef list = operand(context, type, OPERAND_ELEMENTS);
    node members;

    if (!list)
        return NULL;
    operands(context, list, &members);
    for (unsigned i = 0; i < members.count; i++) {
        LLVMMetadataRef member = members.items[i];
        uint64_t at;

        if (!member || kind_of(member) != LLVMDIDerivedTypeMetadataKind)
            continue;
        at = LLVMDITypeGetOffsetInBits(member) / 8;
        if (offset >= at && offset < at + LLVMDITypeGetSizeInBits(member) / 8)
            return member;
    }
    return NULL;
}

/* Finds the member at `offset` bytes of a struct. The struct is a kernel's argument itself, or the
 * argument leads to it through `pointers` pointers. */
static bool find(LLVMValueRef kernel, unsigned argument, unsigned pointers, uint64_t offset,
                 pm_member_name *field)
{
    LLVMContextRef context = pm_context_of(kernel);
    char ignored[64] = "";
    size_t used = 0;
    LLVMMetadataRef type = argument_type(kernel, argument);

    *field = (pm_member_name){0};
    type =
        type ? composite(context, type, pointers, field->structure, sizeof field->structure) : NULL;
    if (!type || LLVMDITypeGetSizeInBits(type) < 8)
        return false;
    offset %= LLVMDITypeGetSizeInBits(type) / 8;
    for (int depth = 0; type && depth < MOST_NESTED; depth++) {
        LLVMMetadataRef member = member_at(context, type, offset);
        char name[64];

        if (!member)
            break;
        copy_name(member, name, sizeof name);
        used += (size_t)snprintf(field->field + used, sizeof field->field - used, "%s%s",
                                 used ? "." : "", name);
        if (used >= sizeof field->field)
            return false;
        offset -= LLVMDITypeGetOffsetInBits(member) / 8;
        type =
            composite(context, operand(context, member, OPERAND_BASE), 0, ignored, sizeof ignored);
    }
    return used > 0;
}

bool pm_field_find(LLVMValueRef kernel, unsigned argument, uint64_t offset, pm_member_name *field)
{
    return find(kernel, argument, 1, offset, field);
}

bool pm_field_of_value(LLVMValueRef kernel, unsigned argument, uint64_t offset,
                       pm_member_name *field)
{
    return find(kernel, argument, 0, offset, field);
}
