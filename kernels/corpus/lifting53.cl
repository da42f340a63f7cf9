// Rows: low half to the left, high half to the right. All sizes even.
int highpass(int left, int odd, int right) { return odd - ((left + right) >> 1); }
int lowpass(int before, int even, int after) { return even + ((before + after + 2) >> 2); }

__kernel void liftRows(__global const int *restrict src, __global int *restrict dst, int w)
{
    int n = get_global_id(0), y = get_global_id(1);
    if (n >= w / 2)
        return;
    __global const int *r = src + y * WIDTH;
    int even = r[2 * n];
    int right = 2 * n + 2 < w ? r[2 * n + 2] : even;
    int high = highpass(even, r[2 * n + 1], right);
    int before = n > 0 ? highpass(r[2 * n - 2], r[2 * n - 1], even) : high;
    dst[y * WIDTH + n] = lowpass(before, even, high);
    dst[y * WIDTH + w / 2 + n] = high;
}

__kernel void liftColumns(__global const int *restrict src, __global int *restrict dst, int w, int h)
{
    int x = get_global_id(0), n = get_global_id(1);
    if (x >= w || n >= h / 2)
        return;
    __global const int *c = src + x;
    int even = c[2 * n * WIDTH];
    int below = 2 * n + 2 < h ? c[(2 * n + 2) * WIDTH] : even;
    int high = highpass(even, c[(2 * n + 1) * WIDTH], below);
    int before = n > 0 ? highpass(c[(2 * n - 2) * WIDTH], c[(2 * n - 1) * WIDTH], even) : high;
    dst[n * WIDTH + x] = lowpass(before, even, high);
    dst[(h / 2 + n) * WIDTH + x] = high;
}

#define PAIRS 128
__kernel void liftRowsTile(__global const int *restrict src, __global int *restrict dst, int w)
{
    __local int pix[2 * PAIRS + 3]; // from two pixels left of the group's first
    __local int high[PAIRS + 1];
    int l = get_local_id(0), y = get_global_id(1);
    int first = get_group_id(0) * 2 * PAIRS - 2;
    int n = get_global_id(0);

    for (int p = l; p < 2 * PAIRS + 3; p += PAIRS) {
        int x = first + p;
        if (x < 0)
            x = -x;
        if (x >= w)
            x = min(2 * (w - 1) - x, w - 1);
        pix[p] = src[y * WIDTH + max(x, 0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    high[l + 1] = highpass(pix[2 * l + 2], pix[2 * l + 3], pix[2 * l + 4]);
    if (l == 0)
        high[0] = highpass(pix[0], pix[1], pix[2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n < w / 2) {
        dst[y * WIDTH + n] = lowpass(high[l], pix[2 * l + 2], high[l + 1]);
        dst[y * WIDTH + w / 2 + n] = high[l + 1];
    }
}
