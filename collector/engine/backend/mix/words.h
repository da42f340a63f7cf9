/* Finds which of the two 32-bit words of a 64-bit integer machine code must compute.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MIX_WORDS_H
#define PM_COLLECTOR_ENGINE_BACKEND_MIX_WORDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Returns the number of 32-bit words of the value's type: 2 for a 64-bit integer, otherwise 1. */
unsigned pm_word_count(LLVMValueRef value);

/* Returns whether an integer operation needs a machine instruction for 32-bit word `word` (0: low,
 * 1: high) of its result. No instruction is needed if constants make the word zero or equal to the
 * same word of an operand, or if the word is unused. */
bool pm_computes_word(LLVMValueRef operation, unsigned word);

/* Returns the number of 32-bit words of the operation's result that need a machine instruction. */
unsigned pm_computed_words(LLVMValueRef operation);

#endif
