__kernel void diffuse_once(__global const float *src, __global float *dst, int width, int height,
                           float k, float rate)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    double c = src[y * width + x], sum = 0;
    for (int q = y - 1; q <= y + 1; q++)
        for (int p = x - 1; p <= x + 1; p++)
            if ((p == x) != (q == y) && p >= 0 && q >= 0 && p < width && q < height) {
                double d = src[q * width + p] - c;
                sum += d / exp((double)k * d * d);
            }
    dst[y * width + x] = (float)(c + rate * sum);
}
