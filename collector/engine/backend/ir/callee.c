/* Returns the name of the function that a call instruction calls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "collector/engine/backend/ir/ir.h"

bool pm_starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

const char *pm_callee_name(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;

    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}
