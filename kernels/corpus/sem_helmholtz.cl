/* Node (i, j, k) of element e is number ((e * 8 + k) * 8 + j) * 8 + i. The geometric factors are
 * rr, rs, rt, ss, st, tt. */
#define N 8

static float3 flux(global const float *factors, int at, int nodes, float r, float s, float t)
{
    float rr = factors[at], rs = factors[at + nodes], rt = factors[at + 2 * nodes];
    float ss = factors[at + 3 * nodes], st = factors[at + 4 * nodes], tt = factors[at + 5 * nodes];
    return (float3)(rr * r + rs * s + rt * t, rs * r + ss * s + st * t, rt * r + st * s + tt * t);
}

kernel void gradients(global const float *D, global const float *u, global const float *factors,
                      global float *gradient, int nodes)
{
    int at = get_global_id(0);
    int i = at % N, j = at / N % N, k = at / (N * N) % N, first = at - at % (N * N * N);
    float r = 0.0f, s = 0.0f, t = 0.0f;
    for (int l = 0; l < N; l++) {
        r += D[i * N + l] * u[first + (k * N + j) * N + l];
        s += D[j * N + l] * u[first + (k * N + l) * N + i];
        t += D[k * N + l] * u[first + (l * N + j) * N + i];
    }
    float3 f = flux(factors, at, nodes, r, s, t);
    gradient[at] = f.x;
    gradient[at + nodes] = f.y;
    gradient[at + 2 * nodes] = f.z;
}

kernel void divergence(global const float *D, global const float *u, global const float *gradient, global float *w,
                       int nodes, float mass)
{
    int at = get_global_id(0);
    int i = at % N, j = at / N % N, k = at / (N * N) % N, first = at - at % (N * N * N);
    float sum = mass * u[at];
    for (int l = 0; l < N; l++) {
        sum += D[l * N + i] * gradient[first + (k * N + j) * N + l];
        sum += D[l * N + j] * gradient[nodes + first + (k * N + l) * N + i];
        sum += D[l * N + k] * gradient[2 * nodes + first + (l * N + j) * N + i];
    }
    w[at] = sum;
}

kernel void apply_fused(global const float *D, global const float *u, global const float *factors, global float *w,
                        int nodes, float mass)
{
    local float d[N][N], v[N][N][N], fr[N][N][N], fs[N][N][N], ft[N][N][N];
    int me = get_local_id(0), at = get_global_id(0);
    int i = me % N, j = me / N % N, k = me / (N * N);
    if (me < N * N)
        d[j][i] = D[me];
    v[k][j][i] = u[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    float r = 0.0f, s = 0.0f, t = 0.0f;
#pragma unroll
    for (int l = 0; l < N; l++) {
        r += d[i][l] * v[k][j][l];
        s += d[j][l] * v[k][l][i];
        t += d[k][l] * v[l][j][i];
    }
    float3 f = flux(factors, at, nodes, r, s, t);
    fr[k][j][i] = f.x;
    fs[k][j][i] = f.y;
    ft[k][j][i] = f.z;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = mass * v[k][j][i];
#pragma unroll
    for (int l = 0; l < N; l++)
        sum += d[l][i] * fr[k][j][l] + d[l][j] * fs[k][l][i] + d[l][k] * ft[l][j][i];
    w[at] = sum;
}

kernel void apply_layers(global const float *D, global const float *u, global const float *factors, global float *w,
                         int nodes, float mass)
{
    local float d[N][N], layer[N][N], fr[N][N], fs[N][N];
    int me = get_local_id(0), i = me % N, j = me / N, at = get_group_id(0) * N * N * N + me;
    float column[N], sum[N];
    d[j][i] = D[me];
#pragma unroll
    for (int k = 0; k < N; k++) {
        column[k] = u[at + k * N * N];
        sum[k] = mass * column[k];
    }
#pragma unroll
    for (int k = 0; k < N; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        layer[j][i] = column[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        float r = 0.0f, s = 0.0f, t = 0.0f;
#pragma unroll
        for (int l = 0; l < N; l++) {
            r += d[i][l] * layer[j][l];
            s += d[j][l] * layer[l][i];
            t += d[k][l] * column[l];
        }
        float3 f = flux(factors, at + k * N * N, nodes, r, s, t);
        fr[j][i] = f.x;
        fs[j][i] = f.y;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int l = 0; l < N; l++) {
            sum[k] += d[l][i] * fr[j][l] + d[l][j] * fs[l][i];
            sum[l] += d[k][l] * f.z;
        }
    }
#pragma unroll
    for (int k = 0; k < N; k++)
        w[at + k * N * N] = sum[k];
}
