/* What an OpenCL driver for CPUs has made of kernels, read from its machine code. See backend.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's binary (CL_PROGRAM_BINARIES) of PoCL holds an ELF image of each kernel. In it
 * "_pocl_kernel_NAME_workgroup" runs a work-group.
 */
#include <llvm-c/Core.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Object.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <string.h>

#include "collector/trace/backend.h"
#include "collector/trace/backend/cpu/machine_loops.h"

enum { TEXT = 256, MOST_CODE = 1 << 20, NAME_BEFORE = 256 };
static const char IMAGE[] = "\177ELF";

/* A function's bytes, in an image. */
typedef struct {
    const char *start;
    size_t bytes;
} code_bytes;

static bool is_x86(void)
{
#if defined __x86_64__
    return true;
#else
    return false;
#endif
}

static pm_machine_instruction *disassemble(pm_memory *memory, code_bytes code, size_t *count)
{
    pm_machine_instruction *list = pm_take(memory, code.bytes, sizeof *list);
    char *triple = LLVMGetDefaultTargetTriple();
    LLVMDisasmContextRef llvm;

    LLVMInitializeNativeTarget();
    LLVMInitializeNativeDisassembler();
    llvm = LLVMCreateDisasm(triple, NULL, 0, NULL, NULL);
    LLVMDisposeMessage(triple);
    *count = 0;
    for (size_t at = 0; llvm && at < code.bytes;) {
        char text[TEXT];
        size_t length = LLVMDisasmInstruction(llvm, (uint8_t *)(uintptr_t)code.start + at,
                                              code.bytes - at, at, text, sizeof text);

        if (length > 0)
            list[(*count)++] = pm_machine_instruction_of(text, at, length);
        at += length > 0 ? length : 1;
    }
    if (llvm)
        LLVMDisasmDispose(llvm);
    return list;
}

/* The function's bytes by its symbol. */
static bool find_function(LLVMBinaryRef image, const char *name, code_bytes *code)
{
    LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(image);
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(image);
    bool found = false;

    for (; symbol && section && !found && !LLVMObjectFileIsSymbolIteratorAtEnd(image, symbol);
         LLVMMoveToNextSymbol(symbol)) {
        const char *here = LLVMGetSymbolName(symbol);
        uint64_t size = LLVMGetSymbolSize(symbol), at;

        if (!here || strcmp(here, name) != 0 || size == 0 || size > MOST_CODE)
            continue;
        LLVMMoveToContainingSection(section, symbol);
        if (LLVMObjectFileIsSectionIteratorAtEnd(image, section))
            continue;
        at = LLVMGetSymbolAddress(symbol) - LLVMGetSectionAddress(section);
        if (at > LLVMGetSectionSize(section) || size > LLVMGetSectionSize(section) - at)
            continue;
        *code = (code_bytes){LLVMGetSectionContents(section) + at, (size_t)size};
        found = code->start != NULL;
    }
    if (section)
        LLVMDisposeSectionIterator(section);
    if (symbol)
        LLVMDisposeSymbolIterator(symbol);
    return found;
}

/* Lanes of the function in the image that starts there; 0: it has none of that name. */
static double lanes_in(pm_memory *memory, const char *start, size_t bytes, const char *function)
{
    LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, bytes, "binary");
    char *why = NULL;
    LLVMBinaryRef image = LLVMCreateBinary(text, NULL, &why);
    code_bytes code;
    double lanes = 0;

    if (image && LLVMBinaryGetType(image) == LLVMBinaryTypeELF64L &&
        find_function(image, function, &code)) {
        size_t count;
        const pm_machine_instruction *list = disassemble(memory, code, &count);

        lanes = pm_machine_loops_lanes(memory, list, count);
    }
    if (image)
        LLVMDisposeBinary(image);
    LLVMDisposeMessage(why);
    LLVMDisposeMemoryBuffer(text);
    return lanes;
}

/* The image for work-groups of any size, which is there whatever has run before: its file is of
 * "0-0-0", and its name stands before it. */
static bool is_for_any_group(const char *binary, size_t at)
{
    static const char any[] = "/0-0-0/";
    const size_t from = at > NAME_BEFORE ? at - NAME_BEFORE : 0;

    return memmem(binary + from, at - from, any, sizeof any - 1) != NULL;
}

static double lanes_of(pm_memory *memory, const char *binary, size_t bytes, const char *kernel)
{
    const char *name = pm_format(memory, "_pocl_kernel_%s_workgroup", kernel);
    const char *at = binary;
    double lanes, other = 0;

    while ((at = memmem(at, bytes - (size_t)(at - binary), IMAGE, sizeof IMAGE - 1))) {
        lanes = lanes_in(memory, at, bytes - (size_t)(at - binary), name);
        if (lanes > 0 && is_for_any_group(binary, (size_t)(at - binary)))
            return lanes;
        other = lanes > 0 ? lanes : other;
        at += sizeof IMAGE - 1;
    }
    return other;
}

typedef struct {
    pm_memory memory;
    const char *binary;
    size_t bytes;
    const char *const *kernels;
    size_t count;
    double *lanes;
} question;

static void answer(void *user)
{
    question *q = user;

    for (size_t k = 0; k < q->count; k++)
        q->lanes[k] = is_x86() ? lanes_of(&q->memory, q->binary, q->bytes, q->kernels[k]) : 0;
}

pm_status pm_trace_machine_lanes(const void *binary, size_t bytes, const char *const *kernels,
                                 size_t count, double *lanes, pm_error *err)
{
    question q = {
        .binary = binary, .bytes = bytes, .kernels = kernels, .count = count, .lanes = lanes};
    pm_status status = pm_attempt(&q.memory, answer, &q, err);

    pm_memory_free(&q.memory);
    return status;
}
