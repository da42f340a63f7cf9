__kernel void softmax_row_per_item(__global const float *scores, __global float *prob,
                                   const int rows, const int cols, const float temperature)
{
    const int r = get_global_id(0);
    if (r >= rows) return;
    __global const float *s = scores + r * cols;
    __global float *p = prob + r * cols;

    float biggest = -INFINITY;
    for (int c = 0; c < cols; c++)
        biggest = fmax(biggest, s[c]);

    float total = 0.0f;
    for (int c = 0; c < cols; c++) {
        float e = exp((s[c] - biggest) / temperature);
        total += e;
        p[c] = e;
    }

    for (int c = 0; c < cols; c++)
        p[c] /= total;
}

__kernel void softmax_row_per_group(__global const float *scores, __global float *prob,
                                    const int cols, const float temperature,
                                    __local float *scratch)
{
    const int lid = get_local_id(0);
    const int lsz = get_local_size(0);
    const int base = get_group_id(0) * cols;
    const float inv_t = 1.0f / temperature;

    float biggest = -INFINITY;
    for (int c = lid; c < cols; c += lsz)
        biggest = fmax(biggest, scores[base + c]);
    scratch[lid] = biggest;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_way = lsz / 2; half_way > 0; half_way /= 2) {
        if (lid < half_way)
            scratch[lid] = fmax(scratch[lid], scratch[lid + half_way]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    biggest = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);

    float total = 0.0f;
    for (int c = lid; c < cols; c += lsz)
        total += exp((scores[base + c] - biggest) * inv_t);
    scratch[lid] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_way = lsz / 2; half_way > 0; half_way /= 2) {
        if (lid < half_way)
            scratch[lid] += scratch[lid + half_way];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    total = 1.0f / scratch[0];

    for (int c = lid; c < cols; c += lsz)
        prob[base + c] = exp((scores[base + c] - biggest) * inv_t) * total;
}
