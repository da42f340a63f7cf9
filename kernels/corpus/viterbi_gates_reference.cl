/* The textbook's algorithm, with a table of all predecessors, one number each. */
__kernel void decode_rows(__global const uchar *trace, __global const int *emit, __global const int *change,
                          __global uchar *back, __global uchar *path, __global int *cost, int traces)
{
    uchar from[SAMPLES][4];
    long sum[4], next[4];
    size_t row = get_global_id(0) * (size_t)SAMPLES;
    for (int s = 0; s < 4; s++)
        sum[s] = emit[trace[row] * 4 + s];
    for (int t = 1; t < SAMPLES; t++) {
        for (int s = 0; s < 4; s++) {
            from[t][s] = 0;
            for (int r = 1; r < 4; r++)
                if (sum[r] + change[r * 4 + s] < sum[from[t][s]] + change[from[t][s] * 4 + s])
                    from[t][s] = r;
            next[s] = sum[from[t][s]] + change[from[t][s] * 4 + s] + emit[trace[row + t] * 4 + s];
        }
        for (int s = 0; s < 4; s++)
            sum[s] = next[s];
    }
    int state = 0;
    for (int s = 1; s < 4; s++)
        if (sum[s] < sum[state])
            state = s;
    cost[get_global_id(0)] = (int)sum[state];
    for (int t = SAMPLES - 1; t >= 0; t--) {
        path[row + t] = state;
        if (t)
            state = from[t][state];
    }
}
