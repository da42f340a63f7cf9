uint scramble(uint k)
{
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    return k ^ k >> 16;
}

/* ten bits pick the register; the rank is the place of the first 1 in the other 22, 23 without one */
int slot_of(uint hash, uint stream) { return stream * REGISTERS + (hash >> 22); }
int rank_of(uint hash) { return clz(hash << 10 | 1u << 9) + 1; }

__kernel void insert_each(__global const uint *key, __global const uchar *stream, volatile __global int *registers,
                          int records)
{
    int i = get_global_id(0);
    uint hash = scramble(key[i]);
    atomic_max(&registers[slot_of(hash, stream[i])], rank_of(hash));
}

__kernel void insert_peek(__global const uint *key, __global const uchar *stream, volatile __global int *registers,
                          int records)
{
    int i = get_global_id(0);
    uint hash = scramble(key[i]);
    int slot = slot_of(hash, stream[i]), rank = rank_of(hash);
    if (registers[slot] < rank)
        atomic_max(&registers[slot], rank);
}

__kernel void insert_sketch(__global const uint *key, __global const uchar *stream, volatile __global int *registers,
                            int records)
{
    __local int own[STREAMS * REGISTERS];
    int lid = get_local_id(0), size = get_local_size(0);
    for (int k = lid; k < STREAMS * REGISTERS; k += size)
        own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < records; i += get_global_size(0)) {
        uint hash = scramble(key[i]);
        atomic_max(&own[slot_of(hash, stream[i])], rank_of(hash));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = lid; k < STREAMS * REGISTERS; k += size)
        if (own[k] > registers[k])
            atomic_max(&registers[k], own[k]);
}

__kernel void estimate(__global const int *registers, __global float *distinct)
{
    __local float sums[256];
    __local int empty[256];
    int lid = get_local_id(0), stream = get_group_id(0);
    float sum = 0;
    int none = 0;
    for (int k = lid; k < REGISTERS; k += 256) {
        int rank = registers[stream * REGISTERS + k];
        sum += ldexp(1.0f, -rank);
        none += rank == 0;
    }
    sums[lid] = sum;
    empty[lid] = none;
    for (int width = 128; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < width) {
            sums[lid] += sums[lid + width];
            empty[lid] += empty[lid + width];
        }
    }
    if (lid == 0) {
        float m = REGISTERS, count = 0.7213f / (1 + 1.079f / m) * m * m / sums[0];
        if (count < 2.5f * m && empty[0])
            count = m * log(m / empty[0]);
        distinct[stream] = count;
    }
}
