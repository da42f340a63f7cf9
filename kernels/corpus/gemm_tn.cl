typedef struct { float4 r0, r1, r2, r3; } block4x4;

kernel void gemmTN(global const float *A, global const float *B, global float *C,
                   int m, int n, int k, float2 ab)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        sum += A[p * m + row] * B[p * n + col];
    C[row * n + col] = ab.x * sum + ab.y * C[row * n + col];
}

static void rank1(block4x4 *c, float4 a, float4 b)
{
    c->r0 = mad((float4)(a.x), b, c->r0);
    c->r1 = mad((float4)(a.y), b, c->r1);
    c->r2 = mad((float4)(a.z), b, c->r2);
    c->r3 = mad((float4)(a.w), b, c->r3);
}

static void put(global float *to, float4 v, float2 ab)
{
    vstore4(ab.x * v + ab.y * vload4(0, to), 0, to);
}

static void write_block(global float *C, int row, int col, int n, const block4x4 *c, float2 ab)
{
    put(C + row * n + col, c->r0, ab);
    put(C + (row + 1) * n + col, c->r1, ab);
    put(C + (row + 2) * n + col, c->r2, ab);
    put(C + (row + 3) * n + col, c->r3, ab);
}

kernel void gemmTN_reg(global const float *A, global const float *B, global float *C,
                       int m, int n, int k, float2 ab)
{
    int col = 4 * get_global_id(0), row = 4 * get_global_id(1);
    block4x4 c = { (float4)(0), (float4)(0), (float4)(0), (float4)(0) };
    for (int p = 0; p < k; p++)
        rank1(&c, vload4(0, A + p * m + row), vload4(0, B + p * n + col));
    write_block(C, row, col, n, &c, ab);
}

#define DEPTH 16
kernel void gemmTN_tile(global const float *A, global const float *B, global float *C,
                        int m, int n, int k, float2 ab)
{
    local float4 As[DEPTH][16], Bs[DEPTH][16];
    int lx = get_local_id(0), ly = get_local_id(1);
    int col0 = 64 * get_group_id(0), row0 = 64 * get_group_id(1);
    block4x4 c = { (float4)(0), (float4)(0), (float4)(0), (float4)(0) };

    for (int p0 = 0; p0 < k; p0 += DEPTH) {
        As[ly][lx] = vload4(lx, A + (p0 + ly) * m + row0);
        Bs[ly][lx] = vload4(lx, B + (p0 + ly) * n + col0);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int p = 0; p < DEPTH; p++)
            rank1(&c, As[p][ly], Bs[p][lx]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    write_block(C, row0 + 4 * ly, col0 + 4 * lx, n, &c, ab);
}
