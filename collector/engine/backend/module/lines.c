/* Preserves the source locations of loads that LLVM moves, by writing them into the loads' names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/module/lines.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#include "collector/engine/backend/ir/ir.h"

/* Format of a load's name that contains its line and column. The letter c at the end separates the
 * column from the number that LLVM may append to make names unique. */
#define NAME "pm_line.%u.%uc"

static void note(LLVMValueRef load)
{
    char name[48];
    size_t length;
    int written;

    if (LLVMGetDebugLocLine(load) == 0 || *LLVMGetValueName2(load, &length))
        return;
    written =
        snprintf(name, sizeof name, NAME, LLVMGetDebugLocLine(load), LLVMGetDebugLocColumn(load));
    LLVMSetValueName2(load, name, (size_t)written);
}

void pm_lines_note(LLVMModuleRef module)
{
    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(b, f)
            PM_EACH_INSTRUCTION(i, b)
                if (LLVMIsALoadInst(i))
                    note(i);
}

static void restore(LLVMValueRef load, LLVMMetadataRef scope)
{
    size_t length;
    unsigned line, column;

    if (LLVMGetDebugLocLine(load) == 0 &&
        sscanf(LLVMGetValueName2(load, &length), NAME, &line, &column) == 2)
        LLVMInstructionSetDebugLoc(
            load, LLVMDIBuilderCreateDebugLocation(LLVMGetTypeContext(LLVMTypeOf(load)), line,
                                                   column, scope, NULL));
}

void pm_lines_restore(LLVMModuleRef module)
{
    PM_EACH_FUNCTION(f, module) {
        LLVMMetadataRef scope = LLVMGetSubprogram(f);

        PM_EACH_BLOCK(b, f)
            PM_EACH_INSTRUCTION(i, b)
                if (scope && LLVMIsALoadInst(i))
                    restore(i, scope);
    }
}
