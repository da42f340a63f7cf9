/* A work-group reads a window of the buffer repeatedly. Some other work-groups read the same
 * window. */
__kernel void window(__global const float *in, __global float *out, int words, int apart, int rounds)
{
    const int i = get_global_id(0), lid = get_local_id(0), first = get_group_id(0) % apart * words;
    float sum = 0;
    for (int r = 0; r < rounds; r++)
        sum += in[first + ((lid * STRIDE + r * 256) & (words - 1))];
    out[i] = sum;
}

__kernel void window_reference(__global const float *in, __global float *out, int words, int apart, int rounds)
{
    const int i = get_global_id(0), lid = get_local_id(0), first = get_group_id(0) % apart * words;
    float sum = 0;
    for (int r = rounds; r-- > 0;)
        sum += in[first + (r * 256 + lid * STRIDE) % words];
    out[i] = sum;
}

__kernel void copy(__global const WORD *in, __global WORD *out)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}

__kernel void copy_backwards(__global const WORD *in, __global WORD *out)
{
    const size_t i = get_global_size(0) - 1 - get_global_id(0);
    out[i] = in[i];
}

/* The added value is zero, which the compiler cannot know. Each load therefore waits for the one
 * before. */
__kernel void chase(__global const uint *zeros, __global uint *out, uint mask, uint step, int rounds)
{
    uint at = get_global_id(0);
    for (int r = 0; r < rounds; r++)
        at = (at + step + zeros[at]) & mask;
    out[get_global_id(0)] = at;
}

__kernel void chase_reference(__global const uint *zeros, __global uint *out, uint mask, uint step, int rounds)
{
    out[get_global_id(0)] = (get_global_id(0) + step * rounds) & mask;
}

__kernel void load_strided(__global const int *in, __global int *out, int mask)
{
    const int i = get_global_id(0);
    int sum = 0;
    for (int r = 0; r < 16; r++)
        sum += in[(i * STRIDE + r * 65536) & mask];
    out[i] = sum;
}

__kernel void load_strided_reference(__global const int *in, __global int *out, int mask)
{
    const int i = get_global_id(0);
    int sum = 0;
    for (int r = 15; r >= 0; r--)
        sum += in[(r * 65536 + i * STRIDE) & mask];
    out[i] = sum;
}

__kernel void store_strided(__global const int *in, __global int *out)
{
    const int i = get_global_id(0);
    out[(size_t)i * STRIDE] = in[i & 1023];
}

__kernel void store_strided_reference(__global const int *in, __global int *out)
{
    const int i = get_global_size(0) - 1 - get_global_id(0);
    out[(size_t)i * STRIDE] = in[i & 1023];
}
