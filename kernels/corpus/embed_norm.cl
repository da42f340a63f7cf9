#define MAX_POSITIONS 512
#define EPSILON 1e-5f

__kernel void embed_layernorm(__global const int* restrict ids,
                              __global const float* restrict table,
                              __global const float* restrict positions,
                              __global const float* restrict gain,
                              __global const float* restrict bias,
                              __global float* restrict out)
{
    const size_t token = get_global_id(0);
    __global const float* row = table + (size_t)ids[token] * DIM;
    __global const float* pos = positions + (token % MAX_POSITIONS) * DIM;

    float mean = 0.0f;
    for (int d = 0; d < DIM; d++)
        mean += row[d] + pos[d];
    mean /= DIM;
    float variance = 0.0f;
    for (int d = 0; d < DIM; d++) {
        const float delta = row[d] + pos[d] - mean;
        variance += delta * delta;
    }
    const float inv_std = rsqrt(variance / DIM + EPSILON);
    for (int d = 0; d < DIM; d++)
        out[token * DIM + d] = (row[d] + pos[d] - mean) * inv_std * gain[d] + bias[d];
}

static float group_sum(float value, __local float* tree)
{
    const int lid = get_local_id(0);
    tree[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = 64; stride > 0; stride >>= 1) {
        if (lid < stride)
            tree[lid] += tree[lid + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float total = tree[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

__kernel void embed_layernorm_group(__global const int* restrict ids,
                                    __global const float* restrict table,
                                    __global const float* restrict positions,
                                    __global const float* restrict gain,
                                    __global const float* restrict bias,
                                    __global float* restrict out)
{
    __local float tree[128];
    const size_t token = get_group_id(0);
    const int lid = get_local_id(0);
    __global const float* row = table + (size_t)ids[token] * DIM;
    __global const float* pos = positions + (token % MAX_POSITIONS) * DIM;
    float v[DIM / 128];
    float sum = 0.0f, squares = 0.0f;

    for (int k = 0; k < DIM / 128; k++) {
        v[k] = row[lid + k * 128] + pos[lid + k * 128];
        sum += v[k];
    }
    const float mean = group_sum(sum, tree) / DIM;
    for (int k = 0; k < DIM / 128; k++)
        squares += (v[k] - mean) * (v[k] - mean);
    const float inv_std = rsqrt(group_sum(squares, tree) / DIM + EPSILON);
    for (int k = 0; k < DIM / 128; k++) {
        const int d = lid + k * 128;
        out[token * DIM + d] = (v[k] - mean) * inv_std * gain[d] + bias[d];
    }
}
