/* Stores the queens' columns in an array, and compares each new queen with all before it. */
int fits(const int *col, int row)
{
    for (int r = 0; r < row; r++)
        if (col[r] == col[row] || col[row] - col[r] == row - r || col[r] - col[row] == row - r) return 0;
    return 1;
}

__kernel void queens_arrays(__global uint *solutions, __global uint *visited)
{
    int id = get_global_id(0);
    if (id >= N * N * N) return;
    int col[N];
    col[0] = id % N;
    col[1] = id / N % N;
    col[2] = id / N / N;
    uint found = 0, nodes = 0;
    if (fits(col, 1) && fits(col, 2)) {
        int row = 3;
        col[3] = -1;
        while (row >= 3) {
            col[row]++;
            if (col[row] == N) { row--; continue; }
            if (!fits(col, row)) continue;
            nodes++;
            if (row == N - 1) found++;
            else col[++row] = -1;
        }
    }
    solutions[id] = found;
    visited[id] = nodes;
}
