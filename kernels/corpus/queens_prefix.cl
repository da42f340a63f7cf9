#define FULL ((1u << N) - 1)

/* work-item c0 + N * (c1 + N * c2): queens of rows 0, 1, 2 stand in these columns */
__kernel void queens(__global uint *solutions, __global uint *visited)
{
    uint id = get_global_id(0);
    if (id >= N * N * N) return;

    uint cols = 0, left = 0, right = 0, found = 0, nodes = 0;
    uint rest = id;
    bool alive = true;
    for (int row = 0; row < 3; row++) {
        uint q = 1u << (rest % N);
        rest /= N;
        if ((cols | left | right) & q) alive = false;
        cols |= q;
        left = (left | q) << 1;
        right = (right | q) >> 1;
    }
    if (alive) {
        uint freeAt[N], leftAt[N], rightAt[N], queenAt[N];
        int depth = 0;
        freeAt[0] = FULL & ~(cols | left | right);
        leftAt[0] = left;
        rightAt[0] = right;
        while (depth >= 0) {
            uint f = freeAt[depth];
            if (f == 0) {
                if (--depth >= 0) cols ^= queenAt[depth];
                continue;
            }
            uint q = f & -f;
            freeAt[depth] = f ^ q;
            nodes++;
            if (depth == N - 4) {
                found++;
                continue;
            }
            queenAt[depth] = q;
            cols |= q;
            leftAt[depth + 1] = (leftAt[depth] | q) << 1;
            rightAt[depth + 1] = (rightAt[depth] | q) >> 1;
            depth++;
            freeAt[depth] = FULL & ~(cols | leftAt[depth] | rightAt[depth]);
        }
    }
    solutions[id] = found;
    visited[id] = nodes;
}
