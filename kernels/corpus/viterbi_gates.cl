/* emit: [sample value][state], change: [from][to], costs: the smallest sum wins, and the first of equal ones. A byte
   of `back` holds the best predecessors of the four states, two bits each. */

int4 emitted(__global const int *emit, int value)
{
    return vload4(value & 63, emit);
}

/* Finds the best predecessor of state `to`, and stores it in *from. Returns the cost. */
int arrive(int4 at, int4 step, int *from)
{
    int4 sum = at + step;
    int best = sum.x, who = 0;
    if (sum.y < best) { best = sum.y; who = 1; }
    if (sum.z < best) { best = sum.z; who = 2; }
    if (sum.w < best) { best = sum.w; who = 3; }
    *from = who;
    return best;
}

int4 advance(int4 at, int4 to0, int4 to1, int4 to2, int4 to3, int4 seen, uchar *pointers)
{
    int f0, f1, f2, f3;
    int4 next = (int4)(arrive(at, to0, &f0), arrive(at, to1, &f1), arrive(at, to2, &f2), arrive(at, to3, &f3));
    *pointers = (uchar)(f0 | f1 << 2 | f2 << 4 | f3 << 6);
    return next + seen;
}

int last_state(int4 at, int *best)
{
    int who;
    *best = arrive(at, (int4)(0), &who);
    return who;
}

#define COLUMN(to) (int4)(change[to], change[4 + to], change[8 + to], change[12 + to])

__kernel void decode_rows(__global const uchar *trace, __global const int *emit, __global const int *change,
                          __global uchar *back, __global uchar *path, __global int *cost, int traces)
{
    const size_t row = (size_t)get_global_id(0) * SAMPLES;
    const int4 to0 = COLUMN(0), to1 = COLUMN(1), to2 = COLUMN(2), to3 = COLUMN(3);
    int4 at = emitted(emit, trace[row]);
    for (int t = 1; t < SAMPLES; t++) {
        uchar p;
        at = advance(at, to0, to1, to2, to3, emitted(emit, trace[row + t]), &p);
        back[row + t] = p;
    }
    int best, state = last_state(at, &best);
    cost[get_global_id(0)] = best;
    for (int t = SAMPLES - 1; t > 0; t--) {
        path[row + t] = (uchar)state;
        state = back[row + t] >> (2 * state) & 3;
    }
    path[row] = (uchar)state;
}

__kernel void decode_turned(__global const uchar *trace, __global const int *emit, __global const int *change,
                            __global uchar *back, __global uchar *path, __global int *cost, int traces)
{
    const int id = get_global_id(0);
    const size_t row = (size_t)id * SAMPLES;
    const int4 to0 = COLUMN(0), to1 = COLUMN(1), to2 = COLUMN(2), to3 = COLUMN(3);
    int4 at = emitted(emit, trace[row]);
    for (int t = 1; t < SAMPLES; t++) {
        uchar p;
        at = advance(at, to0, to1, to2, to3, emitted(emit, trace[row + t]), &p);
        back[(size_t)t * traces + id] = p;
    }
    int best, state = last_state(at, &best);
    cost[id] = best;
    for (int t = SAMPLES - 1; t > 0; t--) {
        path[row + t] = (uchar)state;
        state = back[(size_t)t * traces + id] >> (2 * state) & 3;
    }
    path[row] = (uchar)state;
}

#define BLOCK 64
/* words in a row of the staged block, one more than needed, so that rows start in different
 * banks */
#define PITCH 17

__kernel void decode_staged(__global const uchar *trace, __global const int *emit, __global const int *change,
                            __global uchar *back, __global uchar *path, __global int *cost, int traces)
{
    __local uint block[BLOCK * PITCH];
    __local int costs[64 * 4];
    const int lid = get_local_id(0), id = get_global_id(0), first = id - lid;
    __global const uint *words = (__global const uint *)trace;
    __global uint *results = (__global uint *)path;
    const int4 to0 = COLUMN(0), to1 = COLUMN(1), to2 = COLUMN(2), to3 = COLUMN(3);

    for (int k = lid; k < 64 * 4; k += 64)
        costs[k] = emit[k];
    int4 at = (int4)(0);
    for (int t0 = 0; t0 < SAMPLES; t0 += BLOCK) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = lid; k < BLOCK * BLOCK / 4; k += 64)
            block[k / 16 * PITCH + k % 16] = words[((size_t)(first + k / 16) * SAMPLES + t0) / 4 + k % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int q = 0; q < BLOCK / 4; q++) {
            uint four = block[lid * PITCH + q];
            for (int b = 0; b < 4; b++) {
                int4 seen = vload4(four >> (8 * b) & 63, costs);
                int t = t0 + 4 * q + b;
                uchar p = 0;
                at = t ? advance(at, to0, to1, to2, to3, seen, &p) : seen;
                back[(size_t)t * traces + id] = p;
            }
        }
    }
    int best, state = last_state(at, &best);
    cost[id] = best;
    for (int t0 = SAMPLES - BLOCK; t0 >= 0; t0 -= BLOCK) {
        for (int q = BLOCK / 4 - 1; q >= 0; q--) {
            uint four = 0;
            for (int b = 3; b >= 0; b--) {
                four |= (uint)state << (8 * b);
                state = back[(size_t)(t0 + 4 * q + b) * traces + id] >> (2 * state) & 3;
            }
            block[lid * PITCH + q] = four;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = lid; k < BLOCK * BLOCK / 4; k += 64)
            results[((size_t)(first + k / 16) * SAMPLES + t0) / 4 + k % 16] = block[k / 16 * PITCH + k % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
