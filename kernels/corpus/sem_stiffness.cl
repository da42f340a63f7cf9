/* Node (i, j, k) of an element is number i + 8 j + 64 k. D[row][column], row-major. */

/* The geometric factors are a symmetric 3 x 3 matrix at each node: rr, rs, rt, ss, st, tt. */
float3 combine(__global const float *g, float r, float s, float t)
{
    float rs = g[512], rt = g[1024], st = g[2048];
    return (float3)(g[0] * r + rs * s + rt * t, rs * r + g[1536] * s + st * t, rt * r + st * s + g[2560] * t);
}

__kernel void derive(__global const float *D, __global const float *u, __global const float *G, __global float *wr,
                     __global float *ws, __global float *wt)
{
    int id = get_global_id(0), node = id % 512, element = id / 512;
    int i = node % 8, j = node / 8 % 8, k = node / 64;
    __global const float *v = u + element * 512;
    float r = 0, s = 0, t = 0;
    for (int l = 0; l < 8; l++) {
        r += D[i * 8 + l] * v[k * 64 + j * 8 + l];
        s += D[j * 8 + l] * v[k * 64 + l * 8 + i];
        t += D[k * 8 + l] * v[l * 64 + j * 8 + i];
    }
    float3 w = combine(G + element * 3072 + node, r, s, t);
    wr[id] = w.x;
    ws[id] = w.y;
    wt[id] = w.z;
}

__kernel void gather(__global const float *D, __global const float *wr, __global const float *ws,
                     __global const float *wt, __global float *out)
{
    int id = get_global_id(0), node = id % 512, first = id - node;
    int i = node % 8, j = node / 8 % 8, k = node / 64;
    float sum = 0;
    for (int l = 0; l < 8; l++)
        sum += D[l * 8 + i] * wr[first + k * 64 + j * 8 + l] + D[l * 8 + j] * ws[first + k * 64 + l * 8 + i] +
               D[l * 8 + k] * wt[first + l * 64 + j * 8 + i];
    out[id] = sum;
}

__kernel void element_local(__global const float *D, __global const float *u, __global const float *G,
                            __global float *out)
{
    __local float d[64], v[512], lr[512], ls[512], lt[512];
    int id = get_global_id(0), node = get_local_id(0);
    int i = node % 8, j = node / 8 % 8, k = node / 64;
    if (node < 64)
        d[node] = D[node];
    v[node] = u[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    float r = 0, s = 0, t = 0;
    for (int l = 0; l < 8; l++) {
        r += d[i * 8 + l] * v[k * 64 + j * 8 + l];
        s += d[j * 8 + l] * v[k * 64 + l * 8 + i];
        t += d[k * 8 + l] * v[l * 64 + j * 8 + i];
    }
    float3 w = combine(G + get_group_id(0) * 3072 + node, r, s, t);
    lr[node] = w.x;
    ls[node] = w.y;
    lt[node] = w.z;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int l = 0; l < 8; l++)
        sum += d[l * 8 + i] * lr[k * 64 + j * 8 + l] + d[l * 8 + j] * ls[k * 64 + l * 8 + i] +
               d[l * 8 + k] * lt[l * 64 + j * 8 + i];
    out[id] = sum;
}

__kernel void element_layers(__global const float *D, __global const float *u, __global const float *G,
                             __global float *out)
{
    __local float d[64], layer[64], lr[64], ls[64];
    int lid = get_local_id(0), i = lid % 8, j = lid / 8, first = get_group_id(0) * 512 + lid;
    float column[8], sum[8];
    d[lid] = D[lid];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        column[k] = u[first + k * 64];
        sum[k] = 0;
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        layer[lid] = column[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        float r = 0, s = 0, t = 0;
#pragma unroll
        for (int l = 0; l < 8; l++) {
            r += d[i * 8 + l] * layer[j * 8 + l];
            s += d[j * 8 + l] * layer[l * 8 + i];
            t += d[k * 8 + l] * column[l];
        }
        float3 w = combine(G + get_group_id(0) * 3072 + k * 64 + lid, r, s, t);
        lr[lid] = w.x;
        ls[lid] = w.y;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int l = 0; l < 8; l++) {
            sum[k] += d[l * 8 + i] * lr[j * 8 + l] + d[l * 8 + j] * ls[l * 8 + i];
            sum[l] += d[k * 8 + l] * w.z;
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        out[first + k * 64] = sum[k];
}
