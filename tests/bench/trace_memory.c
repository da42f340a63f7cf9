/* What one access, and one L2 request, cost in the trace engine: nanoseconds by kind of access.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collector/trace/memory/l2.h"
#include "collector/trace/memory/pattern.h"

enum { LANES = 32, VARIED = 1024, ROUNDS = 200000, REPEATS = 9, REQUESTS = 1 << 20 };

static const pm_gpu gpu = {.device = "bench",
                           .compute_units = 132,
                           .warp_width = LANES,
                           .coalescing = PM_COALESCE_SECTORS,
                           .l1_global = true,
                           .l1_unified = true,
                           .l1_bytes = 256 << 10,
                           .l1_line = 128,
                           .l1_sector = 32,
                           .l1_ways = 16,
                           .shared_banks = 32,
                           .shared_bank_bytes = 4,
                           .l2_bytes = 50 << 20,
                           .l2_line = 128,
                           .l2_sector = 32,
                           .l2_ways = 16,
                           .l2_far = 0.5};

static uint64_t state = 1;

static uint64_t random_number(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 33;
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

typedef struct {
    const char *name;
    pm_space space;
    pm_access_kind kind;
    unsigned bytes;
    uint64_t mask;
    uint64_t step; /* bytes from a work-item to the next; UINT64_MAX: random */
    uint64_t span; /* bytes that the accesses lie in, a power of two */
} pattern;

static const pattern patterns[] = {
    {"load, one address", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, 0, 1 << 16},
    {"load, consecutive, hits", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, 4, 1 << 16},
    {"load, consecutive, misses", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, 4, 1 << 26},
    {"store, consecutive", PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, UINT32_MAX, 4, 1 << 26},
    {"load, 16 bytes consecutive", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 16, UINT32_MAX, 16, 1 << 26},
    {"load, half a warp", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, 0xFFFF, 4, 1 << 16},
    {"load, stride 32, hits", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, 32, 1 << 16},
    {"load, stride 32, misses", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, 32, 1 << 26},
    {"load, stride 4096", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, 4096, 1 << 26},
    {"load, random in 64 KiB", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, UINT64_MAX, 1 << 16},
    {"load, random in 64 MiB", PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, UINT32_MAX, UINT64_MAX, 1 << 26},
    {"shared, one address", PM_SPACE_SHARED, PM_ACCESS_LOAD, 4, UINT32_MAX, 0, 1 << 14},
    {"shared, consecutive", PM_SPACE_SHARED, PM_ACCESS_LOAD, 4, UINT32_MAX, 4, 1 << 14},
    {"shared, stride 8", PM_SPACE_SHARED, PM_ACCESS_LOAD, 4, UINT32_MAX, 8, 1 << 14},
    {"shared, stride 128", PM_SPACE_SHARED, PM_ACCESS_LOAD, 4, UINT32_MAX, 128, 1 << 14},
    {"shared, random", PM_SPACE_SHARED, PM_ACCESS_LOAD, 4, UINT32_MAX, UINT64_MAX, 1 << 14},
};

static void fill(const pattern *p, uint64_t (*address)[LANES])
{
    for (size_t i = 0; i < VARIED; i++) {
        const uint64_t base = random_number() % p->span & ~UINT64_C(127);
        for (unsigned lane = 0; lane < LANES; lane++)
            address[i][lane] = p->step == UINT64_MAX
                                   ? random_number() % p->span & ~(uint64_t)(p->bytes - 1)
                                   : (base + lane * p->step) % p->span;
    }
}

static int run_unit(const pattern *p)
{
    static uint64_t address[VARIED][LANES];
    static pm_pattern seen;
    pm_error err;
    pm_events events = {{0}};
    bool ok = true;
    pm_memory_unit *unit = pm_unit_create(&gpu, gpu.l1_bytes, &err);

    if (!unit) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    fill(p, address);
    double best = INFINITY;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = now_ns();
        for (int i = 0; i < ROUNDS && ok; i++) {
            pm_warp_access access = {.space = p->space,
                                     .kind = p->kind,
                                     .bytes = p->bytes,
                                     .mask = p->mask,
                                     .address = address[i % VARIED],
                                     .pattern = &seen};
            pm_pattern_see(&seen, access.address, access.mask, access.bytes, LANES);
            pm_unit_access(unit, &access, &events, &ok);
            pm_unit_drain(unit);
        }
        best = fmin(best, (now_ns() - start) / ROUNDS);
    }
    printf("%-28s %6.1f ns an access\n", p->name, best);
    pm_unit_free(unit);
    return ok ? 0 : 1;
}

static int run_l2(const char *name, double cells, bool scattered)
{
    const pm_memory_region region = {0, UINT64_C(1) << 29};
    pm_l2_request *requests = malloc(REQUESTS * sizeof *requests);
    pm_error err;
    pm_l2 *l2 = pm_l2_create(&gpu, &region, 1, &err);
    pm_status status = l2 && requests ? pm_l2_begin(l2, 4, cells, &err) : PM_FAILED;
    double best = INFINITY;

    for (size_t cell = 0; cell < 4 && status == PM_OK; cell++) {
        for (size_t i = 0; i < REQUESTS; i++)
            requests[i] = (pm_l2_request){scattered ? random_number() % (region.bytes / 128)
                                                    : cell * REQUESTS + i,
                                          scattered ? 1U << (random_number() % 4) : 15, i % 2};
        const double start = now_ns();
        for (size_t i = 0; i < REQUESTS && status == PM_OK; i += 1024)
            status = pm_l2_requests(l2, cell, requests + i, 1024, &err);
        best = fmin(best, (now_ns() - start) / REQUESTS);
    }
    if (status == PM_OK) {
        printf("%-28s %6.1f ns a request", name, best);
        const double start = now_ns();
        status = pm_l2_end(l2, &err);
        printf(", end of launch %.1f ms\n", (now_ns() - start) / 1e6);
    }
    if (status != PM_OK)
        fprintf(stderr, "%s\n", err.text);
    pm_l2_free(l2);
    free(requests);
    return status == PM_OK ? 0 : 1;
}

int main(void)
{
    int failed = 0;

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        failed |= run_unit(&patterns[i]);
    failed |= run_l2("L2, whole, in order", 4, false);
    failed |= run_l2("L2, whole, random", 4, true);
    failed |= run_l2("L2, sampled, in order", 16, false);
    failed |= run_l2("L2, sampled, random", 16, true);
    return failed;
}
