/* Questions about IR values that the counting of instructions and registers asks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_IR_H
#define PM_COLLECTOR_TRACE_BACKEND_IR_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* LLVM's numbers of the address spaces of NVIDIA's targets. */
enum { GLOBAL_SPACE = 1, SHARED_SPACE = 3, CONSTANT_SPACE = 4, PRIVATE_SPACE = 5 };

enum {
    WIDEST = 16,          /* bytes of the widest machine access */
    SHARED_ALIGNMENT = 16 /* the GPU's compiler places shared variables itself */
};

/* 32-bit registers that a value of the type takes; 0 for predicates (i1), labels and void. A
 * pointer to shared or private memory takes one, any other two. */
unsigned pm_type_words(LLVMTypeRef type);

/* 1 of a scalar. */
unsigned pm_type_elements(LLVMTypeRef type);
LLVMTypeRef pm_element_type(LLVMTypeRef type);

/* Bits of an integer or of the elements of a vector of integers; 0 of anything else. */
unsigned pm_integer_bits(LLVMTypeRef type);

bool pm_is_opcode(LLVMValueRef value, LLVMOpcode opcode);

/* The one instruction that uses it, if it is in the same block; NULL otherwise. */
LLVMValueRef pm_only_user(LLVMValueRef value);

/* Whether only the low 32 bits of a 64-bit integer are used. */
bool pm_is_low_word(LLVMValueRef value);

/* Whether a shift moves the low word of a 64-bit integer to the high one: another name for it. */
bool pm_is_word_move(LLVMValueRef shift);

/* Whether a 64-bit integer is the low word of another, extended by two shifts by 32. */
bool pm_is_sign_extension(LLVMValueRef value);

/* Whether an integer is the same for all work-items of a work-group and known without a load: made
 * of kernel arguments, constants, group ids and loop counters. */
bool pm_is_uniform(LLVMValueRef value);

/* The name of the function that a call names, "" for a call by pointer. */
const char *pm_callee_name(LLVMValueRef call);

bool pm_starts(const char *text, const char *with);

#endif
