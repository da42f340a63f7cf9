// G = A^T A for tall A (n x 32, row major). Each block reduces its own rows, then everything is summed up.
#define C 32

__kernel void gram_partial(__global const float* A, __global float* partial, const int rows_per_block)
{
    const int tid = get_local_id(0);        // 256
    const int i = tid / 8;
    const int j = (tid % 8) * 4;
    __global const float* row = A + get_group_id(0) * rows_per_block * C;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;

    for (int r = 0; r < rows_per_block; ++r, row += C)
    {
        const float a = row[i];
        s0 += a * row[j + 0];
        s1 += a * row[j + 1];
        s2 += a * row[j + 2];
        s3 += a * row[j + 3];
    }
    __global float* out = partial + get_group_id(0) * (C * C) + i * C + j;
    out[0] = s0; out[1] = s1; out[2] = s2; out[3] = s3;
}

// Each work-group reads 32 rows at a time into local memory. Each work-item computes 2x2 outputs.
__kernel void gram_partial_tile(__global const float4* A, __global float* partial, const int rows_per_block)
{
    __local float tile[32][C + 1];
    const int tid = get_local_id(0);        // 256
    const int i = tid / 16, j = tid % 16;
    __global const float4* src = A + get_group_id(0) * rows_per_block * (C / 4);
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;

    for (int r0 = 0; r0 < rows_per_block; r0 += 32, src += 256)
    {
        const float4 v = src[tid];
        __local float* t = &tile[tid / 8][tid % 8 * 4];
        t[0] = v.x; t[1] = v.y; t[2] = v.z; t[3] = v.w;
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll 8
        for (int r = 0; r < 32; ++r)
        {
            const float a0 = tile[r][i], a1 = tile[r][i + 16];
            const float b0 = tile[r][j], b1 = tile[r][j + 16];
            s00 += a0 * b0; s01 += a0 * b1;
            s10 += a1 * b0; s11 += a1 * b1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __global float* out = partial + get_group_id(0) * (C * C);
    out[i * C + j] = s00;        out[i * C + j + 16] = s01;
    out[(i + 16) * C + j] = s10; out[(i + 16) * C + j + 16] = s11;
}

// Each work-group computes one row of G.
__kernel void gram_sum(__global const float* partial, __global float* G, const int blocks)
{
    __local float s[8][C];
    const int x = get_local_id(0), y = get_local_id(1);
    const int entry = get_group_id(1) * C + x;
    float acc = 0;
    for (int b = y; b < blocks; b += 8)
        acc += partial[b * (C * C) + entry];
    s[y][x] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y == 0)
    {
        for (int k = 1; k < 8; ++k) acc += s[k][x];
        G[entry] = acc;
    }
}
