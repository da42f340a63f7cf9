/* Work-item k reads the words k * STRIDE, which are in one bank where STRIDE is 32. */
#define WORDS 8192

__kernel void conflicts(__global const int *in, __global int *out, int rounds)
{
    __local int tile[WORDS];
    const int i = get_global_id(0), lid = get_local_id(0);
    int sum = 0;
    for (int w = lid; w < WORDS; w += get_local_size(0))
        tile[w] = in[w];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++)
        sum += tile[(lid * STRIDE + r) % WORDS];
    out[i] = sum;
}

__kernel void conflicts_reference(__global const int *in, __global int *out, int rounds)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    int sum = 0;
    for (int r = rounds; r-- > 0;)
        sum += in[(lid * STRIDE + r) % WORDS];
    out[i] = sum;
}

/* The address of the next load is the value of the last one. */
__kernel void chase(__global const int *in, __global int *out, int rounds)
{
    __local int tile[WORDS];
    const int lid = get_local_id(0);
    int at = lid;
    for (int w = lid; w < WORDS; w += get_local_size(0))
        tile[w] = (w + in[0]) % WORDS;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++)
        at = tile[at];
    out[get_global_id(0)] = at;
}

__kernel void chase_reference(__global const int *in, __global int *out, int rounds)
{
    out[get_global_id(0)] = (int)((get_local_id(0) + (long)rounds * in[0]) % WORDS);
}
