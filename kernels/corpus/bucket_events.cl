typedef struct {
    uint id;
    uint when;
    int  amount;
    uint flags;
} Event;

typedef struct {
    uint count;
    uint first_when;
    uint last_when;
    int  sum;
    uint mix;
} Summary;

#define BUCKETS 1024
#define bucket_of(e) (((e).id * 2654435761u) >> 22)

/* ---- pass 1: how many events has a bucket */

__kernel void count_global(__global const Event *events, __global uint *counts, uint n)
{
    uint i = get_global_id(0);
    if (i < n)
        atomic_inc(&counts[bucket_of(events[i])]);
}

__kernel void count_local(__global const Event *events, __global uint *counts, uint n)
{
    __local uint mine[BUCKETS];
    for (uint b = get_local_id(0); b < BUCKETS; b += get_local_size(0))
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint begin = get_group_id(0) * PER_GROUP, end = min(n, begin + PER_GROUP);
    for (uint i = begin + get_local_id(0); i < end; i += get_local_size(0))
        atomic_inc(&mine[bucket_of(events[i])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < BUCKETS; b += get_local_size(0))
        if (mine[b])
            atomic_add(&counts[b], mine[b]);
}

/* ---- pass 2: where does a bucket begin (one group of BUCKETS / 4) */

__kernel void begin_of_buckets(__global const uint *counts, __global uint *begins, __global uint *cursors)
{
    __local uint sums[BUCKETS / 4];
    uint t = get_local_id(0);
    uint4 c = vload4(t, counts);
    c.y += c.x;
    c.z += c.y;
    c.w += c.z;
    sums[t] = c.w;
    for (uint d = 1; d < BUCKETS / 4; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint add = t >= d ? sums[t - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[t] += add;
    }
    uint4 begin = (uint4)(0, c.x, c.y, c.z) + (sums[t] - c.w);
    vstore4(begin, t, begins);
    vstore4(begin, t, cursors);
    if (t == BUCKETS / 4 - 1)
        begins[BUCKETS] = sums[t];
}

/* ---- pass 3: to their buckets, in any order */

__kernel void move_global(__global const Event *events, __global Event *sorted, __global uint *cursors, uint n)
{
    uint i = get_global_id(0);
    if (i < n) {
        Event e = events[i];
        sorted[atomic_inc(&cursors[bucket_of(e)])] = e;
    }
}

__kernel void move_local(__global const Event *events, __global Event *sorted, __global uint *cursors, uint n)
{
    __local uint mine[BUCKETS];
    for (uint b = get_local_id(0); b < BUCKETS; b += get_local_size(0))
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint begin = get_group_id(0) * PER_GROUP, end = min(n, begin + PER_GROUP);
    for (uint i = begin + get_local_id(0); i < end; i += get_local_size(0))
        atomic_inc(&mine[bucket_of(events[i])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Reserve space in the buckets for the whole work-group at once. */
    for (uint b = get_local_id(0); b < BUCKETS; b += get_local_size(0))
        if (mine[b])
            mine[b] = atomic_add(&cursors[b], mine[b]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = begin + get_local_id(0); i < end; i += get_local_size(0)) {
        Event e = events[i];
        sorted[atomic_inc(&mine[bucket_of(e)])] = e;
    }
}

/* ---- pass 4: a group of 64 for each bucket */

__kernel void summarise(__global const Event *sorted, __global const uint *begins, __global Summary *out)
{
    __local Summary part[64];
    uint b = get_group_id(0), t = get_local_id(0), end = begins[b + 1];
    Summary s = { 0, UINT_MAX, 0, 0, 0 };
    for (uint i = begins[b] + t; i < end; i += 64) {
        Event e = sorted[i];
        s.count++;
        s.first_when = min(s.first_when, e.when);
        s.last_when = max(s.last_when, e.when);
        s.sum += e.amount;
        s.mix ^= e.id ^ e.flags;
    }
    part[t] = s;
    for (uint w = 32; w > 0; w >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < w) {
            Summary o = part[t + w];
            s.count += o.count;
            s.first_when = min(s.first_when, o.first_when);
            s.last_when = max(s.last_when, o.last_when);
            s.sum += o.sum;
            s.mix ^= o.mix;
            part[t] = s;
        }
    }
    if (t == 0)
        out[b] = s;
}
