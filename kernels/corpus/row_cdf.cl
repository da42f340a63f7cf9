kernel void cdf_per_item(global const float *weights, global float *cdf, global float *total, int rows, int cols)
{
    int r = get_global_id(0);
    if (r >= rows) return;

    float sum = 0;
    for (int c = 0; c < cols; ++c)
        sum += weights[r * cols + c];
    total[r] = sum;

    float running = 0;
    for (int c = 0; c < cols; ++c) {
        running += weights[r * cols + c];
        cdf[r * cols + c] = running / sum;
    }
}

#define L 128

// Running sums are stored as they are, and divided in a second sweep once the total is known.
kernel __attribute__((reqd_work_group_size(L, 1, 1)))
void cdf_per_group(global const float *weights, global float *cdf, global float *total, int rows, int cols)
{
    local float buf[2][L];
    int r = get_group_id(0), me = get_local_id(0);
    global const float *in = weights + r * cols;
    global float *out = cdf + r * cols;
    float carry = 0;

    for (int base = 0; base < cols; base += L) {
        int c = base + me, now = 0;
        buf[0][me] = c < cols ? in[c] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < L; d *= 2) {
            float v = buf[now][me];
            if (me >= d)
                v += buf[now][me - d];
            now = 1 - now;
            buf[now][me] = v;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (c < cols)
            out[c] = carry + buf[now][me];
        carry += buf[now][L - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = 1.0f / carry;
    for (int c = me; c < cols; c += L)      // every work-item its own
        out[c] *= scale;
    if (me == 0)
        total[r] = carry;
}
