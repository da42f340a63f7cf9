// Fills the whole table of suffixes, for one pair of strings after another.
kernel void suffixTable(global const uchar *a, global const uchar *b, global const int *len,
                        global int *lcs, global uchar *t, int pairs)
{
    for (int p = 0; p < pairs; p++) {
        int n = len[p];
        for (int i = n; i >= 0; i--)
            for (int j = LEN; j >= 0; j--) {
                int best = 0;
                if (i < n && j < LEN) {
                    best = max((int)t[(i + 1) * 65 + j], (int)t[i * 65 + j + 1]);
                    if (a[p * LEN + i] == b[p * LEN + j])
                        best = max(best, t[(i + 1) * 65 + j + 1] + 1);
                }
                t[i * 65 + j] = best;
            }
        lcs[p] = t[0];
    }
}
