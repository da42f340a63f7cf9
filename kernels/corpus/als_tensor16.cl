/* A[s][r] = sum over the slice's fibres f of B[j[f]][r] * (sum over its nonzeros e of value[e] * C[k[e]][r]) */
#define ARGUMENTS __global const int *slice, __global const int *fibre, __global const int *j, __global const int *k, \
                  __global const float *value, __global const float *B, __global const float *C, __global float *A

__kernel void mttkrp(ARGUMENTS)
{
    int id = get_global_id(0), s = id / RANK, r = id % RANK;
    float sum = 0;
    for (int f = slice[s]; f < slice[s + 1]; f++) {
        float inner = 0;
        for (int e = fibre[f]; e < fibre[f + 1]; e++)
            inner += value[e] * C[k[e] * RANK + r];
        sum += inner * B[j[f] * RANK + r];
    }
    A[id] = sum;
}

__kernel void mttkrp_slice(ARGUMENTS)
{
    int s = get_global_id(0);
    float16 sum = 0;
    for (int f = slice[s]; f < slice[s + 1]; f++) {
        float16 inner = 0;
        for (int e = fibre[f]; e < fibre[f + 1]; e++)
            inner += value[e] * vload16(k[e], C);
        sum += inner * vload16(j[f], B);
    }
    vstore16(sum, s, A);
}

__kernel void mttkrp_quads(ARGUMENTS)
{
    int id = get_global_id(0), s = id / (RANK / 4), q = id % (RANK / 4);
    __global const float4 *B4 = (__global const float4 *)B, *C4 = (__global const float4 *)C;
    float4 sum = 0;
    int last = slice[s + 1];
    for (int f = slice[s]; f < last; f++) {
        float4 inner = 0;
        int end = fibre[f + 1];
        for (int e = fibre[f]; e < end; e++)
            inner += value[e] * C4[k[e] * (RANK / 4) + q];
        sum += inner * B4[j[f] * (RANK / 4) + q];
    }
    ((__global float4 *)A)[id] = sum;
}
