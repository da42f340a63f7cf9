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

uint8_t *pm_group_place(const pm_group_context *group, uint32_t address, uint64_t bytes)
{
    const uint32_t at = (address - (uint32_t)(uintptr_t)group->shared) & ((1U << ADDRESS_BITS) - 1);

    return at + bytes <= group->shared_bytes ? group->shared + at : NULL;
}

/* Returns the address on the host of a barrier in the work-group's shared memory; NULL: the barrier
 * is outside of it. */
static uint8_t *place_of(const pm_group_context *group, uint32_t address)
{
    return pm_group_place(group, address, sizeof(uint64_t));
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

/* Writes the word in shared memory that is the state `b` of a barrier. If the barrier's phase waits
 * for no further arrivals or bytes, first changes the state to the start of the next phase. place
 * NULL: writes nothing. */
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

/* Each of the following functions executes one mbarrier instruction for one work-item. The
 * work-item's operands are the words from given[lane * stride] on. The first operand is the
 * barrier's address; the comment of each function names the further operands. */

static void init(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                 uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;

    (void)what;
    (void)mask;
    *result = 0;
    write_barrier(place_of(group, own[0]), (barrier){.pending = own[1], .expected = own[1]});
}

/* mbarrier.arrive. Further operands: number of arrivals, number of bytes for which the current
 * phase waits in addition, and number by which the arrivals of all following phases decrease.
 * Result: the barrier's word before. */
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

/* Counts bytes that have arrived at a barrier. */
static void receive(uint8_t *place, uint32_t bytes)
{
    barrier b = unpack(read_word(place));

    b.bytes -= (int32_t)bytes;
    write_barrier(place, b);
}

/* Returns the record of arrivals at the barrier with an offset in shared memory. Another barrier
 * may have the same record. */
static pm_bulk_arrival *arrival_at(const pm_group_context *group, uint32_t offset)
{
    return &group->bulk->arrivals[offset / (uint32_t)sizeof(uint64_t) % PM_BULK_BARRIERS];
}

bool pm_barrier_receive(const pm_group_context *group, uint32_t address, uint32_t bytes)
{
    uint8_t *place = place_of(group, address);
    const uint32_t parity = unpack(read_word(place)).parity;
    pm_bulk_arrival *arrival;
    uint32_t at;

    if (!place)
        return false;
    at = (uint32_t)(place - group->shared);
    arrival = arrival_at(group, at);
    if (arrival->barrier != at)
        *arrival = (pm_bulk_arrival){.barrier = at};
    else if (arrival->parity != parity)
        arrival->before = arrival->copy;
    arrival->parity = parity;
    arrival->copy = ++group->bulk->issued;
    arrival->issuer = group->bulk->warp;
    receive(place, bytes);
    return true;
}

/* mbarrier.complete_tx. Further operand: number of bytes that have arrived. The phase is complete
 * only when it waits for no further arrivals, either. */
static void complete(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                     uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;

    (void)what;
    (void)mask;
    *result = 0;
    receive(place_of(group, own[0]), own[1]);
}

/* Records that a work-item has found a phase of a barrier complete, for which bulk copies may have
 * arrived. */
static void note_awaited(const pm_group_context *group, uint32_t address)
{
    const uint8_t *place = place_of(group, address);
    const uint32_t at = place ? (uint32_t)(place - group->shared) : 0;
    const pm_bulk_arrival *arrival = arrival_at(group, at);

    if (arrival->barrier == at && arrival->copy > group->bulk->awaited.copy)
        group->bulk->awaited = *arrival;
}

/* mbarrier.test_wait. Further operand: parity of a phase. Result: 1 if the last phase with this
 * parity is complete, otherwise 0. */
static void test(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                 uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;

    (void)what;
    (void)mask;
    *result = unpack(read_word(place_of(group, own[0]))).parity != (own[1] & 1);
    if (*result)
        note_awaited(group, own[0]);
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

/* Executes the arrival at a barrier for a part of a work-group (bar.sync, barrier.red). Operands:
 * number of the barrier, number of work-items for which the barrier waits, and 1 or 0 as the
 * work-item's value for barrier.red. The last work-item of the warp that executes the instruction
 * counts as 32 arrivals. Result: number of the current phase. */
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

/* Executes the wait at a barrier for a part of a work-group, and sets *group->unready if the phase
 * is not complete. Operands: number of the barrier, and number of the phase, which is the result of
 * the arrival. */
static void pass(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                 uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const uint32_t *own = given + lane * stride;

    (void)what;
    (void)mask;
    *result = 0;
    *group->unready = *group->unready || named(group, own[0])->phase == own[1];
}

/* Returns the results of barrier.red. Operands: number of the barrier, and number of the phase.
 * Results: number of work-items that arrived in the phase, and number of these whose value was 1.
 */
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
