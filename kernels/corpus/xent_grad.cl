__kernel void xent_forward_backward(__global const float* logits, __global const int* target,
                                    __global float* loss, __global float* dlogits,
                                    int batch, int classes)
{
    int row = get_global_id(0);
    if (row < batch) {
        float biggest = -INFINITY;
        for (int c = 0; c < classes; c++)
            biggest = max(biggest, logits[row * classes + c]);

        float denom = 0;
        for (int c = 0; c < classes; c++)
            denom += exp(logits[row * classes + c] - biggest);

        int label = target[row];
        loss[row] = log(denom) - (logits[row * classes + label] - biggest);

        for (int c = 0; c < classes; c++) {
            float p = exp(logits[row * classes + c] - biggest) / denom;
            dlogits[row * classes + c] = (p - (c == label ? 1 : 0)) / batch;
        }
    }
}

#define WG 128

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void xent_rowgroup(__global const float* logits, __global const int* target,
                   __global float* loss, __global float* dlogits,
                   int batch, int classes)
{
    __local float red[WG];
    const int t = get_local_id(0);
    const size_t base = get_group_id(0) * (size_t)classes;

    float m = -INFINITY;
    for (int c = t; c < classes; c += WG)
        m = fmax(m, logits[base + c]);
    red[t] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (t < s) red[t] = fmax(red[t], red[t + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    m = red[0];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int c = t; c < classes; c += WG)
        sum += exp(logits[base + c] - m);
    red[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (t < s) red[t] += red[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = red[0];

    const int label = target[get_group_id(0)];
    const float scale = 1.0f / (sum * batch), hit = 1.0f / batch;
    if (t == 0)
        loss[get_group_id(0)] = log(sum) + m - logits[base + label];
    for (int c = t; c < classes; c += WG) {
        float g = exp(logits[base + c] - m) * scale;
        if (c == label)
            g -= hit;
        dlogits[base + c] = g;
    }
}
