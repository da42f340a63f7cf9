/* Machine code that counts its blocks. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/machine/rewrite.h"

#include <string.h>

enum { COUNTING = 34, NEAR_JUMP = 5, NEAR_BRANCH = 6, DISTANCE = 4 };

typedef struct {
    pm_memory *memory;
    const pm_machine_text *text;
    const uint8_t *original;
    uint8_t *copy;
    const pm_machine_counts *counts;
    uint32_t *place;
} writer;

size_t pm_machine_copy_bytes(const pm_machine_text *text)
{
    return text->size + text->count * (2 * COUNTING + NEAR_BRANCH);
}

static void put_distance(const writer *w, uint8_t *at, intptr_t distance)
{
    const int32_t near = (int32_t)distance;

    if (near != distance)
        pm_leave(w->memory, PM_FAILED, "a copy of machine code is too far from its original");
    memcpy(at, &near, sizeof near);
}

/* RAX is kept 256 bytes below the stack pointer, beyond the 128 that a function may use there
 * without saying so (System V ABI, AMD64, 3.2.2). LEA adds without flags. */
static void put_counting(const writer *w, uint8_t *at, const uint64_t *counter)
{
    static const uint8_t pattern[COUNTING] = {
        0x48, 0x89, 0x84, 0x24, 0x00, 0xff, 0xff, 0xff, /* mov %rax, -256(%rsp) */
        0x48, 0x8b, 0x05, 0,    0,    0,    0,          /* mov counter(%rip), %rax */
        0x48, 0x8d, 0x40, 0x01,                         /* lea 1(%rax), %rax */
        0x48, 0x89, 0x05, 0,    0,    0,    0,          /* mov %rax, counter(%rip) */
        0x48, 0x8b, 0x84, 0x24, 0x00, 0xff, 0xff, 0xff, /* mov -256(%rsp), %rax */
    };
    enum { LOAD = 11, STORE = 22 };
    const intptr_t to = (intptr_t)counter;

    memcpy(at, pattern, COUNTING);
    put_distance(w, at + LOAD, to - (intptr_t)(at + LOAD + DISTANCE));
    put_distance(w, at + STORE, to - (intptr_t)(at + STORE + DISTANCE));
}

/* Without distances of jumps, whose targets' places are not known yet. */
static size_t put_step(const writer *w, const pm_machine_step *step, uint8_t *at)
{
    const uint8_t *from = w->text->bytes + step->at;

    switch (step->flow) {
    case PM_FLOW_JUMP:
        at[0] = 0xe9;
        return NEAR_JUMP;
    case PM_FLOW_CALL:
        at[0] = 0xe8;
        return NEAR_JUMP;
    case PM_FLOW_BRANCH:
        at[0] = 0x0f;
        at[1] = 0x80 | step->condition;
        return NEAR_BRANCH;
    default:
        break;
    }
    memcpy(at, from, step->bytes);
    if (step->displacement) {
        int32_t distance;

        memcpy(&distance, from + step->displacement, sizeof distance);
        put_distance(w, at + step->displacement,
                     distance + ((intptr_t)(w->original + step->at) - (intptr_t)at));
    }
    return step->bytes;
}

static void put_target(const writer *w, size_t k)
{
    const pm_machine_step *step = &w->text->steps[k];
    const uint32_t inside = pm_machine_target(w->text, step);
    const uint8_t *target =
        inside == PM_NO_INSTRUCTION ? w->original + step->target : w->copy + w->place[inside];
    uint8_t *end = w->copy + w->place[k] + (step->leads ? COUNTING : 0) +
                   (step->flow == PM_FLOW_BRANCH ? NEAR_BRANCH : NEAR_JUMP);

    put_distance(w, end - DISTANCE, (intptr_t)target - (intptr_t)end);
}

void pm_machine_copy_write(pm_memory *memory, const pm_machine_text *text, const uint8_t *original,
                           uint8_t *copy, const pm_machine_counts *counts, uint32_t *place)
{
    const writer w = {memory, text, original, copy, counts, place};
    size_t at = 0;

    for (size_t k = 0; k < text->count; k++) {
        place[k] = (uint32_t)at;
        if (text->steps[k].leads) {
            put_counting(&w, copy + at, &counts[k].begun);
            at += COUNTING;
        }
        at += put_step(&w, &text->steps[k], copy + at);
        if (text->steps[k].flow == PM_FLOW_BRANCH) {
            put_counting(&w, copy + at, &counts[k].passed);
            at += COUNTING;
        }
    }
    for (size_t k = 0; k < text->count; k++)
        if (text->steps[k].flow != PM_FLOW_NEXT && text->steps[k].flow != PM_FLOW_AWAY)
            put_target(&w, k);
}
