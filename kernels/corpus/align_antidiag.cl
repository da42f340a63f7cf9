#define MATCH 3
#define MISMATCH (-2)
#define GAP 2
#define REPORT 15 /* scores below this can occur by chance */
#define PITCH (LEN + 1)

// H of a pair has a first row and column of zeros. Diagonal d holds the cells with (r - 1) + (c - 1) = d.
__kernel void smith_waterman_diag(__global const uchar *seqA, __global const uchar *seqB,
                                  __global short *H, __global int *best, int d)
{
    const int pair = get_global_id(1);
    const int first = max(0, d - (LEN - 1));
    const int r = first + (int)get_global_id(0);
    const int c = d - r;
    if (r >= LEN || c < 0) return;

    __global short *cell = H + pair * PITCH * PITCH + (r + 1) * PITCH + (c + 1);
    const int same = seqA[pair * LEN + r] == seqB[pair * LEN + c];
    int h = cell[-PITCH - 1] + (same ? MATCH : MISMATCH);
    h = max(h, cell[-1] - GAP);
    h = max(h, cell[-PITCH] - GAP);
    h = max(h, 0);
    *cell = (short)h;
    if (h >= REPORT)
        atomic_max(&best[pair], h);
}
