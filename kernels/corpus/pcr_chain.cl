/* Packs a row of the system as (below, diagonal, above, right). */
__kernel void gather(__global const float *below, __global const float *diagonal, __global const float *above,
                     __global const float *right, __global float4 *row, int n)
{
    int i = get_global_id(0);
    row[i] = (float4)(i ? below[i] : 0.0f, diagonal[i], i < n - 1 ? above[i] : 0.0f, right[i]);
}

__kernel void reduce(__global const float4 *from, __global float4 *to, int n, int step)
{
    int i = get_global_id(0), far = 1 << step;
    float4 mine = from[i], low = (float4)(0, 1, 0, 0), high = low;
    if (i >= far)
        low = from[i - far];
    if (i + far < n)
        high = from[i + far];
    float down = mine.x / low.y, up = mine.z / high.y;
    to[i] = (float4)(-down * low.x, mine.y - down * low.z - up * high.x, -up * high.z,
                     mine.w - down * low.w - up * high.w);
}

__kernel void divide(__global const float4 *row, __global float *x)
{
    int i = get_global_id(0);
    float4 mine = row[i];
    x[i] = mine.w / mine.y;
}

/* The rows of one system are as far apart as there are systems, so that neighbouring lanes of a
 * warp handle neighbouring systems. */
__kernel void interleaved(__global const float4 *row, __global float4 *swept, __global float *x, int n)
{
    int systems = get_global_size(0), i = get_global_id(0);
    float above = 0, right = 0;
    for (; i < n; i += systems) {
        float4 mine = row[i];
        float scale = 1.0f / (mine.y - mine.x * above);
        above = mine.z * scale;
        right = (mine.w - mine.x * right) * scale;
        swept[i] = (float4)(above, right, 0, 0);
    }
    float next = 0;
    for (i -= systems; i >= 0; i -= systems) {
        float4 s = swept[i];
        next = s.y - s.x * next;
        x[i] = next;
    }
}
