typedef struct {
    int weight;
    int leaf;
} QuadNode;

typedef struct {
    int x0, y0, x1, y1;     // x1 and y1 are outside
} Rect;

typedef struct {
    uint node;
    int x, y, size;
} Visit;

__kernel void sum_rects(__global const QuadNode* tree, __global const Rect* rects, __global uint* sums,
                        int side, int queries)
{
    int id = get_global_id(0);
    if (id >= queries)
        return;

    const Rect r = rects[id];
    const int smallest = side >> DEPTH;
    Visit stack[3 * DEPTH + 2];
    int top = 0;
    uint sum = 0;

    stack[top++] = (Visit){ 0, 0, 0, side };
    while (top > 0) {
        Visit v = stack[--top];
        if (v.x >= r.x1 || v.y >= r.y1 || v.x + v.size <= r.x0 || v.y + v.size <= r.y0)
            continue;
        QuadNode node = tree[v.node];
        bool inside = v.x >= r.x0 && v.y >= r.y0 && v.x + v.size <= r.x1 && v.y + v.size <= r.y1;
        if (inside) {
            sum += node.weight;
        } else if (node.leaf || v.size == smallest) {
            sum += node.weight >> 1;
        } else {
            int half_size = v.size / 2;
            for (uint c = 0; c < 4; ++c) {
                Visit w;
                w.node = 4 * v.node + 1 + c;
                w.x = v.x + (c & 1) * half_size;
                w.y = v.y + (c >> 1) * half_size;
                w.size = half_size;
                stack[top++] = w;
            }
        }
    }
    sums[id] = sum;
}
