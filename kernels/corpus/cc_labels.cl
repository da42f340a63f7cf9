kernel void takeLeast(global const int *links, global const int *label, global int *least)
{
    size_t v = get_global_id(0);
    int best = label[v];
    for (int k = 0; k < DEGREE; ++k)
        best = min(best, label[links[v * DEGREE + k]]);
    least[v] = best;
}

/* Replaces a vertex's label by the label of the vertex that it names. The label is itself a vertex
 * of the component, so its label is equal or smaller. */
kernel void jumpOn(global const int *least, global int *label)
{
    size_t v = get_global_id(0);
    label[v] = least[least[v]];
}
