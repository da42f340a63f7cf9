/* Finds the value with rank 9 in the window: at most 9 values are smaller, and more than 9 are
 * smaller or equal. */
__kernel void background(__global const ushort *adc, __global ushort *floor_level, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width)
        return;
    ushort w[49];
    for (int k = 0; k < 49; k++) {
        int p = x + k - 24;
        w[k] = adc[y * width + (p < 0 ? 0 : p >= width ? width - 1 : p)];
    }
    for (int c = 0; c < 49; c++) {
        int less = 0, same = 0;
        for (int k = 0; k < 49; k++) {
            less += w[k] < w[c];
            same += w[k] == w[c];
        }
        if (less <= 9 && 9 < less + same)
            floor_level[y * width + x] = w[c];
    }
}
