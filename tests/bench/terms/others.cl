__constant int table[64] = {
    0, 37, 10, 47, 20, 57, 30, 3, 40, 13, 50, 23, 60, 33, 6, 43,
    16, 53, 26, 63, 36, 9, 46, 19, 56, 29, 2, 39, 12, 49, 22, 59,
    32, 5, 42, 15, 52, 25, 62, 35, 8, 45, 18, 55, 28, 1, 38, 11,
    48, 21, 58, 31, 4, 41, 14, 51, 24, 61, 34, 7, 44, 17, 54, 27};

/* The work-items of a warp read PLACES addresses of the constant cache, which delivers one at a
 * time. */
__kernel void constants(__global const int *in, __global int *out, int rounds)
{
    const int i = get_global_id(0), place = get_local_id(0) % PLACES;
    int sum = 0;
    for (int r = 0; r < rounds; r++)
        sum += table[(place + r + in[r & 15]) & 63];
    out[i] = sum;
}

__kernel void constants_reference(__global const int *in, __global int *out, int rounds)
{
    const int i = get_global_id(0), place = get_local_id(0) % PLACES;
    int sum = 0;
    for (int r = 0; r < rounds; r++)
        sum += (place + r + in[r & 15]) % 64 * 37 % 64;
    out[i] = sum;
}

__kernel void increment(__global int *values)
{
    values[get_global_id(0)] += 1;
}

__kernel void increment_reference(__global int *values, int times)
{
    values[get_global_id(0)] += times;
}

/* The number of rounds of each work-group (of BY work-items), or of each warp, is in `in`. */
__kernel void uneven(__global const int *in, __global float *out, int rounds, int by, float one)
{
    const int i = get_global_id(0), times = rounds * in[i / by];
    float x = i & 255;
    for (int r = 0; r < times; r++)
        x = fma(x, one, 0.5f);
    out[i] = x;
}

__kernel void uneven_reference(__global const int *in, __global float *out, int rounds, int by, float one)
{
    const int i = get_global_id(0);
    out[i] = (i & 255) + 0.5f * rounds * in[i / by];
}

#define FOUR(s) s s s s
#define SIXTEEN(s) FOUR(FOUR(s))
#if PLACES == 16
#define BODY(s) SIXTEEN(s)
#elif PLACES == 256
#define BODY(s) SIXTEEN(SIXTEEN(s))
#else
#define BODY(s) FOUR(SIXTEEN(SIXTEEN(s)))
#endif

/* A round has 8 * PLACES instructions that a compiler cannot merge. */
__kernel void straight(__global const uint *in, __global uint *out, int rounds, uint times, uint plus)
{
    const int i = get_global_id(0);
    uint x = in[i], y = x + 1, z = x + 2, w = x + 3;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        BODY(x = x * times + plus; y = y * times + plus; z = z * times + plus; w = w * times + plus;
             x ^= plus; y ^= plus; z ^= plus; w ^= plus;)
    }
    out[i] = x + y + z + w;
}

__kernel void straight_reference(__global const uint *in, __global uint *out, int rounds, uint times, uint plus)
{
    const int i = get_global_id(0);
    uint sum = 0;
    for (int c = 0; c < 4; c++) {
        uint x = in[i] + c;
        for (int r = 0; r < rounds * PLACES; r++)
            x = (x * times + plus) ^ plus;
        sum += x;
    }
    out[i] = sum;
}
