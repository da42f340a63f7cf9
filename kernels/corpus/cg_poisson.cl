// Matrix of the linear system: A u = 4 u - neighbours, which are 0 outside of the grid. Work-groups
// have 256 work-items.

float group_sum(float v, __local float *scratch)
{
    int lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
    scratch[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 128; s > 0; s >>= 1) {
        if (lid < s)
            scratch[lid] += scratch[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float total = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

float sum_partials(__global const float *part, int count, __local float *scratch)
{
    float v = 0.0f;
    for (int k = get_local_id(0); k < count; k += 256)
        v += part[k];
    return group_sum(v, scratch);
}

__kernel void begin(__global const float *b, __global float *r, __global float *p, __global float *rr)
{
    __local float scratch[256];
    int i = get_global_id(0);
    float v = b[i];
    r[i] = v;
    p[i] = v;
    float s = group_sum(v * v, scratch);
    if (get_local_id(0) == 0)
        rr[get_group_id(0)] = s;
}

__kernel void apply(__global const float *p, __global float *q, __global float *pq, int side)
{
    __local float scratch[256];
    int x = get_global_id(0), y = get_global_id(1), i = y * side + x;
    float c = p[i], v = 4.0f * c;
    if (x > 0) v -= p[i - 1];
    if (x < side - 1) v -= p[i + 1];
    if (y > 0) v -= p[i - side];
    if (y < side - 1) v -= p[i + side];
    q[i] = v;
    float s = group_sum(c * v, scratch);
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        pq[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = s;
}

__kernel void reduce_pq(__global const float *pq, __global float *scalars, int count)
{
    __local float scratch[256];
    float s = sum_partials(pq, count, scratch);
    if (get_local_id(0) == 0)
        scalars[0] = scalars[2] / s;
}

__kernel void advance(__global const float *p, __global const float *q, __global float *x, __global float *r,
                      __global float *rr, __global const float *scalars)
{
    __local float scratch[256];
    int i = get_global_id(0);
    float alpha = scalars[0];
    x[i] += alpha * p[i];
    float v = r[i] - alpha * q[i];
    r[i] = v;
    float s = group_sum(v * v, scratch);
    if (get_local_id(0) == 0)
        rr[get_group_id(0)] = s;
}

__kernel void reduce_rr(__global const float *rr, __global float *scalars, int count, int first)
{
    __local float scratch[256];
    float s = sum_partials(rr, count, scratch);
    if (get_local_id(0) == 0) {
        scalars[1] = first ? 0.0f : s / scalars[2];
        scalars[2] = s;
    }
}

__kernel void turn(__global const float *r, __global float *p, __global const float *scalars)
{
    int i = get_global_id(0);
    p[i] = r[i] + scalars[1] * p[i];
}

// ---- three launches: partial sums of r.r take turns in two buffers

__kernel void advance_fused(__global const float *p, __global const float *q, __global float *x, __global float *r,
                            __global const float *pq, __global const float *rr_before, __global float *rr_after,
                            int count)
{
    __local float scratch[256];
    int i = get_global_id(0);
    float alpha = sum_partials(rr_before, count, scratch) / sum_partials(pq, count, scratch);
    x[i] += alpha * p[i];
    float v = r[i] - alpha * q[i];
    r[i] = v;
    float s = group_sum(v * v, scratch);
    if (get_local_id(0) == 0)
        rr_after[get_group_id(0)] = s;
}

__kernel void turn_fused(__global const float *r, __global float *p, __global const float *rr_before,
                         __global const float *rr_after, int count)
{
    __local float scratch[256];
    int i = get_global_id(0);
    float beta = sum_partials(rr_after, count, scratch) / sum_partials(rr_before, count, scratch);
    p[i] = r[i] + beta * p[i];
}
