/* Clips the window instead of the index, and replaces an extreme by a later equal value. */
__kernel void envelope_blocks(__global const int *level, __global int *range, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int first = i > 32 ? i - 32 : 0, last = i + 32 < n ? i + 32 : n - 1;
    int top = first, bottom = first;
    for (int j = first; j <= last; j++) {
        if (level[j] >= level[top])
            top = j;
        if (level[j] <= level[bottom])
            bottom = j;
    }
    range[i] = level[top] - level[bottom];
}
