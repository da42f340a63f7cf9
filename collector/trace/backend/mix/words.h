/* Which of a 64-bit integer's two words machine code computes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_MIX_WORDS_H
#define PM_COLLECTOR_TRACE_BACKEND_MIX_WORDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Words of the type: 2 of a 64-bit integer, else 1. */
unsigned pm_words_of(LLVMValueRef value);

/* Whether an operation on integers takes an instruction for a word (0: the low one) of its result.
 * It takes none where the word is zero or that of an operand by the constants around it, nor where
 * nothing uses it. */
bool pm_computes_word(LLVMValueRef operation, unsigned word);

/* How many. */
unsigned pm_computed_words(LLVMValueRef operation);

#endif
