// Computes the alignment scores row by row, with one row of the table in private memory.
__kernel void align_rows(__global const uchar *seqA, __global const uchar *seqB, __global short *H, __global int *best)
{
    int p = get_global_id(0), n = LEN, top = 0;
    int row[LEN + 1];
    __global short *out = H + p * (n + 1) * (n + 1);
    for (int c = 0; c <= n; c++) { row[c] = 0; out[c] = 0; }
    for (int r = 1; r <= n; r++) {
        int diagonal = row[0];
        out[r * (n + 1)] = 0;
        for (int c = 1; c <= n; c++) {
            int score = seqA[p * n + r - 1] == seqB[p * n + c - 1] ? 3 : -2;
            int h = 0;
            if (diagonal + score > h) h = diagonal + score;
            if (row[c] - 2 > h) h = row[c] - 2;
            if (row[c - 1] - 2 > h) h = row[c - 1] - 2;
            diagonal = row[c];
            row[c] = h;
            out[r * (n + 1) + c] = (short)h;
            if (h >= 15 && h > top) top = h;
        }
    }
    best[p] = top;
}
