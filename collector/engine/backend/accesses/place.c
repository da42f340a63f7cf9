/* Finds the source location (line and column) of a memory access.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/accesses/place.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>

#include "collector/engine/backend/ir/ir.h"

/* Returns `instruction` if it has a source line. Otherwise follows `next` (previous or next
 * instruction of the basic block) to the first instruction with a source line. NULL: there is
 * none. */
static LLVMValueRef nearest(LLVMValueRef instruction, LLVMValueRef (*next)(LLVMValueRef))
{
    while (instruction && LLVMGetDebugLocLine(instruction) == 0)
        instruction = next(instruction);
    return instruction;
}

enum { MOST_HOPS = 4 };

/* Returns an instruction with a source line that uses the value of `instruction`. If none of the
 * value's users has a line, searches the users of its first user, and so on up to MOST_HOPS steps.
 * NULL: none was found. */
static LLVMValueRef user_with_line(LLVMValueRef instruction)
{
    for (unsigned hop = 0; hop < MOST_HOPS && LLVMGetFirstUse(instruction); hop++) {
        PM_EACH_USE(use, instruction)
            if (LLVMGetDebugLocLine(LLVMGetUser(use)) > 0)
                return LLVMGetUser(use);
        instruction = LLVMGetUser(LLVMGetFirstUse(instruction));
    }
    return NULL;
}

unsigned pm_function_line(LLVMValueRef instruction)
{
    LLVMMetadataRef function =
        LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));

    return function ? LLVMDISubprogramGetLine(function) : 0;
}

pm_place pm_place_of(LLVMValueRef instruction, unsigned loop_line)
{
    LLVMValueRef found =
        LLVMGetDebugLocLine(instruction) > 0 ? instruction : user_with_line(instruction);

    if (!found)
        found = nearest(instruction, LLVMGetPreviousInstruction);
    if (!found)
        found = nearest(instruction, LLVMGetNextInstruction);
    if (found)
        return (pm_place){LLVMGetDebugLocLine(found), LLVMGetDebugLocColumn(found)};
    if (loop_line == 0)
        loop_line = pm_function_line(instruction);
    return (pm_place){loop_line, loop_line > 0};
}
