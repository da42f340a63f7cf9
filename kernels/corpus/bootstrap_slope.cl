// Bootstrap distribution of a regression slope: each replicate draws M pairs with replacement.

uint xorshift(uint s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

uint start(uint id)
{
    id = (id ^ 61u) ^ (id >> 16);
    id *= 9u;
    id ^= id >> 4;
    id *= 0x27d4eb2du;
    id ^= id >> 15;
    return id | 1u;
}

float slope(float sx, float sy, float sxx, float sxy)
{
    return (sxy - sx * sy / M) / (sxx - sx * sx / M);
}

__kernel void replicate(__global const float *x, __global const float *y, __global float *slopes, int b)
{
    int id = get_global_id(0);
    if (id >= b) return;
    uint s = start(id);
    float sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < M; ++k) {
        s = xorshift(s);
        uint i = s % M;
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    slopes[id] = slope(sx, sy, sxx, sxy);
}

// Computes the slope of a replicate with the pairs in local memory.
__kernel void replicate_local(__global const float *x, __global const float *y, __global float *slopes, int b,
                              __local float2 *xy)
{
    for (int k = get_local_id(0); k < M; k += get_local_size(0))
        xy[k] = (float2)(x[k], y[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    int id = get_global_id(0);
    if (id >= b) return;
    uint s = start(id);
    float2 sum = 0.0f, prod = 0.0f;
    for (int k = 0; k < M; ++k) {
        s = xorshift(s);
        float2 p = xy[s % M];
        sum += p;
        prod += p.x * p;
    }
    slopes[id] = slope(sum.x, sum.y, prod.x, prod.y);
}

// Counts the slopes around the true value in a histogram by global atomics, most of which access
// the same few lines.
__kernel void histogram(__global const float *slopes, __global int *bins, int b, float low, float width)
{
    for (int i = get_global_id(0); i < b; i += get_global_size(0)) {
        int k = (int)floor((slopes[i] - low) / width);
        atomic_inc(&bins[clamp(k, 0, 31)]);
    }
}
