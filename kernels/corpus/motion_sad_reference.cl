// Tries displacements from the last to the first, and takes the earlier one of equal costs. A
// difference is max - min.
__kernel void exhaustive(__global const uchar *before, __global const uchar *now,
                         __global char2 *vector, __global int *sad, int width, int height)
{
    const int bx = get_global_id(0), by = get_global_id(1), at = by * (width / 8) + bx;
    if (by * 8 >= height)
        return;
    sad[at] = 1 << 30;
    for (int d = 17 * 17 - 1; d >= 0; d--) {
        const int dx = d % 17 - 8, dy = d / 17 - 8;
        int s = 0;
        for (int k = 0; k < 64; k++) {
            const int x = bx * 8 + (k & 7), y = by * 8 + (k >> 3);
            const int u = max(0, min(width - 1, x + dx)), v = max(0, min(height - 1, y + dy));
            const uchar a = now[y * width + x], b = before[v * width + u];
            s += a > b ? a - b : b - a;
        }
        if (s <= sad[at]) {
            sad[at] = s;
            vector[at] = (char2)((char)dx, (char)dy);
        }
    }
}
