/* Sorts the window by insertion and takes the element with the wanted rank. */
__kernel void sort_window(__global const ushort *scan, __global ushort *background, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    int sorted[25], n = 0;
    for (int at = x - 12; at <= x + 12; at++) {
        int v = scan[y * width + (at < 0 ? 0 : at >= width ? width - 1 : at)], k = n++;
        for (; k > 0 && sorted[k - 1] > v; k--) sorted[k] = sorted[k - 1];
        sorted[k] = v;
    }
    background[y * width + x] = sorted[RANK];
}
