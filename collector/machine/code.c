/* Machine code of x86-64, taken apart. See code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LLVM tells lengths and texts. What jumps is told by its opcode (Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2).
 */
#include "collector/machine/code.h"

#include <llvm-c/Core.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256, LONGEST = 15, DISTANCE = 4, LOCK = 0xf0 };
/* Changes the bits of a distance, and not its sign or how many bytes it needs. */
static const int32_t OTHER_DISTANCE = 0x155555;

typedef struct {
    pm_memory *memory;
    LLVMDisasmContextRef llvm;
    pm_machine_text *text;
} reader;

static int32_t distance_at(const uint8_t *bytes)
{
    int32_t distance;

    memcpy(&distance, bytes, sizeof distance);
    return distance;
}

static bool is_prefix(uint8_t byte)
{
    return byte == 0x2e || byte == 0x3e || byte == 0x66 || byte == 0xf2 || byte == 0xf3;
}

/* Jumps, calls and returns by their opcode, which is the first byte that is no prefix. */
static void read_flow(const uint8_t *bytes, pm_machine_step *step)
{
    const int64_t next = (int64_t)step->at + step->bytes;
    size_t p = 0;

    while (p + 1 < step->bytes && is_prefix(bytes[p]))
        p++;
    if (bytes[p] == 0xeb || (bytes[p] & 0xf0) == 0x70) {
        step->flow = bytes[p] == 0xeb ? PM_FLOW_JUMP : PM_FLOW_BRANCH;
        step->condition = bytes[p] & 0xf;
        step->target = next + (int8_t)bytes[p + 1];
    } else if (bytes[p] == 0xe9 || bytes[p] == 0xe8) {
        step->flow = bytes[p] == 0xe9 ? PM_FLOW_JUMP : PM_FLOW_CALL;
        step->target = next + distance_at(bytes + p + 1);
    } else if (bytes[p] == 0x0f && (bytes[p + 1] & 0xf0) == 0x80) {
        step->flow = PM_FLOW_BRANCH;
        step->condition = bytes[p + 1] & 0xf;
        step->target = next + distance_at(bytes + p + 2);
    } else if (bytes[p] == 0xc3 || bytes[p] == 0xc2 || strstr(step->text, "jmpq\t*")) {
        step->flow = PM_FLOW_AWAY;
    }
}

/* The distance in front of "(%rip)". */
static bool read_distance(const char *text, int64_t *distance)
{
    const char *end = strstr(text, "(%rip)"), *at = end;

    if (!end)
        return false;
    while (at > text && strchr("-0123456789", at[-1]))
        at--;
    *distance = at == end ? 0 : strtoll(at, NULL, 10);
    return true;
}

/* Where the distance stands in the instruction: where LLVM reads another if it is changed. */
static uint8_t find_distance(const reader *r, const uint8_t *bytes, const pm_machine_step *step,
                             int64_t distance)
{
    const size_t lock = bytes[0] == LOCK;

    for (uint8_t at = 1; at + DISTANCE <= step->bytes; at++) {
        const int32_t other = (int32_t)distance ^ OTHER_DISTANCE;
        uint8_t changed[LONGEST];
        char text[TEXT];
        int64_t read;

        if (distance_at(bytes + at) != distance)
            continue;
        memcpy(changed, bytes, step->bytes);
        memcpy(changed + at, &other, sizeof other);
        if (LLVMDisasmInstruction(r->llvm, changed + lock, step->bytes - lock, 0, text,
                                  sizeof text) == step->bytes - lock &&
            read_distance(text, &read) && read == other)
            return at;
    }
    pm_leave(r->memory, PM_FAILED, "an operand of machine code that is not understood: %s",
             step->text);
}

/* LLVM takes the prefix of an atomic for an instruction of its own, which costs a hundred cycles.
 */
static void read_step(const reader *r, size_t at)
{
    pm_machine_text *t = r->text;
    uint8_t *bytes = (uint8_t *)(uintptr_t)t->bytes + at;
    pm_machine_step *step = &t->steps[t->count];
    const size_t lock = bytes[0] == LOCK && at + 1 < t->size;
    char text[TEXT];
    const size_t length =
        LLVMDisasmInstruction(r->llvm, bytes + lock, t->size - at - lock, at + lock, text, TEXT);
    int64_t distance;

    if (length == 0 || length + lock > LONGEST)
        pm_leave(r->memory, PM_FAILED, "machine code that LLVM does not know, at byte %zu", at);
    *step = (pm_machine_step){.at = (uint32_t)at,
                              .bytes = (uint8_t)(length + lock),
                              .text = pm_format(r->memory, "%s%s", lock ? "\tlock" : "", text)};
    read_flow(bytes, step);
    if (strstr(text, "\tloop") || strstr(text, "cxz\t"))
        pm_leave(r->memory, PM_FAILED, "a jump of machine code that is not understood: %s", text);
    if (step->flow == PM_FLOW_NEXT || step->flow == PM_FLOW_AWAY)
        if (read_distance(text, &distance))
            step->displacement = find_distance(r, bytes, step, distance);
    t->step_at[at] = (uint32_t)t->count++;
}

static bool is_inside(const pm_machine_text *text, const pm_machine_step *step)
{
    return step->target >= 0 && (size_t)step->target < text->size;
}

uint32_t pm_machine_target(const pm_machine_text *text, const pm_machine_step *step)
{
    return is_inside(text, step) ? text->step_at[step->target] : PM_NO_INSTRUCTION;
}

static bool is_padding(const pm_machine_step *step)
{
    return strstr(step->text, "nop") || strstr(step->text, "int3");
}

/* What jumps lead to, what stands behind them, and functions, which stand behind padding. */
static void find_leaders(const reader *r)
{
    pm_machine_text *t = r->text;

    for (size_t k = 0; k < t->count; k++) {
        pm_machine_step *step = &t->steps[k];
        const uint32_t target = pm_machine_target(t, step);

        step->leads =
            step->leads || k == 0 || step[-1].flow != PM_FLOW_NEXT || is_padding(&step[-1]);
        if (step->flow == PM_FLOW_NEXT || step->flow == PM_FLOW_AWAY || !is_inside(t, step))
            continue;
        if (target == PM_NO_INSTRUCTION)
            pm_leave(r->memory, PM_FAILED, "machine code jumps into an instruction: %s",
                     step->text);
        t->steps[target].leads = true;
    }
}

static void read_all(void *user)
{
    const reader *r = user;
    pm_machine_text *t = r->text;

    if (!r->llvm)
        pm_leave(r->memory, PM_FAILED, "LLVM does not read this machine's code");
    t->steps = pm_take(r->memory, t->size, sizeof *t->steps);
    t->step_at = pm_take(r->memory, t->size, sizeof *t->step_at);
    memset(t->step_at, 0xff, t->size * sizeof *t->step_at);
    for (size_t at = 0; at < t->size; at += t->steps[t->count - 1].bytes)
        read_step(r, at);
    find_leaders(r);
}

void pm_machine_text_read(pm_memory *memory, const uint8_t *bytes, size_t size,
                          pm_machine_text *text)
{
    char *triple = LLVMGetDefaultTargetTriple();
    pm_memory own = {0}; /* of an attempt after which LLVM's reader is freed in any case */
    reader r = {.memory = &own, .text = text};
    pm_status status;

    LLVMInitializeNativeTarget();
    LLVMInitializeNativeDisassembler();
    r.llvm = LLVMCreateDisasm(triple, NULL, 0, NULL, NULL);
    LLVMDisposeMessage(triple);
    *text = (pm_machine_text){.bytes = bytes, .size = size};
    status = pm_attempt(&own, read_all, &r, memory->err);
    if (r.llvm)
        LLVMDisasmDispose(r.llvm);
    pm_memory_join(memory, &own);
    pm_require(memory, status);
}
