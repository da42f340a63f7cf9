/* Refuses LLVM modules that the trace engine cannot execute.
 *
 * Accepted code is compiled and runs in this process. Accepted code may therefore contain no calls
 * of unknown functions, and no memory accesses except those to which warp_builder.c or tables.c
 * adds a check of the address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "collector/engine/backend/accesses/place.h"
#include "collector/engine/backend/accesses/sites.h"
#include "collector/engine/backend/addresses/pointer.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/module/module.h"

enum { MOST_SPACE = PRIVATE_SPACE, MOST_PRIVATE = 512 * 1024 };

#define TEXTURE_CURE                                                                               \
    "tex1Dfetch, tex1D and tex2D of a texture object can, without layers and levels of detail; "   \
    "otherwise pass the array itself"

typedef struct {
    const pm_backend_request *request;
    pm_memory memory; /* used only to raise errors */
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    bool in_kernel;
    /* private variables of the function that is being checked: sum of their bytes so far */
    uint64_t private_bytes;
} checker;

/* Returns the advice that an error message gives for refused code. The advice depends on the first
 * words of the description `what`, or on the name, of the refused code. */
static const char *cure_of(const char *what, const char *name)
{
    static const struct {
        const char *begins, *cure;
    } cures[] = {
        {"inline assembly", "call an intrinsic that does the same, such as __popc or __shfl_sync, "
                            "or give the PTX that nvcc -ptx makes of the source"},
        {"a texture", TEXTURE_CURE},
        {"the texture", TEXTURE_CURE},
        {"a surface", "pass the array itself"},
        {"the surface", "pass the array itself"},
        {"operator", "pass a buffer, or use an array of constant length"},
        {"malloc", "pass a buffer, or use an array of constant length"},
        {"the __device__ variable ", "pass a buffer in its place"},
        {"a virtual call", "call the class's own function"},
        {"clock",
         "how long a kernel waits for the clock cannot be predicted: count this kernel without it"},
        {"the function ", "count this kernel without it, or if another file of the program defines "
                          "it, add -include FILE to the build options"},
    };

    for (size_t i = 0; i < sizeof cures / sizeof *cures; i++)
        if (pm_starts(what, cures[i].begins) || pm_starts(name, cures[i].begins))
            return cures[i].cure;
    return "count this kernel without it";
}

static _Noreturn void refuse(const checker *c, LLVMValueRef instruction, const char *what,
                             const char *name)
{
    pm_leave(&c->memory, PM_BAD_INPUT, "%s:%u: %s%s cannot be traced; %s", c->request->source_path,
             pm_place_of(instruction, 0).line, what, name, cure_of(what, name));
}

/* Writes the source's name of an OpenCL function, from its mangled name: printf for
 * _Z6printfPU3AS2Kcz. */
static void plain_name(const char *mangled, char *name, size_t size)
{
    unsigned long length;
    char *rest;

    snprintf(name, size, "%s", mangled);
    if (pm_starts(mangled, "_Zn"))
        snprintf(name, size, "operator new");
    if (pm_starts(mangled, "_Zd"))
        snprintf(name, size, "operator delete");
    if (!pm_starts(mangled, "_Z"))
        return;
    /* A mangled name starts with _ZL if the function is static, otherwise with _Z. The length of
     * the function's name follows. */
    length = strtoul(mangled + (mangled[2] == 'L' ? 3 : 2), &rest, 10);
    if (length > 0 && length < size && length <= strlen(rest)) {
        memcpy(name, rest, length);
        name[length] = '\0';
    }
}

static bool always_inlined(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       pm_attribute_kind("alwaysinline"));
}

/* Returns whether a kernel's parameter was added for a variable in global memory. */
static bool is_variable(LLVMValueRef parameter)
{
    LLVMValueRef kernel = LLVMGetParamParent(parameter);

    return pm_cuda_variable_of(kernel, (unsigned)pm_parameter_index(kernel, parameter)) != NULL;
}

/* Raises the error for a use of a CUDA texture or surface. call: the call that reads it. function:
 * name of the function of perfmodel's CUDA declarations that is called; NULL: an LLVM intrinsic. */
static _Noreturn void refuse_texture(const checker *c, LLVMValueRef call, const char *function)
{
    const bool is_surface = function && pm_starts(function, "surf");
    char text[320], name[128] = "";

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !*name; i++) {
        LLVMValueRef operand = LLVMGetArgOperand(call, i);
        size_t length;

        if (LLVMIsAGlobalVariable(operand))
            pm_cuda_plain_name(LLVMGetValueName2(operand, &length), name, sizeof name);
        else if (LLVMIsAArgument(operand) &&
                 (pm_integer_bits(LLVMTypeOf(operand)) == 64 || is_variable(operand)))
            snprintf(name, sizeof name, "%s", LLVMGetValueName2(operand, &length));
    }
    snprintf(text, sizeof text, "%s %s%s%s%s%s", *name ? "the" : "a",
             is_surface ? "surface" : "texture", *name ? " " : "", name, function ? ", by " : "",
             function ? function : "");
    refuse(c, call, text, function ? "," : "");
}

/* Raises the error for a use of a texture reference. handle: the call of LLVM's intrinsic that
 * returns the reference's handle, an argument of the call that uses the texture. */
static _Noreturn void refuse_reference(const checker *c, LLVMValueRef handle)
{
    LLVMUseRef use = LLVMGetFirstUse(handle);
    char name[128] = "";

    if (use && LLVMIsACallInst(LLVMGetUser(use)))
        plain_name(pm_callee_name(LLVMGetUser(use)), name, sizeof name);
    refuse_texture(c, handle, *name ? name : NULL);
}

enum { MOST_FOLLOWED = 256 };

/* Returns whether a branch or an address may depend on a value, directly or through the results of
 * other instructions. Also returns true if too many instructions depend on the value. */
static bool decides(LLVMValueRef value)
{
    LLVMValueRef followed[MOST_FOLLOWED] = {value};
    size_t count = 1;

    for (size_t i = 0; i < count; i++)
        PM_EACH_USE(use, followed[i]) {
            LLVMValueRef user = LLVMGetUser(use);
            const bool is_stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) != followed[i];
            size_t at = 0;

            if (LLVMIsATerminatorInst(user) || LLVMIsAGetElementPtrInst(user) ||
                LLVMIsAIntToPtrInst(user))
                return true;
            while (at < count && followed[at] != user)
                at++;
            if (is_stored || at < count)
                continue;
            if (count == MOST_FOLLOWED)
                return true;
            followed[count++] = user;
        }
    return false;
}

static void check_call(const checker *c, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    char name[128];

    if (LLVMIsAInlineAsm(callee))
        refuse(c, call, "inline assembly", "");
    if (!LLVMIsAFunction(callee))
        refuse(c, call, "a call by pointer", "");
    if (pm_call_kind(call) == PM_CALL_CLOCK && decides(call))
        refuse(c, call, "the function ", pm_callee_name(call));
    if (pm_call_kind(call) != PM_CALL_ORDINARY)
        return;
    plain_name(pm_callee_name(call), name, sizeof name);
    /* Calls of this function are what clang generates for samplers of OpenCL images. */
    if (strcmp(name, "__translate_sampler_initializer") == 0)
        refuse(c, call, "an image with a sampler", "");
    if (pm_starts(name, "llvm.nvvm.texsurf"))
        refuse_reference(c, call);
    if (LLVMIsDeclaration(callee) && (pm_starts(name, "tex") || pm_starts(name, "surf")))
        refuse_texture(c, call, name);
    if (LLVMIsDeclaration(callee) && !pm_intrinsic_of(name))
        refuse(c, call, "the function ", name);
    if (!LLVMIsDeclaration(callee) && (pm_is_kernel(callee) || always_inlined(callee)))
        refuse(c, call, "recursion: ", name);
}

static void check_arguments(const checker *c, LLVMValueRef kernel)
{
    size_t length;

    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMValueRef parameter = LLVMGetParam(kernel, i);

        if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMTargetExtTypeKind)
            pm_leave(&c->memory, PM_BAD_INPUT,
                     "%s: argument %s of %s is an image or a sampler, which cannot be traced",
                     c->request->source_path, LLVMGetValueName2(parameter, &length),
                     LLVMGetValueName2(kernel, &length));
    }
}

/* Returns whether a type is a pointer with an address space that the engine does not support. The
 * address space's number would mean another address space on the host. */
static bool is_foreign(LLVMTypeRef type)
{
    type = pm_element_type(type);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(type) > MOST_SPACE;
}

static bool has_foreign(LLVMValueRef instruction)
{
    if (is_foreign(LLVMTypeOf(instruction)))
        return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (is_foreign(LLVMTypeOf(LLVMGetOperand(instruction, i))))
            return true;
    return false;
}

static void check_variable(checker *c, LLVMValueRef variable)
{
    LLVMValueRef count = LLVMGetOperand(variable, 0);
    uint64_t bytes = LLVMABISizeOfType(c->layout, LLVMGetAllocatedType(variable));

    if (!LLVMIsAConstantInt(count))
        refuse(c, variable, "a private array whose length is not a constant", "");
    if (bytes > MOST_PRIVATE || LLVMConstIntGetZExtValue(count) > MOST_PRIVATE ||
        (c->private_bytes += bytes * LLVMConstIntGetZExtValue(count)) > MOST_PRIVATE)
        pm_leave(&c->memory, PM_BAD_INPUT,
                 "%s:%u: more private memory than the 512 KiB that a GPU has for a work-item",
                 c->request->source_path,
                 /* the kernel's line is reported, because the variable's line is unknown */
                 pm_function_line(variable));
}

static bool is_table(LLVMValueRef object)
{
    return object && LLVMIsAGlobalVariable(object) && LLVMIsGlobalConstant(object);
}

static bool in_table(const checker *c, LLVMValueRef load, LLVMValueRef object)
{
    return is_table(object) && LLVMStoreSizeOfType(c->layout, LLVMTypeOf(load)) <=
                                   LLVMABISizeOfType(c->layout, LLVMGlobalGetValueType(object));
}

static bool is_variable_of_device(LLVMValueRef object)
{
    return object && LLVMIsAGlobalVariable(object) && !LLVMIsGlobalConstant(object) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(object)) == GLOBAL_SPACE;
}

/* Returns whether a pointer is to a class's table of virtual functions. clang names a loaded
 * pointer to a table `vtable`, and the tables themselves _ZTV... (Itanium C++ ABI, 5.1.4.1). */
static bool is_vtable(LLVMValueRef pointer)
{
    size_t length;

    while (LLVMIsASelectInst(pointer))
        pointer = LLVMGetOperand(pointer, 1);
    while (LLVMIsAConstantExpr(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pm_starts(LLVMGetValueName2(pointer, &length),
                     LLVMIsAGlobalVariable(pointer) ? "_ZTV" : "vtable");
}

/* Refuses accesses of CUDA code to __device__ variables, and accesses that may be to several kinds
 * of memory. CUDA's pointers have no address space. pm_cuda_point_to_global has given one to
 * pointers that were loaded from memory, so other pointers may lead to shared or private memory. */
static void check_cuda_access(const checker *c, LLVMValueRef access, LLVMValueRef object)
{
    LLVMValueRef pointer = pm_site_pointer(access);
    char name[128];
    size_t length;

    if (is_variable_of_device(object)) {
        pm_cuda_plain_name(LLVMGetValueName2(object, &length), name, sizeof name);
        refuse(c, access, "the __device__ variable ", name);
    }
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0 || object ||
        pm_pointer_is_private(pointer))
        return;
    if (is_vtable(pointer))
        refuse(c, access, "a virtual call", "");
    refuse(c, access, "a pointer that may lead to more than one memory,", "");
}

/* Refuses a memory access that the engine cannot check: a store to constant memory, or, in a
 * function that is not inlined, any access except a load from a constant array. */
static void check_access(const checker *c, LLVMValueRef access)
{
    LLVMValueRef pointer = pm_site_pointer(access), object = pm_site_object(pointer);
    bool constant = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == CONSTANT_SPACE;

    if (LLVMStoreSizeOfType(c->layout, pm_site_type(access)) > PM_SPARE_BYTES)
        refuse(c, access, "a vector of more bytes than OpenCL's have", "");
    if ((constant || is_table(object)) && !LLVMIsALoadInst(access))
        refuse(c, access, "a store to constant memory", "");
    if (c->in_kernel &&
        pm_cuda_is_lifted(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access))))
        check_cuda_access(c, access, object);
    if (!c->in_kernel && !in_table(c, access, object)) {
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
        char name[128];
        size_t length;

        plain_name(LLVMGetValueName2(function, &length), name, sizeof name);
        refuse(c, access, "a function of one's own that accesses memory and is called ", name);
    }
}

static void check_instruction(checker *c, LLVMValueRef i)
{
    if (PM_IS(i, LLVMInvoke, LLVMIndirectBr, LLVMCallBr))
        refuse(c, i, "an indirect jump", "");
    if (has_foreign(i))
        refuse(c, i, "a pointer to an address space that OpenCL does not have", "");
    if (pm_is_opcode(i, LLVMCall))
        check_call(c, i);
    if (pm_is_opcode(i, LLVMAlloca))
        check_variable(c, i);
    if (pm_site_pointer(i))
        check_access(c, i);
}

static void check_functions(checker *c, bool kernels)
{
    PM_EACH_FUNCTION(f, c->module) {
        if (pm_is_kernel(f) != kernels)
            continue;
        c->in_kernel = kernels;
        c->private_bytes = 0;
        if (kernels)
            check_arguments(c, f);
        PM_EACH_BLOCK(b, f)
            PM_EACH_INSTRUCTION(i, b)
                check_instruction(c, i);
    }
}

/* Returns whether the launch determines a variable's size, as in extern __shared__ float tile[]. */
static bool is_sized_by_launch(LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);

    return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == SHARED_SPACE &&
           LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMGetArrayLength(type) == 0;
}

static void check(void *user)
{
    checker *c = user;
    size_t length;

    PM_EACH_GLOBAL(g, c->module)
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) && !is_sized_by_launch(g))
            pm_leave(&c->memory, PM_BAD_INPUT, "%s: the variable %s has no definition",
                     c->request->source_path, LLVMGetValueName2(g, &length));
    check_functions(c, true);
    check_functions(c, false);
}

pm_status pm_module_check(LLVMModuleRef module, const pm_backend_request *request, pm_error *err)
{
    checker c = {.request = request, .module = module, .layout = LLVMGetModuleDataLayout(module)};

    return pm_attempt(&c.memory, check, &c, err);
}
