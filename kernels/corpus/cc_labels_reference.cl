kernel void unseen(global int *label)
{
    label[get_global_id(0)] = -1;
}

/* Labels all vertices that can be reached from each vertex without a label, in order of the
 * vertices. */
kernel void flood(global const int *links, global int *label, global int *stack, int n)
{
    for (int v = 0; v < n; v++) {
        if (label[v] != -1)
            continue;
        int height = 0;
        label[v] = v;
        stack[height++] = v;
        while (height > 0) {
            int u = stack[--height];
            for (int k = 0; k < DEGREE; k++) {
                int w = links[u * DEGREE + k];
                if (label[w] == -1) {
                    label[w] = v;
                    stack[height++] = w;
                }
            }
        }
    }
}
