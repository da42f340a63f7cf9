/* Queries on LLVM IR values, which the counting of instructions and registers needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_IR_IR_H
#define PM_COLLECTOR_ENGINE_BACKEND_IR_IR_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/* LLVM's address-space numbers for NVIDIA's targets. */
enum { GLOBAL_SPACE = 1, SHARED_SPACE = 3, CONSTANT_SPACE = 4, PRIVATE_SPACE = 5 };

enum {
    WIDEST = 16,          /* bytes of the widest machine access */
    SHARED_ALIGNMENT = 16 /* alignment that the GPU's compiler gives shared variables */
};

/* Loops over LLVM's linked lists. */
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

/* Returns the number of 32-bit registers that a value of the type takes; 0 for predicates (i1),
 * labels and void. A pointer to shared or private memory takes one, any other pointer two. */
unsigned pm_type_words(LLVMTypeRef type);

/* Returns the number of elements of a vector type; 1 for a scalar. */
unsigned pm_type_elements(LLVMTypeRef type);
LLVMTypeRef pm_element_type(LLVMTypeRef type);

/* Returns the number of bits of an integer type, or of the elements of a vector of integers; 0 for
 * other types. */
unsigned pm_integer_bits(LLVMTypeRef type);

bool pm_is_opcode(LLVMValueRef value, LLVMOpcode opcode);

/* Returns whether a value is an instruction with one of the given opcodes. */
#define PM_IS(value, ...) pm_is_opcode_in((value), (const LLVMOpcode[]){__VA_ARGS__, (LLVMOpcode)0})
bool pm_is_opcode_in(LLVMValueRef value, const LLVMOpcode *opcodes);

/* Returns whether the value is a zero or sign extension. */
bool pm_is_extended(LLVMValueRef value);

/* Returns the value that a phi gets from the predecessor basic block `from`. */
LLVMValueRef pm_phi_incoming(LLVMValueRef phi, LLVMBasicBlockRef from);
/* Returns the instruction that is the only user of a value, if it is in the same basic block as the
 * value; NULL otherwise. */
LLVMValueRef pm_only_user(LLVMValueRef value);

/* Returns whether the compiler may fuse `value` and `user` into one instruction. `value` is an
 * instruction with the opcode `opcode`, such as a product, and `user` an instruction that uses it,
 * such as a sum. The result is false if the first operand of `user` is another instruction with
 * this opcode that only `user` uses, because the compiler then fuses the first operand. */
bool pm_is_first_of(LLVMValueRef value, LLVMValueRef user, LLVMOpcode opcode);

/* Returns whether an earlier instruction of the same basic block has one of the given opcodes and
 * the same right operand as `value`. */
#define PM_SAME_BEFORE(value, ...)                                                                 \
    pm_same_before((value), (const LLVMOpcode[]){__VA_ARGS__, (LLVMOpcode)0})
bool pm_same_before(LLVMValueRef instruction, const LLVMOpcode *opcodes);

/* Returns whether only the low 32 bits of a 64-bit integer are used. */
bool pm_is_low_word(LLVMValueRef value);

/* Returns whether the value is `x & 0xffffffff` for a 64-bit integer x. */
bool pm_is_low_mask(LLVMValueRef value);

/* Returns whether the value is directly an index operand of an address computation
 * (getelementptr). */
bool pm_is_index(LLVMValueRef value);

/* Returns whether the value sign-extends the low 32 bits of a 64-bit integer by two shifts by 32.
 */
bool pm_is_sign_extension(LLVMValueRef value);

/* Returns whether the value is the global offset of clEnqueueNDRangeKernel: a signed 32-bit integer
 * that is extended for a 64-bit id. */
bool pm_is_global_offset(LLVMValueRef value);

/* Returns whether an integer is equal for all work-items of a work-group and computed without a
 * load: from kernel arguments, constants, group ids and loop counters. */
bool pm_is_uniform(LLVMValueRef value);

/* Returns LLVM's data layout (sizes and alignments of types) of the module that contains the
 * instruction. */
LLVMTargetDataRef pm_layout_at(LLVMValueRef instruction);

/* Sets *offset to the bytes that an address computation (getelementptr) adds to its base. Returns
 * false if one of its indices is not a constant. */
bool pm_constant_offset(LLVMValueRef gep, LLVMTargetDataRef layout, uint64_t *offset);

/* Returns LLVM's number of the attribute with this name, such as "noalias". */
unsigned pm_attribute_kind(const char *name);
/* Returns the attribute with this name of parameter i of a function; NULL if the parameter does not
 * have it. */
LLVMAttributeRef pm_parameter_attribute(LLVMValueRef function, unsigned i, const char *name);

/* Returns the index of a parameter of a function; -1 if the value is not a parameter of it. */
int pm_parameter_index(LLVMValueRef function, LLVMValueRef value);

/* Returns the LLVM context of a function or global variable. */
LLVMContextRef pm_context_of(LLVMValueRef global);

/* Returns whether a floating-point instruction has all fast-math flags of -cl-fast-relaxed-math.
 * Denormals are then 0, and results may be inaccurate in the last bits. */
bool pm_is_fast(LLVMValueRef value);

/* Returns whether a load or store is a part of an asynchronous copy. *bypasses: whether the copy
 * bypasses L1. */
bool pm_is_async(LLVMValueRef access, bool *bypasses);
/* Returns whether a load, store or atomic only tells the source or destination of a bulk copy, and
 * is not executed (machine/bulk_copy.h). */
bool pm_is_bulk(LLVMValueRef access);
/* Returns the number N of a call that waits for asynchronous copies (cp.async.wait_group N): the N
 * last groups of copies need not be complete after it. -1: the call is no such wait. */
int pm_async_wait(LLVMValueRef call);

/* Returns the name of the function that a call instruction calls; "" for a call through a
 * pointer. */
const char *pm_callee_name(LLVMValueRef call);

bool pm_starts(const char *text, const char *with);

#endif
