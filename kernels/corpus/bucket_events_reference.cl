typedef struct { uint id, when; int amount; uint flags; } Event;
typedef struct { uint count, first_when, last_when; int sum; uint mix; } Summary;

/* One work-item adds all records one by one to the summaries, without moving them to buckets. */
__kernel void all_at_once(__global const Event *events, __global uint *counts, __global uint *begins,
                          __global Summary *out, uint n)
{
    for (int b = 0; b < 1024; b++) {
        out[b].count = out[b].last_when = out[b].mix = 0;
        out[b].sum = 0;
        out[b].first_when = 0xffffffff;
    }
    for (uint i = 0; i < n; i++) {
        const ulong product = events[i].id * 2654435761UL % 4294967296UL;
        __global Summary *s = out + product / 4194304;
        s->count++;
        if (events[i].when < s->first_when) s->first_when = events[i].when;
        if (events[i].when > s->last_when) s->last_when = events[i].when;
        s->sum += events[i].amount;
        s->mix ^= events[i].id ^ events[i].flags;
    }
    begins[0] = 0;
    for (int b = 0; b < 1024; b++) {
        counts[b] = out[b].count;
        begins[b + 1] = begins[b] + out[b].count;
    }
}

__kernel void begin_of_buckets(__global const uint *counts, __global uint *begins, __global uint *cursors) {}
__kernel void move_global(__global const Event *events, __global Event *sorted, __global uint *cursors, uint n) {}
__kernel void summarise(__global const Event *sorted, __global const uint *begins, __global Summary *out) {}
