/* Computes how many seconds each functional unit of a GPU works on a kernel, from the kernel's
 * counters and the GPU's peak rates. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/units/parts.h"

/* Prior values of the parameters, and standard deviations of their logarithms (spread). Launches
 * take the profile's time. Overlap exponents q and r are about 4. Pipes reach 95 % of their rate,
 * the L2 cache perhaps 60 %, and DRAM the rate of a copy. A lone warp waits for the profile's
 * latencies; a miss may also wait in a queue. A request for sectors of a line takes 1.7 cycles, and
 * a store to a line 3.7 (measured on an H100: words 128 bytes apart in 8 MB that fit in L2). A
 * constant takes a few cycles (unpublished), and the start of a work-group some tens. Latencies of
 * the loads before a barrier have a standard deviation of perhaps a quarter of their mean. A pass
 * of atomics (one operation of an L2 slice on a sector) takes 1.45 cycles in a single slice, 1.9 if
 * all slices work, and 2.6 with a result. These were measured on an H200 (tests/bench/terms/atomics
 * and atomics_returned: one, all). */
static const struct {
    double value, spread; /* of the logarithm */
} priors[PM_UNITS_PARAMETERS] = {
    [PM_UNITS_OVERHEAD] = {1, .7},      [PM_UNITS_OVERLAP] = {3, .7},
    [PM_UNITS_SM] = {1 / .95, .05},     [PM_UNITS_L2] = {1 / .6, .4},
    [PM_UNITS_DRAM] = {1, .1},          [PM_UNITS_DEPTH] = {1, .7},
    [PM_UNITS_LOAD] = {1, .2},          [PM_UNITS_SHARED] = {1, .3},
    [PM_UNITS_MISS] = {1, .2},          [PM_UNITS_PIPES_OVERLAP] = {3, .7},
    [PM_UNITS_OWN] = {1, .7},           [PM_UNITS_ASK] = {1.7, .3},
    [PM_UNITS_HAND_ON] = {3.7, .3},     [PM_UNITS_ATOMIC] = {1.9, .1},
    [PM_UNITS_PILE] = {1.45, .03},      [PM_UNITS_CONSTANT] = {1, 1},
    [PM_UNITS_RETURN] = {2.6, .1},      [PM_UNITS_START] = {80, 1},
    [PM_UNITS_OVERHEAD_CUDA] = {1, .7}, [PM_UNITS_PASSES] = {1, .7},
    [PM_UNITS_FUNCTIONS] = {1, .7},     [PM_UNITS_BARRIER] = {.25, 1},
};
/* SINGLE_SPREAD: prior standard deviation of the factor of a latency if waits were not counted, so
 * that every load counts as a wait. It is large because loads overlap. */
static const double SINGLE_SPREAD = 1;
static const double CYCLES_SPREAD = 1;
/* TURNS_SPREAD: prior standard deviation of the parameters that are factors, if the units' times
 * are only added up. It is large because these factors must then account for the overlap of units.
 * NO_OVERLAP: exponent minus 1 in this case. */
static const double TURNS_SPREAD = 1.5, NO_OVERLAP = 1e-6;

/* Latencies of arithmetic, shared memory, L1, L2 and DRAM in cycles that are used if the profile
 * does not have them. They were measured on NVIDIA GPUs from Volta on. Sources: Jia et al.,
 * "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018; Luo et al.,
 * "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking", 2024. */
static const double ALU_CYCLES = 4, SHARED_CYCLES = 30, L1_CYCLES = 35, L2_CYCLES = 250,
                    DRAM_CYCLES = 550;
/* Launch time in seconds that is used if the profile does not have it: a few microseconds on all
 * GPUs since 2008. */
static const double LAUNCH_S = 3e-6;
/* FP64 rate as a fraction of the FP32 rate that is used if the profile does not have it: the one of
 * consumer GPUs. */
static const double FP64_SHARE = 1.0 / 32;

pm_units *pm_units_alloc(pm_memory *memory, size_t n)
{
    pm_units *units = pm_take(memory, 1, sizeof *units);

    *units = (pm_units){.n = n,
                        .cancel = memory->cancel,
                        .work = pm_take(memory, n, PM_UNITS_COLUMNS * sizeof *units->work),
                        .launches = pm_take(memory, n, sizeof *units->launches),
                        .cuda = pm_take(memory, n, sizeof *units->cuda),
                        .floor = pm_take(memory, n, sizeof *units->floor)};
    return units;
}

static void set_prior(pm_units *units, size_t parameter, double value, double spread)
{
    units->prior[parameter] = log(value);
    units->spread[parameter] = spread;
    if (parameter >= units->parameters)
        units->parameters = parameter + 1;
}

/* Limits work to 0 ... 1e100. Counters may have any value that a double holds, also negative ones.
 * Sums and powers of the work must stay finite. */
static double bounded(double work)
{
    return fmin(fmax(work, 0), 1e100);
}

/* ---- from code counters -------------------------------------------------------------------- */

/* Counters of the model. Each has a name, the counter that replaces it if it is unknown (the trace
 * engine's class of instructions), and two flags. The trace engine counts classes of instructions,
 * because it does not know the pipes that the compiler chooses. It has no class for integer
 * multiplications, which only the pipe fmaheavy executes. */
const pm_units_counter pm_units_counters[COUNTERS] = {
    [ISSUED] = {"inst_issued", "inst_executed", false, false},
    [EXECUTED] = {"inst_executed", NULL, false, false},
    [FMA] = {"pipe_fma", "inst_fp32", true, false},
    [FMAHEAVY] = {"pipe_fmaheavy", NULL, false, true},
    [FP64] = {"pipe_fp64", "inst_fp64", true, true},
    [ALU] = {"pipe_alu", "inst_int", true, false},
    [XU] = {"pipe_xu", "inst_special", true, false},
    [LSU] = {"pipe_lsu", "inst_memory", true, false},
    [GLOBAL_WAVEFRONT] = {"global_wavefront", NULL, false, false},
    [SHARED_WAVEFRONT] = {"shared_wavefront", NULL, false, false},
    [L2_READ] = {"l2_read_sector", NULL, false, false},
    [L2_WRITE] = {"l2_write_sector", NULL, false, false},
    [L2_HIT] = {"l2_read_hit", NULL, false, true},
    [L2_MISS] = {"l2_read_miss", NULL, false, true},
    [DRAM_READ] = {"dram_read_bytes", NULL, false, false},
    [DRAM_WRITE] = {"dram_write_bytes", NULL, false, false},
    [READ_ROW] = {"dram_read_row", NULL, false, true},
    [WRITE_ROW] = {"dram_write_row", NULL, false, true},
    [GLD_REQUEST] = {"gld_request", NULL, false, false},
    [GLD_SECTOR] = {"gld_sector", NULL, false, false},
    [L1_HIT] = {"l1_global_load_hit", NULL, false, true},
    [L1_MISS] = {"l1_global_load_miss", NULL, false, true},
    [LOAD_WAIT] = {"load_wait", "gld_request", false, false},
    [LOAD_WAIT_MISS] = {"load_wait_miss", NULL, false, true},
    [DEPTH] = {"inst_depth", "inst_executed", false, false},
    [SHARED_LOAD] = {"shared_load", NULL, false, false},
    [SHARED_WAIT] = {"shared_wait", "shared_load", false, false},
    [WORK_GROUPS] = {"work_groups", NULL, false, false},
    [WARPS] = {"launched_warps", NULL, false, false},
    [RESIDENT] = {"resident_groups", NULL, false, false},
    [LAUNCHES] = {"launches", NULL, false, false},
    [GLD_TAG] = {"gld_tag", NULL, false, true},
    [GST_TAG] = {"gst_tag", NULL, false, true},
    [ATOMIC_PASS] = {"atomic_pass", NULL, false, true},
    [RETURN_PASS] = {"atomic_return_pass", NULL, false, true},
    [ATOMIC_PILE] = {"atomic_pile", NULL, false, true},
    [CONSTANT_PASS] = {"constant_pass", NULL, false, true},
    [GROUP_SPAN] = {"group_span", NULL, false, true},
    [LONGEST_SPAN] = {"longest_span", NULL, false, true},
    [LOCAL_MISS] = {"local_load_miss", NULL, false, true},
    [LOCAL_STORE_TAG] = {"local_store_tag", NULL, false, true},
    [FLOP32] = {"", "flop_fp32", true, true}, /* no profiler counts these operations per warp */
    [FLOP64] = {"", "flop_fp64", true, true},
    [CONVERSION64] = {"conversion_fp64", NULL, false, true},
    [BARRIER] = {"barrier", NULL, false, true},
    [TENSOR_F16] = {"tensor_f16", NULL, false, true},
    [TENSOR_TF32] = {"tensor_tf32", NULL, false, true},
    [TENSOR_F64] = {"tensor_f64", NULL, false, true},
    [TENSOR_INT] = {"tensor_int", NULL, false, true},
    [TENSOR_FP8] = {"tensor_fp8", NULL, false, true},
    [TENSOR_WARP] = {"tensor_warp", NULL, false, true},
};

/* SECTOR_BYTES: size of a sector; SLICE_BYTES: bytes that a slice of L2 transfers per cycle */
static const double SECTOR_BYTES = 32, SLICE_BYTES = 64;
/* Time to open a row of DRAM for a write, divided by the time to open one for a read. On an H200,
 * random stores of whole sectors take 1.3 times as long as random reads. Random increments, which
 * read and write, take as long as a read plus 2.3 times that (tests/bench/random_chunks.cu). The
 * value lies between 1.3 and 2.3. */
static const double WRITTEN_ROW = 1.5;

static void set_work(pm_units *units, size_t row, size_t column, const char *unit, size_t term,
                     size_t parameter, double seconds)
{
    units->work[row * PM_UNITS_COLUMNS + column] = bounded(seconds);
    units->unit[column] = unit;
    units->term[column] = term;
    units->parameter[column] = parameter;
    if (column >= units->columns)
        units->columns = column + 1;
    if (term >= units->terms)
        units->terms = term + 1;
}

/* Returns the seconds in which one cycle of work is done if it is spread over all compute units. If
 * the number of work-groups is no multiple of the number of compute units, those with most
 * work-groups determine the time. */
static double cycle_of(const double *c, const pm_profile *p)
{
    double share = c[WORK_GROUPS] / c[LAUNCHES] / p->compute_units;
    double imbalance = share > 0 ? ceil(share) / share : 1;

    return imbalance / (p->compute_units * p->clock_mhz * 1e6);
}

/* Work of one pipe of a compute unit. unit: name of the functional unit; cycles: work in cycles. */
typedef struct {
    const char *unit;
    double cycles;
    bool first;    /* true: starts a new term */
    bool shares;   /* true: the pipe uses the same lanes as all other pipes with this flag */
    size_t on_cpu; /* index of the parameter that multiplies the pipe's work on a CPU */
} pipe_work;

/* Pipes that use the same lanes cannot overlap: the sum of their cycles is given to the pipe with
 * most cycles, and the others get 0. */
static void add_shared_lanes(pipe_work *pipes, size_t count)
{
    size_t most = count;
    double sum = 0;

    for (size_t k = 0; k < count; k++) {
        if (!pipes[k].shares)
            continue;
        if (most == count || pipes[k].cycles > pipes[most].cycles)
            most = k;
        sum += pipes[k].cycles;
    }
    for (size_t k = 0; k < count; k++)
        if (pipes[k].shares)
            pipes[k].cycles = k == most ? sum : 0;
}

/* The first LANES terms of the time are the scheduler and the arithmetic lanes; the term after them
 * is "lsu". */
enum { LANES = 7 };

static double fp64_rate(const pm_profile *p)
{
    return p->fp64_per_cycle > 0 ? p->fp64_per_cycle : p->fma_per_cycle * FP64_SHARE;
}

/* Returns the cycles of the FP64 pipe. Conversions from and to double count as work of this pipe if
 * it is slower than the unit for other conversions. They also count as work of that unit (CUDA C++
 * Programming Guide, "Arithmetic Instructions"). */
static double fp64_cycles(const double *c, const pm_profile *p)
{
    const double rate = fp64_rate(p);

    return (c[FP64] + (rate < p->xu_per_cycle ? c[CONVERSION64] : 0)) / rate;
}

/* Returns the cycles of integer instructions at full rate. They execute in their own pipe and in
 * the multiply-add lanes that can execute them, if the schedulers can issue to both (see
 * answer/roofline/roofline.c). */
static double integer_cycles(const double *c, const pm_profile *p, double heavy)
{
    if (p->pipes != PM_PIPES_APART)
        return c[ALU] / p->alu_per_cycle;
    return (c[ALU] + c[FMAHEAVY]) / fmin(p->issue_per_cycle, p->alu_per_cycle + heavy);
}

/* Returns a lower bound of the cycles of arithmetic, from instructions and operations at the peak
 * rates. A fused multiply-add is two operations. heavy: multiply-add rate of the lanes that also
 * multiply integers; fp64: cycles of the FP64 pipe. A CPU's cache rates are means, not peaks, so
 * they give no bound (fill_sm, pm_units_fill). */
static double least_cycles(const double *c, const pm_profile *p, double heavy, double fp64)
{
    const double rate64 = fp64_rate(p),
                 floats = fmax(fmax(c[FMA], c[FLOP32] / 2) / p->fma_per_cycle,
                               fmax(fp64, c[FLOP64] / 2 / rate64));

    /* A CPU computes special functions by instruction sequences; their rate is a mean, not a
     * peak. */
    return p->loops ? floats
                    : fmax(fmax(floats, integer_cycles(c, p, heavy)), c[XU] / p->xu_per_cycle);
}

/* Returns the cycles of the tensor cores, summed over the types of numbers. A type whose rate is
 * unknown takes no time. On some GPUs, instructions of one warp do not reach the full rate. */
static double tensor_cycles(const double *c, const pm_profile *p)
{
    const struct {
        double products, rate;
    } types[] = {{c[TENSOR_F16], p->tensor_f16_per_cycle},
                 {c[TENSOR_TF32], p->tensor_tf32_per_cycle},
                 {c[TENSOR_INT], p->tensor_int8_per_cycle},
                 {c[TENSOR_FP8], p->tensor_fp8_per_cycle}};
    const double slower = p->tensor_warp_share > 0 ? 1 / p->tensor_warp_share - 1 : 0;
    double cycles = 0, products = 0;

    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        products += fmax(types[k].products, 0);
        cycles += types[k].rate > 0 ? fmax(types[k].products, 0) / types[k].rate : 0;
    }
    if (products > 0)
        cycles *= 1 + slower * fmin(fmax(c[TENSOR_WARP], 0) / products, 1);
    if (p->tensor_f64_per_cycle > 0)
        cycles += fmax(c[TENSOR_F64], 0) / p->tensor_f64_per_cycle;
    return cycles;
}

/* Computes the seconds of a row's work on the pipes of a compute unit, and stores them in the
 * columns of units->work. Returns the number of columns that were filled. Sets units->pipes to the
 * number of pipes. */
static size_t fill_sm(pm_units *units, size_t row, const double *c, const pm_profile *p,
                      double cycle_s, bool chains)
{
    double even_s = 1 / (p->compute_units * p->clock_mhz * 1e6);
    double fp64 = fp64_cycles(c, p);
    double heavy = p->fmaheavy_per_cycle > 0 ? p->fmaheavy_per_cycle : p->fma_per_cycle;
    const double l1 = c[GLOBAL_WAVEFRONT] / p->l1_wavefronts_per_cycle,
                 shared = c[SHARED_WAVEFRONT] / p->l1_wavefronts_per_cycle;
    const double tensor = tensor_cycles(c, p);
    const bool one = p->pipes != PM_PIPES_APART, all = p->pipes == PM_PIPES_ONE;
    pipe_work pipes[] = {
        {"issue", c[ISSUED] / p->issue_per_cycle, true, false, PM_UNITS_SM},
        {"fp32", c[FMA] / p->fma_per_cycle, true, one, PM_UNITS_SM},
        {"fp32", c[FMAHEAVY] / heavy, true, false, PM_UNITS_SM},
        {"fp64", fp64, true, one, PM_UNITS_SM},
        {"int", c[ALU] / p->alu_per_cycle, true, one, PM_UNITS_SM},
        {"special", c[XU] / p->xu_per_cycle, true, all, PM_UNITS_FUNCTIONS},
        {"tensor", tensor, true, false, PM_UNITS_SM},
        {"lsu", c[LSU] / p->lsu_per_cycle, true, false, PM_UNITS_PASSES},
        {"l1", l1, true, false, PM_UNITS_PASSES},
        {"shared", shared, false, false, PM_UNITS_PASSES},
    };
    const size_t count = sizeof pipes / sizeof *pipes;
    size_t term = 0;

    add_shared_lanes(pipes, count);
    for (size_t k = 0; k < count; k++) {
        const size_t parameter = p->loops && chains ? pipes[k].on_cpu : PM_UNITS_SM;

        term += k > 0 && pipes[k].first;
        set_work(units, row, k, pipes[k].unit, term, parameter, pipes[k].cycles * cycle_s);
    }
    units->pipes = term + 1;
    units->lanes = LANES;
    units->floor[row] = bounded(
        fmax(fmax(least_cycles(c, p, heavy, fp64), tensor), p->loops ? 0 : fmax(l1, shared)) *
        even_s);
    return count;
}

static double known_or(double value, double otherwise)
{
    return value > 0 ? value : otherwise;
}

/* Computes the latency of a load in cycles: *l1 if L1 has the data, and *miss in addition if L1
 * does not. *miss assumes that L2 has the data, except the fraction of sectors that miss L2 and
 * come from DRAM or from a cache behind L2. */
static void wait_cycles(const double *c, const pm_profile *p, double *l1, double *miss)
{
    double l2 = known_or(p->l2_cycles, p->l2_bytes_per_cycle > 0 ? L2_CYCLES : DRAM_CYCLES);
    double dram = fmax(known_or(p->dram_cycles, DRAM_CYCLES), l2);
    double asked = c[L2_HIT] + c[L2_MISS];
    double share = asked > 0 ? fmin(fmax(c[L2_MISS] / asked, 0), 1) : 0;

    if (p->l3_gb_s > 0 && c[L2_MISS] > 0) {
        const double beyond = fmin(c[DRAM_READ] / SECTOR_BYTES / c[L2_MISS], 1);

        dram = beyond * dram + (1 - beyond) * fmin(fmax(known_or(p->l3_cycles, dram), l2), dram);
    }
    *l1 = fmin(known_or(p->l1_cycles, L1_CYCLES), l2);
    *miss = l2 - *l1 + share * (dram - l2);
}

/* Returns a factor for launches whose work-groups differ in length: the time of the launch, divided
 * by its time if all groups had the mean length. The longest group determines the last round of
 * groups. All earlier rounds take the mean time, because a group starts as soon as another one
 * ends. resident: number of groups that run at the same time. */
static double tail_of(const double *c, double resident)
{
    const double groups = c[WORK_GROUPS] / c[LAUNCHES];
    const double rounds = fmax(1, groups / resident);
    const double mean = c[GROUP_SPAN] / c[WORK_GROUPS], longest = c[LONGEST_SPAN] / c[LAUNCHES];

    return mean > 0 && longest > mean ? (rounds - 1 + longest / mean) / rounds : 1;
}

static double warps_of_group(const double *c)
{
    return c[WORK_GROUPS] > 0 ? fmax(c[WARPS] / c[WORK_GROUPS], 1) : 1;
}

/* Returns the cycles that a warp takes for one instruction when it does not wait. After a barrier,
 * the warps of a group run at the same time and share the schedulers. If there is a barrier for
 * each wait for loads, an instruction takes the issue cycles of all warps of the group. If there
 * are fewer barriers, the result is in between. */
static double cycles_of_own(const double *c, const pm_profile *p)
{
    const double alone = fmax(1, 1 / p->issue_per_cycle);
    const double group = fmax(alone, warps_of_group(c) / p->issue_per_cycle);
    const double waits = fmax(c[LOAD_WAIT_MISS], c[BARRIER]);
    const double share = waits > 0 ? c[BARRIER] / waits : 0;

    return alone + share * (group - alone);
}

/* Returns the waiting time at barriers because latencies of loads vary, in units of their standard
 * deviation. All warps of a group wait at a barrier for the slowest of their loads. The maximum of
 * n normal variables is about sqrt(2 ln n) standard deviations above the mean. */
static double slowest_of(const double *c)
{
    return fmin(c[BARRIER], c[LOAD_WAIT_MISS]) * sqrt(2 * log(warps_of_group(c)));
}

/* Computes the latency terms of a row in seconds: the number of rounds of resident warps times the
 * waits of one warp. chains: true if the counter DEPTH counts only dependent instructions; the time
 * to issue all other instructions is then added. */
static void fill_latency(pm_units *units, size_t row, size_t column, size_t term, const double *c,
                         const pm_profile *p, bool chains)
{
    double resident = fmax(c[RESIDENT], 1) * p->compute_units;
    double rounds = fmax(c[LAUNCHES], c[WORK_GROUPS] / resident);
    double scale = c[WARPS] > 0 ? rounds / c[WARPS] / (p->clock_mhz * 1e6) : 0;
    double l1, miss;

    if (chains)
        scale *= tail_of(c, resident);
    wait_cycles(c, p, &l1, &miss);
    set_work(units, row, column, "latency", term, PM_UNITS_DEPTH,
             scale * c[DEPTH] * known_or(p->alu_cycles, ALU_CYCLES));
    set_work(units, row, column + 1, "latency", term, PM_UNITS_LOAD, scale * c[LOAD_WAIT] * l1);
    set_work(units, row, column + 2, "latency", term, PM_UNITS_SHARED,
             scale * c[SHARED_WAIT] * known_or(p->shared_cycles, SHARED_CYCLES));
    set_work(units, row, column + 3, "latency", term, PM_UNITS_MISS,
             scale * c[LOAD_WAIT_MISS] * miss);
    /* A CPU core executes instructions of other work-items during a wait, so its own issue adds no
     * time here. */
    if (chains)
        set_work(units, row, column + 4, "latency", term, PM_UNITS_OWN,
                 p->loops ? 0 : scale * c[EXECUTED] * cycles_of_own(c, p));
    if (chains)
        set_work(units, row, column + 5, "latency", term, PM_UNITS_BARRIER,
                 p->loops ? 0 : scale * slowest_of(c) * (l1 + miss));
}

/* Computes work that only the trace engine counts. A compute unit requests sectors from L2, one
 * cache line at a time. It sends stores (also to private memory) in the other direction at the same
 * time, one line at a time. A slice of L2 returns 64 bytes per cycle and executes passes of atomics
 * (counter atomic_pass) one after the other. The slice with the most contended address (hot spot)
 * also executes its fraction of all other atomics. This was measured on an H200
 * (tests/bench/terms/atomics): sums in 64 KB take 1.5 times as long as in 4 MB. A compute unit
 * starts its work-groups one after the other. */
static void fill_traced(pm_units *units, size_t row, size_t column, size_t term, const double *c,
                        const pm_profile *p, double cycle_s)
{
    const double missed = c[GLD_SECTOR] > 0 ? fmin(c[L1_MISS] / c[GLD_SECTOR], 1) : 0;
    const double clock = p->clock_mhz * 1e6, slices = p->l2_bytes_per_cycle / SLICE_BYTES;

    set_work(units, row, column, "requests", term, PM_UNITS_ASK,
             (c[GLD_TAG] * missed + c[LOCAL_MISS]) * cycle_s);
    set_work(units, row, column + 1, "requests", term + 1, PM_UNITS_HAND_ON,
             (c[GST_TAG] + c[LOCAL_STORE_TAG]) * cycle_s);
    /* A CPU core executes atomics itself, after it has fetched the line from the other cores. */
    set_work(units, row, column + 2, "atomics", term + 2, PM_UNITS_ATOMIC,
             p->loops     ? c[ATOMIC_PASS] * cycle_s
             : slices > 0 ? (c[ATOMIC_PASS] - c[RETURN_PASS]) / slices / clock
                          : 0);
    set_work(units, row, column + 3, "atomics", term + 2, PM_UNITS_PILE, c[ATOMIC_PILE] / clock);
    set_work(units, row, column + 4, "constant", term + 3, PM_UNITS_CONSTANT,
             c[CONSTANT_PASS] * cycle_s);
    set_work(units, row, column + 5, "atomics", term + 2, PM_UNITS_RETURN,
             slices > 0 && !p->loops ? c[RETURN_PASS] / slices / clock : 0);
    set_work(units, row, column + 6, "groups", term + 4, PM_UNITS_START, c[WORK_GROUPS] * cycle_s);
}

/* Returns the seconds that a cache between L2 and DRAM (L3) takes for the misses of L2; 0 if the
 * profile has no such cache. */
static double behind_l2(const double *c, const pm_profile *p)
{
    return p->l3_gb_s > 0 ? fmax(c[L2_MISS], 0) * SECTOR_BYTES / (p->l3_gb_s * 1e9) : 0;
}

/* Returns the seconds in which DRAM opens the rows that a launch accesses; 0 if the profile does
 * not give the rate. If all accesses are at random addresses, opening rows takes longer than the
 * transfer of the data. written_row: time to open a row for a write, divided by the time to open a
 * row for a read. */
static double row_seconds(const double *c, const pm_profile *p, double written_row)
{
    return p->dram_rows_s > 0 ? fmax(c[READ_ROW] + written_row * c[WRITE_ROW], 0) / p->dram_rows_s
                              : 0;
}

void pm_units_fill(pm_units *units, size_t row, const double *c, const pm_profile *p, bool chains)
{
    /* Reads and writes use separate paths between compute units and L2, so they overlap. */
    const double sectors = p->l2_bytes_per_cycle / SECTOR_BYTES * p->clock_mhz * 1e6;
    const double dram_s = (c[DRAM_READ] + c[DRAM_WRITE]) / (p->dram_gb_s * 1e9);
    const double rows_s = row_seconds(c, p, WRITTEN_ROW);
    const double l2_s = sectors > 0 ? fmax(c[L2_READ], c[L2_WRITE]) / sectors : 0;
    double cycle_s = cycle_of(c, p);
    size_t k = fill_sm(units, row, c, p, cycle_s, chains), term = units->pipes;

    set_work(units, row, k, "l2", term, PM_UNITS_L2, sectors > 0 ? c[L2_READ] / sectors : 0);
    set_work(units, row, k + 1, "l2", term + 1, PM_UNITS_L2,
             sectors > 0 ? c[L2_WRITE] / sectors : 0);
    set_work(units, row, k + 2, "dram", term + 2, PM_UNITS_DRAM,
             fmax(fmax(dram_s / p->dram_share, rows_s), behind_l2(c, p)));
    fill_latency(units, row, k + 3, term + 3, c, p, chains);
    if (chains)
        fill_traced(units, row, k + 9, term + 4, c, p, cycle_s);
    units->floor[row] = fmax(
        units->floor[row], bounded(fmax(fmax(dram_s, row_seconds(c, p, 1)), p->loops ? 0 : l2_s)));
    units->launches[row] = bounded(c[LAUNCHES]) * known_or(p->launch_s, LAUNCH_S);
}

const double pm_units_apart[PM_UNITS_PARAMETERS] = {
    [PM_UNITS_OVERHEAD] = .5,
    [PM_UNITS_OVERLAP] = .3,
    [PM_UNITS_SM] = .1,
    [PM_UNITS_L2] = .3,
    [PM_UNITS_DRAM] = .1,
    [PM_UNITS_DEPTH] = .2,
    [PM_UNITS_LOAD] = .2,
    [PM_UNITS_SHARED] = .2,
    [PM_UNITS_MISS] = .3,
    [PM_UNITS_OWN] = .3,
    [PM_UNITS_PIPES_OVERLAP] = .3,
    [PM_UNITS_ASK] = .3,
    [PM_UNITS_HAND_ON] = .3,
    [PM_UNITS_ATOMIC] = .5,
    [PM_UNITS_PILE] = .5,
    [PM_UNITS_CONSTANT] = .5,
    [PM_UNITS_RETURN] = .5,
    [PM_UNITS_START] = .5,
    [PM_UNITS_OVERHEAD_CUDA] = .5,
    [PM_UNITS_PASSES] = .5,
    [PM_UNITS_FUNCTIONS] = .5,
    [PM_UNITS_BARRIER] = .3,
};

void pm_units_set_priors(pm_units *units, bool chains, bool load_waits, bool shared_waits)
{
    for (size_t i = 0; i < PM_UNITS_PARAMETERS; i++)
        if (i < PM_UNITS_OWN || chains)
            set_prior(units, i, priors[i].value, priors[i].spread);
    if (!load_waits)
        units->spread[PM_UNITS_LOAD] = units->spread[PM_UNITS_MISS] = SINGLE_SPREAD;
    if (!shared_waits)
        units->spread[PM_UNITS_SHARED] = SINGLE_SPREAD;
}

void pm_units_take_turns(pm_units *units)
{
    for (size_t k = PM_UNITS_SM; k < units->parameters; k++)
        units->spread[k] = TURNS_SPREAD;
    units->prior[PM_UNITS_OVERLAP] = units->prior[PM_UNITS_PIPES_OVERLAP] = log(NO_OVERLAP);
    units->spread[PM_UNITS_OVERLAP] = units->spread[PM_UNITS_PIPES_OVERLAP] = NO_OVERLAP;
}

/* ---- from active cycles -------------------------------------------------------------------- */

static double median_ratio(const pm_problem *problem, const double *cycles, const size_t *rows,
                           size_t n, double *work)
{
    for (size_t i = 0; i < n; i++)
        work[i] = problem->t[rows[i]] / fmax(cycles[rows[i]], 1);
    gsl_sort(work, 1, n);
    return gsl_stats_median_from_sorted_data(work, 1, n);
}

static void set_launches(pm_units *units, const double *launches)
{
    for (size_t i = 0; i < units->n; i++)
        units->launches[i] = LAUNCH_S * (launches ? bounded(fmax(launches[i], 1)) : 1);
}

pm_units *pm_units_of_cycles(pm_memory *memory, const pm_problem *problem, const size_t *rows,
                             size_t n)
{
    const double *cycles = pm_problem_known(problem, "active_cycles");
    double seconds;
    pm_units *units;

    if (!cycles)
        return NULL;
    seconds = median_ratio(problem, cycles, rows, n, pm_take(memory, n, sizeof(double)));
    units = pm_units_alloc(memory, problem->n);
    set_prior(units, PM_UNITS_OVERHEAD, priors[PM_UNITS_OVERHEAD].value,
              priors[PM_UNITS_OVERHEAD].spread);
    set_prior(units, PM_UNITS_OVERLAP, priors[PM_UNITS_OVERLAP].value,
              priors[PM_UNITS_OVERLAP].spread);
    set_prior(units, PM_UNITS_SM, 1, CYCLES_SPREAD);
    for (size_t row = 0; row < problem->n; row++)
        set_work(units, row, 0, "cycles", 0, PM_UNITS_SM, seconds * fmax(cycles[row], 1));
    set_launches(units, pm_problem_known(problem, "launches"));
    return units;
}
