/* Executes all iterations and counts those before the first escape. Squares are rounded down by
 * division. */
kernel void definition(global ushort *counts, int width, int left, int top, int pixel, int limit)
{
    int i = get_global_id(0), inside = 1, n = 0;
    long one = 67108864, re = 0, im = 0;
    for (int k = 0; k < limit; k++) {
        long a = re < 0 ? -re : re, b = im < 0 ? -im : im;
        long aa = a * a / one, bb = b * b / one;
        if (aa + bb > 4 * one) inside = 0;
        n += inside;
        if (inside) {
            re = left + (long)(i % width) * pixel + aa - bb;
            im = top + (long)(i / width) * pixel + a * b / one * 2;
        }
    }
    counts[i] = n;
}
