// LEN: space for each string. b is always full, a has len[] characters.

kernel void lcsTable(global const uchar *a, global const uchar *b, global const int *len,
                     global int *lcs)
{
    const int pair = get_global_id(0);
    const int n = len[pair];
    uchar row[LEN + 1];

    for (int j = 0; j <= LEN; j++)
        row[j] = 0;

    a += pair * LEN;
    b += pair * LEN;
    for (int i = 0; i < n; i++) {
        const uchar ch = a[i];
        uchar diagonal = 0, left = 0;

        for (int j = 1; j <= LEN; j++) {
            const uchar above = row[j];
            const uchar best = ch == b[j - 1] ? (uchar)(diagonal + 1) : max(above, left);

            row[j] = best;
            left = best;
            diagonal = above;
        }
    }
    lcs[pair] = row[LEN];
}

// Bit j of v is 0 where the table grows by one from column j to j + 1.
kernel void lcsBits(global const uchar *a, global const uchar *b, global const int *len,
                    global int *lcs)
{
    const int pair = get_global_id(0);
    const int n = len[pair];
    ulong match0 = 0, match1 = 0, match2 = 0, match3 = 0;

    for (int j = 0; j < LEN; j++) {
        const uchar ch = b[pair * LEN + j];
        const ulong bit = (ulong)1 << j;

        match0 |= ch == 0 ? bit : 0;
        match1 |= ch == 1 ? bit : 0;
        match2 |= ch == 2 ? bit : 0;
        match3 |= ch == 3 ? bit : 0;
    }

    ulong v = ~(ulong)0;
    for (int i = 0; i < n; i++) {
        const uchar ch = a[pair * LEN + i];
        const ulong match = ch < 2 ? (ch == 0 ? match0 : match1) : (ch == 2 ? match2 : match3);
        const ulong u = v & match;

        v = (v + u) | (v - u);
    }
    lcs[pair] = (int)popcount(~v);
}
