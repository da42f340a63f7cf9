/* Returns whether a function of an LLVM module is a kernel, and raises LLVM's errors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/module/module.h"

#include "base/error.h"

enum {
    PTX_KERNEL = 71, /* calling convention of kernels in newer LLVM (llvm::CallingConv) */
    SPIR_KERNEL = 76 /* calling convention of kernels in older LLVM */
};

pm_status pm_llvm_fail(pm_error *err, const char *what, LLVMErrorRef error)
{
    char *text = LLVMGetErrorMessage(error);

    pm_fail(err, PM_FAILED, "LLVM: %s: %s", what, text);
    LLVMDisposeErrorMessage(text);
    return PM_FAILED;
}

bool pm_is_kernel(LLVMValueRef function)
{
    unsigned convention = LLVMGetFunctionCallConv(function);

    return !LLVMIsDeclaration(function) && (convention == PTX_KERNEL || convention == SPIR_KERNEL);
}
