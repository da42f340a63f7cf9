// Finds the eight largest scores of a row: eight times the largest one after the last one found.
__kernel void select_rows(__global const float *scores, int cols, __global float *best, __global int *column, int rows)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    int last = -1;
    for (int n = 0; n < 8; n++) {
        int found = -1;
        for (int j = 0; j < cols; j++) {
            float s = scores[r * cols + j];
            if (last >= 0) {
                float l = scores[r * cols + last];
                if (s > l || (s == l && j <= last))
                    continue;
            }
            if (found < 0 || s > scores[r * cols + found])
                found = j;
        }
        best[r * 8 + n] = scores[r * cols + found];
        column[r * 8 + n] = found;
        last = found;
    }
}
