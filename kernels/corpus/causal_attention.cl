#define HEAD_DIM 64

__kernel void qk_scores(__global const float4 *query, __global const float4 *keys,
                        __global float *scores, int seq)
{
    const int k = get_global_id(0), q = get_global_id(1), head = get_global_id(2);
    if (k > q)
        return;
    __global const float4 *a = query + (head * seq + q) * (HEAD_DIM / 4);
    __global const float4 *b = keys + (head * seq + k) * (HEAD_DIM / 4);
    float sum = 0.0f;
    for (int i = 0; i < HEAD_DIM / 4; i++)
        sum += dot(a[i], b[i]);
    scores[(head * seq + q) * seq + k] = sum * 0.125f;
}

__kernel void softmax_rows(__global float *scores, int seq)
{
    const int q = get_global_id(0);
    __global float *row = scores + (get_global_id(1) * seq + q) * seq;
    float top = -INFINITY, total = 0.0f;

    for (int k = 0; k <= q; k++)
        top = fmax(top, row[k]);
    for (int k = 0; k <= q; k++) {
        const float e = exp(row[k] - top);
        row[k] = e;
        total += e;
    }
    for (int k = 0; k <= q; k++)
        row[k] /= total;
}

__kernel void mix_values(__global const float *scores, __global const float *values,
                         __global float *mixed, int seq)
{
    const int d = get_global_id(0), q = get_global_id(1), head = get_global_id(2);
    __global const float *row = scores + (head * seq + q) * seq;
    float sum = 0.0f;
    for (int k = 0; k <= q; k++)
        sum += row[k] * values[(head * seq + k) * HEAD_DIM + d];
    mixed[(head * seq + q) * HEAD_DIM + d] = sum;
}

/* Each work-group computes 64 queries, one for each work-item, and reads 32 keys at a time. */
#define STEP 32
__kernel void attention_fused(__global const float4 *query, __global const float4 *keys,
                              __global const float4 *values, __global float4 *mixed, int seq)
{
    __local float4 K[STEP][HEAD_DIM / 4], V[STEP][HEAD_DIM / 4];
    const int lid = get_local_id(0), q = get_global_id(0), head = get_global_id(1);
    const int last = (get_group_id(0) + 1) * 64;
    float4 mine[HEAD_DIM / 4], acc[HEAD_DIM / 4];
    float top = -INFINITY, total = 0.0f;

#pragma unroll
    for (int i = 0; i < HEAD_DIM / 4; i++) {
        mine[i] = 0.125f * query[(head * seq + q) * (HEAD_DIM / 4) + i];
        acc[i] = (float4)(0.0f);
    }
    for (int k0 = 0; k0 < last; k0 += STEP) {
        for (int e = lid; e < STEP * HEAD_DIM / 4; e += 64) {
            K[e / 16][e % 16] = keys[(head * seq + k0) * 16 + e];
            V[e / 16][e % 16] = values[(head * seq + k0) * 16 + e];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < STEP && k0 + k <= q; k++) {
            float s = 0.0f;
#pragma unroll
            for (int i = 0; i < HEAD_DIM / 4; i++)
                s += dot(mine[i], K[k][i]);
            const float bigger = fmax(top, s);
            const float shrink = exp(top - bigger), weight = exp(s - bigger);
            top = bigger;
            total = total * shrink + weight;
#pragma unroll
            for (int i = 0; i < HEAD_DIM / 4; i++)
                acc[i] = acc[i] * shrink + weight * V[k][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < HEAD_DIM / 4; i++)
        mixed[(head * seq + q) * (HEAD_DIM / 4) + i] = acc[i] / total;
}
