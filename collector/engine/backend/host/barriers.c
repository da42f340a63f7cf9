/* Executes barriers. See barriers.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A barrier in shared memory is a word of 64 bits: the arrivals that the current phase still waits
 * for (20 bits), the arrivals of a phase (20 bits), the bytes that the phase still waits for (23
 * bits, in two's complement), and the phase's parity (bit 63). NVIDIA's GPUs have another layout,
 * which programs cannot know.
 */
#include "collector/engine/backend/host/barriers.h"

#include <string.h>

enum { COUNT_BITS = 20, BYTES_BITS = 23, ADDRESS_BITS = 18, WARP = 32 };

typedef struct {
    uint32_t pending, expected;
    int32_t bytes;
    uint32_t parity;
} barrier;

/* Returns where a barrier is in the work-group's shared memory; NULL: outside of it. address: low
 * bits of an address of the host. */
static uint8_t *place_of(const pm_group_context *group, uint32_t address)
{
    const uint32_t at = (address - (uint32_t)(uintptr_t)group->shared) & ((1U << ADDRESS_BITS) - 1);

    return at + sizeof(uint64_t) <= group->shared_bytes ? group->shared + at : NULL;
}

static uint64_t read_word(const uint8_t *place)
{
    uint64_t word = 0;

    if (place)
        memcpy(&word, place, sizeof word);
    return word;
}

static barrier unpack(uint64_t word)
{
    const uint32_t count = (1U << COUNT_BITS) - 1, sign = 1U << (BYTES_BITS - 1);
    const uint32_t bytes = (uint32_t)(word >> 2 * COUNT_BITS) & ((1U << BYTES_BITS) - 1);

    return (barrier){.pending = (uint32_t)word & count,
                     .expected = (uint32_t)(word >> COUNT_BITS) & count,
                     .bytes = (int32_t)(bytes ^ sign) - (int32_t)sign,
                     .parity = (uint32_t)(word >> 63)};
}

/* Completes the phase if it waits for nothing more, and writes the barrier. */
static void write_barrier(uint8_t *place, barrier b)
{
    const uint64_t count = (1U << COUNT_BITS) - 1, bytes = (1U << BYTES_BITS) - 1;
    uint64_t word;

    if (b.pending == 0 && b.bytes == 0) {
        b.parity ^= 1;
        b.pending = b.expected;
    }
    word = (b.pending & count) | (b.expected & count) << COUNT_BITS |
           ((uint32_t)b.bytes & bytes) << 2 * COUNT_BITS | (uint64_t)b.parity << 63;
    if (place)
        memcpy(place, &word, sizeof word);
}

/* ---- barriers in shared memory --------------------------------------------------------------- */

/* The operands of the following functions: the address; then those of each. */

static void init(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                 uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;

    (void)what;
    (void)mask;
    *result = 0;
    write_barrier(place_of(group, own[0]), (barrier){.pending = own[1], .expected = own[1]});
}

/* Operands: arrivals, bytes for which the phase waits in addition, and arrivals by which all
 * following phases have fewer. Result: the word before. */
static void arrive(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                   uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;
    uint8_t *place = place_of(group, own[0]);
    const uint64_t before = read_word(place);
    barrier b = unpack(before);

    (void)what;
    (void)mask;
    memcpy(result, &before, sizeof before);
    b.bytes += (int32_t)own[2];
    b.pending -= own[1] < b.pending ? own[1] : b.pending;
    b.expected -= own[3] < b.expected ? own[3] : b.expected;
    write_barrier(place, b);
}

/* Operand: bytes that have arrived. A phase that waits for further arrivals does not complete. */
static void complete(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                     uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;
    uint8_t *place = place_of(group, own[0]);
    barrier b = unpack(read_word(place));

    (void)what;
    (void)mask;
    *result = 0;
    b.bytes -= (int32_t)own[1];
    write_barrier(place, b);
}

/* Operand: a parity. Result: whether the phase with this parity is complete. */
static void test(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                 uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;

    (void)what;
    (void)mask;
    *result = unpack(read_word(place_of(group, own[0]))).parity != (own[1] & 1);
}

static void wait_for_phase(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                           uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    test(what, given, stride, lane, result, group, mask);
    *group->unready = *group->unready || !*result;
}

/* ---- barriers for parts of a work-group ------------------------------------------------------ */

static pm_named_barrier *named(const pm_group_context *group, uint32_t number)
{
    return &group->named[number % PM_NAMED_BARRIERS];
}

/* Operands: number of the barrier, work-items for which it waits, and a truth. A warp arrives when
 * its last work-item executes this, and counts as 32 work-items. Result: number of the phase. */
static void join(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                 uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;
    pm_named_barrier *b = named(group, own[0]);
    const uint32_t phase = b->phase, part = phase & 1;

    (void)what;
    *result = phase;
    b->items[part]++;
    b->trues[part] += own[2];
    if (lane < 63 && mask >> (lane + 1))
        return;
    b->arrived += WARP;
    if (b->arrived < own[1])
        return;
    b->arrived = 0;
    b->phase++;
    b->items[!part] = 0;
    b->trues[!part] = 0;
}

/* Operands: number of the barrier, and of the phase for which the work-item waits. */
static void pass(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                 uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;

    (void)what;
    (void)mask;
    *result = 0;
    *group->unready = *group->unready || named(group, own[0])->phase == own[1];
}

/* Operands as of `pass`. Results: work-items of the phase, and those with a true operand. */
static void sum(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;
    const pm_named_barrier *b = named(group, own[0]);

    (void)what;
    (void)mask;
    result[0] = b->items[own[1] & 1];
    result[1] = b->trues[own[1] & 1];
}

pm_group_fragment_code pm_barrier_function_of(const char *name)
{
    static const struct {
        const char *name;
        pm_group_fragment_code code;
    } functions[] = {{"pm.barrier.init", init},           {"pm.barrier.arrive", arrive},
                     {"pm.barrier.complete", complete},   {"pm.barrier.test", test},
                     {"pm.barrier.wait", wait_for_phase}, {"pm.barrier.join", join},
                     {"pm.barrier.pass", pass},           {"pm.barrier.sum", sum}};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(name, functions[i].name) == 0)
            return functions[i].code;
    return NULL;
}
