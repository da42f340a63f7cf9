// Each work-item transforms a row or column: first all prediction steps, then all update steps, as
// in the textbook.
void split53(__global const int *src, __global int *dst, int n, int stride)
{
    for (int k = 0; k < n / 2; k++) {
        int next = 2 * k + 2 < n ? 2 * k + 2 : 2 * k;
        int sum = src[2 * k * stride] + src[next * stride];
        int half_ = sum >= 0 ? sum / 2 : -((1 - sum) / 2);
        dst[(n / 2 + k) * stride] = src[(2 * k + 1) * stride] - half_;
    }
    for (int k = 0; k < n / 2; k++) {
        int q = dst[(n / 2 + max(k - 1, 0)) * stride] + dst[(n / 2 + k) * stride] + 2;
        int quarter = q >= 0 ? q / 4 : -((3 - q) / 4);
        dst[k * stride] = src[2 * k * stride] + quarter;
    }
}

__kernel void splitRow(__global const int *src, __global int *dst, int w)
{
    int y = get_global_id(0);
    split53(src + y * WIDTH, dst + y * WIDTH, w, 1);
}

__kernel void splitColumn(__global const int *src, __global int *dst, int w, int h)
{
    int x = get_global_id(0);
    if (x < w)
        split53(src + x, dst + x, h, WIDTH);
}
