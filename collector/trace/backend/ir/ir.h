/* Questions about IR values that the counting of instructions and registers asks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_IR_IR_H
#define PM_COLLECTOR_TRACE_BACKEND_IR_IR_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/* LLVM's numbers of the address spaces of NVIDIA's targets. */
enum { GLOBAL_SPACE = 1, SHARED_SPACE = 3, CONSTANT_SPACE = 4, PRIVATE_SPACE = 5 };

enum {
    WIDEST = 16,          /* bytes of the widest machine access */
    SHARED_ALIGNMENT = 16 /* the GPU's compiler places shared variables itself */
};

/* Loops over what LLVM lists. */
#define PM_EACH_FUNCTION(f, module)                                                                \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define PM_EACH_GLOBAL(g, module)                                                                  \
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
#define PM_EACH_BLOCK(b, function)                                                                 \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
#define PM_EACH_INSTRUCTION(i, block)                                                              \
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
#define PM_EACH_PHI(phi, block)                                                                    \
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi);            \
         phi = LLVMGetNextInstruction(phi))
#define PM_EACH_USE(use, value)                                                                    \
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))

/* 32-bit registers that a value of the type takes; 0 for predicates (i1), labels and void. A
 * pointer to shared or private memory takes one, any other two. */
unsigned pm_type_words(LLVMTypeRef type);

/* 1 of a scalar. */
unsigned pm_type_elements(LLVMTypeRef type);
LLVMTypeRef pm_element_type(LLVMTypeRef type);

/* Bits of an integer or of the elements of a vector of integers; 0 of anything else. */
unsigned pm_integer_bits(LLVMTypeRef type);

bool pm_is_opcode(LLVMValueRef value, LLVMOpcode opcode);

/* Whether a value is an instruction of one of the opcodes. */
#define PM_IS(value, ...) pm_is_opcode_in((value), (const LLVMOpcode[]){__VA_ARGS__, (LLVMOpcode)0})
bool pm_is_opcode_in(LLVMValueRef value, const LLVMOpcode *opcodes);

/* A zero or sign extension. */
bool pm_is_extended(LLVMValueRef value);

/* The one instruction that uses it, if it is in the same block; NULL otherwise. */
LLVMValueRef pm_only_user(LLVMValueRef value);

/* Whether no operand of its only user before it is of the opcode too and used there alone. */
bool pm_is_first_of(LLVMValueRef value, LLVMValueRef user, LLVMOpcode opcode);

/* Whether one of the opcodes before it in its block has the same right operand. */
#define PM_SAME_BEFORE(value, ...)                                                                 \
    pm_same_before((value), (const LLVMOpcode[]){__VA_ARGS__, (LLVMOpcode)0})
bool pm_same_before(LLVMValueRef instruction, const LLVMOpcode *opcodes);

/* Whether only the low 32 bits of a 64-bit integer are used. */
bool pm_is_low_word(LLVMValueRef value);

/* Whether a 64-bit integer is the low word of another with zeros above it, by a mask. */
bool pm_is_low_mask(LLVMValueRef value);

/* Whether the value itself is an index of an address. */
bool pm_is_index(LLVMValueRef value);

/* Whether a 64-bit integer is the low word of another, extended by two shifts by 32. */
bool pm_is_sign_extension(LLVMValueRef value);

/* Whether it is what clEnqueueNDRangeKernel was told to start global ids at: a signed word that is
 * extended where a 64-bit id is made. */
bool pm_is_global_offset(LLVMValueRef value);

/* Whether an integer is the same for all work-items of a work-group and known without a load: made
 * of kernel arguments, constants, group ids and loop counters. */
bool pm_is_uniform(LLVMValueRef value);

/* Layout of the types of the module that an instruction is in. */
LLVMTargetDataRef pm_layout_at(LLVMValueRef instruction);

/* LLVM's number of an attribute. */
unsigned pm_attribute_kind(const char *name);
/* NULL: parameter i of a function does not have it. */
LLVMAttributeRef pm_parameter_attribute(LLVMValueRef function, unsigned i, const char *name);

/* The number of a parameter of a function; -1: it is none. */
int pm_parameter_index(LLVMValueRef function, LLVMValueRef value);

/* The context of a function or a variable of a module. */
LLVMContextRef pm_context_of(LLVMValueRef global);

/* Whether it has all flags of -cl-fast-relaxed-math: denormals are 0, and the last bits of no
 * matter. */
bool pm_is_fast(LLVMValueRef value);

/* The name of the function that a call names, "" for a call by pointer. */
const char *pm_callee_name(LLVMValueRef call);

bool pm_starts(const char *text, const char *with);

#endif
