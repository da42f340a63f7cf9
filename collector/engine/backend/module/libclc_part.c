/* Makes bitcode that has only some functions of libclc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LLVM reads the bodies of libclc's functions only when they are needed. When a module is linked
 * into an empty one, LLVM takes over the functions with external linkage and those that they call.
 * All functions of libclc have the linkage linkonce_odr, so the wanted functions get external
 * linkage until they are linked.
 */
#include <ctype.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend.h"
#include "collector/engine/backend/ir/ir.h"

static void hear_nothing(LLVMDiagnosticInfoRef info, void *user)
{
    (void)info;
    (void)user;
}

static LLVMModuleRef read_libclc(LLVMContextRef context, const char *path, pm_error *err)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *text = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &text)) {
        pm_fail(err, PM_FAILED, "%s: %s", path, text);
        LLVMDisposeMessage(text);
        return NULL;
    }
    /* The module takes ownership of the buffer only if LLVM can read the bitcode. */
    if (LLVMGetBitcodeModuleInContext2(context, buffer, &module)) {
        LLVMDisposeMemoryBuffer(buffer);
        pm_fail(err, PM_FAILED, "%s: LLVM does not read this bitcode", path);
        return NULL;
    }
    return module;
}

/* Returns whether a function's mangled name (_Z, a length, a name of that length, and its
 * parameters) has one of the names. */
static bool is_named(LLVMValueRef function, const char *names)
{
    size_t length, wanted = 0;
    const char *mangled = LLVMGetValueName2(function, &length), *end = mangled + length;

    if (length < 3 || memcmp(mangled, "_Z", 2) != 0)
        return false;
    for (mangled += 2; mangled < end && isdigit((unsigned char)*mangled); mangled++)
        wanted = 10 * wanted + (size_t)(*mangled - '0');
    for (; *names; names += strcspn(names, " "), names += *names == ' ')
        if (strcspn(names, " ") == wanted && wanted <= (size_t)(end - mangled) &&
            memcmp(names, mangled, wanted) == 0)
            return true;
    return false;
}

/* Gives the named functions external linkage. Fails if a function with a body has another linkage
 * than linkonce_odr. */
static pm_status mark_wanted(LLVMModuleRef libclc, const char *path, const char *names,
                             pm_error *err)
{
    PM_EACH_FUNCTION(f, libclc) {
        if (LLVMIsDeclaration(f))
            continue;
        if (LLVMGetLinkage(f) != LLVMLinkOnceODRLinkage)
            return pm_fail(err, PM_FAILED, "%s: has a function that is not linkonce_odr", path);
        if (is_named(f, names))
            LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    return PM_OK;
}

static pm_status write_part(LLVMModuleRef part, char **bitcode, size_t *bytes, pm_error *err)
{
    LLVMMemoryBufferRef buffer;

    PM_EACH_FUNCTION(f, part)
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    buffer = LLVMWriteBitcodeToMemoryBuffer(part);
    *bytes = LLVMGetBufferSize(buffer);
    *bitcode = malloc(*bytes + 1);
    if (*bitcode)
        memcpy(*bitcode, LLVMGetBufferStart(buffer), *bytes);
    LLVMDisposeMemoryBuffer(buffer);
    return *bitcode ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for a part of libclc");
}

pm_status pm_libclc_cut(const char *path, const char *names, char **bitcode, size_t *bytes,
                        pm_error *err)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef libclc, part;
    pm_status status = PM_FAILED;

    LLVMContextSetDiagnosticHandler(context, hear_nothing, NULL);
    libclc = read_libclc(context, path, err);
    if (libclc && mark_wanted(libclc, path, names, err) != PM_OK) {
        LLVMDisposeModule(libclc);
        libclc = NULL;
    }
    if (libclc) {
        part = LLVMModuleCreateWithNameInContext("libclc", context);
        LLVMSetTarget(part, LLVMGetTarget(libclc));
        LLVMSetDataLayout(part, LLVMGetDataLayoutStr(libclc));
        /* the linker frees libclc */
        status = LLVMLinkModules2(part, libclc)
                     ? pm_fail(err, PM_FAILED, "%s: LLVM cannot link it", path)
                     : write_part(part, bitcode, bytes, err);
        LLVMDisposeModule(part);
    }
    LLVMContextDispose(context);
    return status;
}
