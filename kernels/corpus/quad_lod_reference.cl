typedef struct { int weight, leaf; } QuadNode;
typedef struct { int x0, y0, x1, y1; } Rect;

/* without a stack: goes along the cells in Z order, each time down from the root to the first node that ends
   the search, and over all the cells below it */
__kernel void sum_rects(__global const QuadNode *tree, __global const Rect *rects, __global uint *sums,
                        int side, int queries)
{
    int id = get_global_id(0);
    if (id >= queries)
        return;
    Rect q = rects[id];
    uint cells = 1u << (2 * DEPTH), sum = 0;
    for (uint z = 0; z < cells; ) {
        uint node = 0, below = cells;
        int x = 0, y = 0, s = side;
        for (;;) {
            int w = min(x + s, q.x1) - max(x, q.x0), h = min(y + s, q.y1) - max(y, q.y0);
            if (w <= 0 || h <= 0)
                break;
            if (w == s && h == s) {
                sum += tree[node].weight;
                break;
            }
            if (tree[node].leaf || below == 1) {
                sum += tree[node].weight / 2;
                break;
            }
            below /= 4;
            uint c = z / below % 4;
            s /= 2;
            x += c % 2 * s;
            y += c / 2 * s;
            node = 4 * node + 1 + c;
        }
        z += below;
    }
    sums[id] = sum;
}
