/* elimination as in a textbook, a byte for each bit, rows exchanged, columns from the left */
__kernel void rank_each(__global const uint *words, __global const uchar *period, __global uchar *rank)
{
    uchar a[32][32];
    int id = get_global_id(0), top = 0;
    for (int r = 0; r < 32; r++)
        for (int c = 0; c < 32; c++)
            a[r][c] = words[id * 32 + r % period[id]] >> (31 - c) & 1;
    for (int c = 0; c < 32; c++) {
        int p = top;
        while (p < 32 && !a[p][c])
            p++;
        if (p == 32)
            continue;
        for (int k = 0; k < 32; k++) {
            uchar t = a[p][k];
            a[p][k] = a[top][k];
            a[top][k] = t;
        }
        for (int r = top + 1; r < 32; r++)
            if (a[r][c])
                for (int k = 0; k < 32; k++)
                    a[r][k] = (a[r][k] + a[top][k]) % 2;
        top++;
    }
    rank[id] = top;
}
