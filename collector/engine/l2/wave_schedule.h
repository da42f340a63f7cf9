/* For the replay of a wave's requests to L2 (wave_replay.h): finds the requests whose cache sets
 * are simulated, and the slots (resident work-groups) that issue their next request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of a large L2 only some sets are simulated (wave_replay.c), so that most requests have no effect.
 * The functions of this file test many requests or slots at a time, to skip these requests fast.
 */
#ifndef PM_COLLECTOR_ENGINE_L2_WAVE_SCHEDULE_H
#define PM_COLLECTOR_ENGINE_L2_WAVE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* CHUNK: number of requests that are examined together. SLOTS: number of slots (resident
 * work-groups) that are examined together. STRIDES: number of strides that a request may have. */
enum { PM_SCHEDULE_CHUNK = 32, PM_SCHEDULE_SLOTS = 64, PM_SCHEDULE_STRIDES = 8 };

/* Returns the hash of a line, which decides whether the line is simulated. The hash of a sum of
 * line numbers is the sum of their hashes. */
static inline uint64_t pm_schedule_hash(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15);
}

/* Returns whether the line with this hash is simulated. passed_over: mask of bits; the line is
 * simulated if none of them is set in its hash. */
static inline bool pm_schedule_selects(uint64_t hash, uint64_t passed_over)
{
    return (hash >> 40 & passed_over) == 0;
}

/* Data that are prepared for the work-group in a slot, to find its requests that access simulated
 * lines. The group repeats the requests of a recorded group at a distance, which depends on the
 * stride of the memory instruction. For each stride: */
typedef struct {
    uint64_t lines[PM_SCHEDULE_STRIDES]; /* hash of the distance in lines */
    /* hash of one line if a request may reach into the next line; otherwise 0 */
    uint64_t beyond[PM_SCHEDULE_STRIDES];
} pm_schedule_moves;

/* Returns a mask: bit i is set if request i of PM_SCHEDULE_CHUNK requests may access a simulated
 * line. hashes: hash of each recorded request's line. strides: index of each request's stride in
 * `moves`; requests with the stride `always` are in the mask in any case. passed_over: as in
 * pm_schedule_selects. */
uint32_t pm_schedule_simulated(const uint64_t *hashes, const uint8_t *strides,
                               const pm_schedule_moves *moves, unsigned always,
                               uint64_t passed_over);

/* Returns a mask: bit i is set if slot i (a resident work-group) issues a request in step `now`
 * (when[i] is `now`), for PM_SCHEDULE_SLOTS slots. */
uint64_t pm_schedule_due(const uint32_t *when, uint32_t now);

#endif
