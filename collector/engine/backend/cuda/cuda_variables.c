/* Passes CUDA's variables in global memory to kernels as further parameters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A __device__ or __managed__ variable that kernels may change is memory that all launches of a
 * program share, like a buffer. Each kernel therefore gets a parameter for each of these variables
 * that it uses. The engine binds the parameter to a buffer with the variable's initial value
 * (program.h: pm_device_variable). The parameters are declared when a kernel is lifted, and replace
 * the variables after LLVM's general optimisations, which thus know that different variables do not
 * overlap.
 */
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"

/* attribute that marks a kernel parameter as the address of a variable in global memory */
static const char mark[] = "pm-variable";

enum { DEEPEST = 32 };

bool pm_cuda_is_variable(LLVMValueRef value)
{
    size_t length;

    return LLVMIsAGlobalVariable(value) && !LLVMIsGlobalConstant(value) &&
           !LLVMIsDeclaration(value) &&
           (LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == GLOBAL_SPACE ||
            pm_cuda_is_in_buffer(value)) &&
           !pm_cuda_is_reference(value) &&
           !pm_starts(LLVMGetValueName2(value, &length), "pm_kernel_");
}

/* ---- the variables that a kernel uses -------------------------------------------------------- */

/* The functions that use a variable in global memory, directly or through functions that they
 * call. */
typedef struct {
    LLVMValueRef *functions;
    size_t count, room;
    bool failed; /* true: out of memory */
} users;

static void add_user(users *u, LLVMValueRef function)
{
    LLVMValueRef *grown;

    for (size_t i = 0; i < u->count; i++)
        if (u->functions[i] == function)
            return;
    if (u->count == u->room) {
        grown = realloc(u->functions, 2 * (u->room + 8) * sizeof *grown);
        u->failed |= !grown;
        if (!grown)
            return;
        u->functions = grown;
        u->room = 2 * (u->room + 8);
    }
    u->functions[u->count++] = function;
}

/* Adds to u->functions all functions with an instruction that uses `value`, directly or as a part
 * of a constant expression. */
static void add_users_of(users *u, LLVMValueRef value, unsigned depth)
{
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAInstruction(user))
            add_user(u, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
        else if (LLVMIsAConstant(user) && !LLVMIsAGlobalValue(user) && depth < DEEPEST)
            add_users_of(u, user, depth + 1);
    }
}

/* Returns whether a kernel uses a variable in global memory, directly or in the functions that it
 * calls. */
static bool uses(LLVMValueRef kernel, LLVMValueRef variable, bool *failed)
{
    users u = {0};
    bool found = false;

    add_users_of(&u, variable, 0);
    for (size_t i = 0; i < u.count; i++) {
        found = found || u.functions[i] == kernel;
        add_users_of(&u, u.functions[i], 0);
    }
    free(u.functions);
    *failed |= u.failed;
    return found;
}

LLVMValueRef *pm_cuda_variables_of(LLVMModuleRef module, LLVMValueRef kernel, size_t *count)
{
    LLVMValueRef *variables;
    size_t most = 0;
    bool failed = false;

    *count = 0;
    PM_EACH_GLOBAL(g, module)
        most += pm_cuda_is_variable(g);
    variables = calloc(most + 1, sizeof(LLVMValueRef));
    PM_EACH_GLOBAL(g, module)
        if (variables && pm_cuda_is_variable(g) && uses(kernel, g, &failed))
            variables[(*count)++] = g;
    if (failed) {
        free(variables);
        variables = NULL;
        *count = 0;
    }
    return variables;
}

void pm_cuda_mark_variable(LLVMValueRef kernel, unsigned i, LLVMValueRef variable)
{
    LLVMContextRef context = pm_context_of(kernel);
    char plain[256];
    size_t length;
    const char *name = LLVMGetValueName2(variable, &length);

    LLVMAddAttributeAtIndex(
        kernel, i + 1,
        LLVMCreateStringAttribute(context, mark, sizeof mark - 1, name, (unsigned)length));
    pm_cuda_plain_name(name, plain, sizeof plain);
    LLVMSetValueName2(LLVMGetParam(kernel, i), plain, strlen(plain));
}

const char *pm_cuda_variable_of(LLVMValueRef kernel, unsigned i)
{
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(kernel, i + 1, mark, sizeof mark - 1);
    unsigned length;

    return attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
}

bool pm_cuda_is_constant_variable(LLVMValueRef value)
{
    LLVMValueRef kernel;

    if (!LLVMIsAArgument(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(value)) != CONSTANT_SPACE)
        return false;
    kernel = LLVMGetParamParent(value);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
        if (LLVMGetParam(kernel, i) == value)
            return pm_cuda_variable_of(kernel, i) != NULL;
    return false;
}

/* ---- replacing variables by parameters ------------------------------------------------------- */

/* State of the replacement of a variable in global memory by a kernel parameter, in the operands of
 * instructions. */
typedef struct {
    LLVMBuilderRef builder;
    LLVMValueRef variable, parameter;
} replacing;

static bool refers(LLVMValueRef value, LLVMValueRef variable, unsigned depth)
{
    if (value == variable)
        return true;
    if (depth == DEEPEST || !LLVMIsAConstantExpr(value))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (refers(LLVMGetOperand(value, i), variable, depth + 1))
            return true;
    return false;
}

static LLVMValueRef expand(const replacing *r, LLVMValueRef value, unsigned depth);

static LLVMValueRef expand_gep(const replacing *r, LLVMValueRef gep, unsigned depth)
{
    const unsigned count = (unsigned)LLVMGetNumOperands(gep) - 1;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef *indices = calloc(count + 1, sizeof(LLVMValueRef)), made = NULL;
    LLVMValueRef base = expand(r, LLVMGetOperand(gep, 0), depth + 1);

    for (unsigned i = 0; indices && i < count; i++)
        indices[i] = LLVMGetOperand(gep, i + 1);
    if (indices && base)
        made = LLVMIsInBounds(gep)
                   ? LLVMBuildInBoundsGEP2(r->builder, type, base, indices, count, "")
                   : LLVMBuildGEP2(r->builder, type, base, indices, count, "");
    free(indices);
    return made;
}

/* Returns a value that differs from `value` only in that the parameter replaces the variable.
 * Constant expressions become instructions at the builder's position. NULL: the constant has a kind
 * that is not supported. */
static LLVMValueRef expand(const replacing *r, LLVMValueRef value, unsigned depth)
{
    LLVMValueRef left, right;
    LLVMOpcode opcode;

    if (value == r->variable)
        return r->parameter;
    if (!refers(value, r->variable, depth))
        return value;
    opcode = LLVMGetConstOpcode(value);
    if (opcode == LLVMGetElementPtr)
        return expand_gep(r, value, depth);
    left = expand(r, LLVMGetOperand(value, 0), depth + 1);
    if (left && (opcode == LLVMAddrSpaceCast || opcode == LLVMBitCast || opcode == LLVMPtrToInt ||
                 opcode == LLVMIntToPtr || opcode == LLVMTrunc))
        return LLVMBuildCast(r->builder, opcode, left, LLVMTypeOf(value), "");
    if (!left || LLVMGetNumOperands(value) != 2)
        return NULL;
    right = expand(r, LLVMGetOperand(value, 1), depth + 1);
    if (right && (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMXor))
        return LLVMBuildBinOp(r->builder, opcode, left, right, "");
    return NULL;
}

/* A phi may have several operands for the same predecessor block, which must be equal. Returns the
 * value of an earlier operand of the phi for the block of operand i. NULL: there is none. */
static LLVMValueRef same_block(LLVMValueRef phi, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (LLVMGetIncomingBlock(phi, k) == LLVMGetIncomingBlock(phi, i))
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

static void replace_in(const replacing *r, LLVMValueRef instruction)
{
    const bool is_phi = LLVMIsAPHINode(instruction) != NULL;

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i), made;

        if (!refers(operand, r->variable, 0))
            continue;
        if (is_phi)
            LLVMPositionBuilderBefore(
                r->builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, i)));
        else
            LLVMPositionBuilderBefore(r->builder, instruction);
        made = is_phi ? same_block(instruction, i) : NULL;
        made = made ? made : expand(r, operand, 0);
        if (made)
            LLVMSetOperand(instruction, i, made);
    }
}

/* Removes the attributes that LLVM has derived for a parameter while the kernel's body did not use
 * it yet. */
static void forget_unused(LLVMValueRef kernel, unsigned i)
{
    static const char *const found[] = {"readnone", "readonly", "writeonly", "nocapture"};

    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        LLVMRemoveEnumAttributeAtIndex(kernel, i + 1, pm_attribute_kind(found[k]));
}

static void replace_variable(LLVMModuleRef module, LLVMValueRef kernel, unsigned i,
                             LLVMBuilderRef builder)
{
    const replacing r = {.builder = builder,
                         .variable = LLVMGetNamedGlobal(module, pm_cuda_variable_of(kernel, i)),
                         .parameter = LLVMGetParam(kernel, i)};

    if (!r.variable)
        return;
    forget_unused(kernel, i);
    PM_EACH_BLOCK(b, kernel)
        PM_EACH_INSTRUCTION(instruction, b)
            replace_in(&r, instruction);
}

void pm_cuda_use_parameters(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    PM_EACH_FUNCTION(f, module)
        for (unsigned i = 0; pm_cuda_is_lifted(f) && i < LLVMCountParams(f); i++)
            if (pm_cuda_variable_of(f, i))
                replace_variable(module, f, i, builder);
    LLVMDisposeBuilder(builder);
}

/* ---- initial values -------------------------------------------------------------------------- */

static bool write_parts(LLVMTargetDataRef layout, LLVMValueRef value, unsigned count,
                        uint64_t stride, uint8_t *to);

/* Writes a constant as it is in memory to `to`, which is zeroed. Returns false if it contains an
 * address. */
static bool write_value(LLVMTargetDataRef layout, LLVMValueRef value, uint8_t *to)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMContextRef context = LLVMGetTypeContext(type);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    const unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;

    if (LLVMIsNull(value) || LLVMIsUndef(value))
        return true;
    if (bits > 64 && bits % 64 == 0)
        return write_value(
            layout,
            LLVMConstBitCast(value, LLVMVectorType(LLVMInt64TypeInContext(context), bits / 64)),
            to);
    if (LLVMIsAConstantInt(value) && bits <= 64) {
        const uint64_t number = LLVMConstIntGetZExtValue(value);

        memcpy(to, &number, (bits + 7) / 8);
        return true;
    }
    if (kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind ||
        kind == LLVMDoubleTypeKind)
        return write_value(
            layout,
            LLVMConstBitCast(
                value, LLVMIntTypeInContext(context, (unsigned)LLVMSizeOfTypeInBits(layout, type))),
            to);
    if (kind == LLVMStructTypeKind)
        return write_parts(layout, value, LLVMCountStructElementTypes(type), 0, to);
    if (kind == LLVMArrayTypeKind)
        return write_parts(layout, value, (unsigned)LLVMGetArrayLength2(type),
                           LLVMABISizeOfType(layout, LLVMGetElementType(type)), to);
    if (kind == LLVMVectorTypeKind)
        return write_parts(layout, value, LLVMGetVectorSize(type),
                           LLVMStoreSizeOfType(layout, LLVMGetElementType(type)), to);
    return false;
}

/* Writes the elements of a struct, array or vector to `to`, as they are in memory. stride: bytes
 * from one element to the next; 0: a struct, whose layout gives the offsets. Returns false if an
 * element contains an address. */
static bool write_parts(LLVMTargetDataRef layout, LLVMValueRef value, unsigned count,
                        uint64_t stride, uint8_t *to)
{
    bool all = true;

    for (unsigned i = 0; all && i < count; i++) {
        const uint64_t offset =
            stride ? i * stride : LLVMOffsetOfElement(layout, LLVMTypeOf(value), i);
        LLVMValueRef element = LLVMGetAggregateElement(value, i);

        all = element && write_value(layout, element, to + offset);
    }
    return all;
}

/* State of pm_cuda_collect_variables, which collects a module's variables. */
typedef struct {
    LLVMModuleRef module;
    const char *source_path;
    pm_memory *kept;
    pm_device_variable *variables;
    size_t count;
} collecting;

static bool is_parameter(LLVMModuleRef module, const char *symbol)
{
    PM_EACH_FUNCTION(f, module)
        for (unsigned i = 0; pm_cuda_is_lifted(f) && i < LLVMCountParams(f); i++) {
            const char *variable = pm_cuda_variable_of(f, i);

            if (variable && strcmp(variable, symbol) == 0)
                return true;
        }
    return false;
}

static void collect_variable(collecting *c, LLVMValueRef variable, const char *symbol)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->module);
    const uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
    LLVMValueRef initial = LLVMGetInitializer(variable);
    uint8_t *contents = NULL;
    char plain[256];

    pm_cuda_plain_name(symbol, plain, sizeof plain);
    if (!LLVMIsNull(initial) && !LLVMIsUndef(initial)) {
        contents = pm_take(c->kept, bytes + 1, 1);
        if (!write_value(layout, initial, contents))
            pm_leave(c->kept, PM_BAD_INPUT,
                     "%s: the initial value of the __device__ variable %s contains an address, "
                     "which cannot be traced; pass a buffer in its place",
                     c->source_path, plain);
    }
    *pm_add(c->kept, c->variables, c->count) =
        (pm_device_variable){.symbol = pm_copy(c->kept, symbol),
                             .name = pm_copy(c->kept, plain),
                             .bytes = bytes,
                             .initial = contents};
}

static void collect(void *user)
{
    collecting *c = user;
    LLVMValueRef next;

    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = next) {
        size_t length;
        const char *symbol = LLVMGetValueName2(g, &length);

        next = LLVMGetNextGlobal(g);
        if (!pm_cuda_is_variable(g))
            continue;
        if (is_parameter(c->module, symbol))
            collect_variable(c, g, symbol);
        /* Delete an unused variable. It would otherwise get memory on the host. */
        if (!LLVMGetFirstUse(g))
            LLVMDeleteGlobal(g);
    }
}

pm_status pm_cuda_collect_variables(LLVMModuleRef module, const char *source_path, pm_memory *kept,
                                    const pm_device_variable **variables, size_t *count,
                                    pm_error *err)
{
    collecting c = {.module = module, .source_path = source_path, .kept = kept};
    const pm_status status = pm_attempt(kept, collect, &c, err);

    *variables = c.variables;
    *count = c.count;
    return status;
}
