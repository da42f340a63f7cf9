/* Targets of n and above are no vertices. They are padding, because lists of the last vertices
 * continue past the end. */

__kernel void merge_per_vertex(__global const uint *start, __global const uint *target,
                               __global uint *triangles, uint n)
{
    uint v = get_global_id(0);
    uint v_begin = start[v], v_end = start[v + 1];
    uint count = 0;

    for (uint e = v_begin; e < v_end; e++) {
        uint u = target[e];
        if (u >= n)
            break;
        uint a = e + 1, b = start[u], b_end = start[u + 1];
        while (a < v_end && b < b_end) {
            uint ta = target[a], tb = target[b];
            if (ta >= n)
                break;
            if (ta == tb)
                count++;
            if (ta <= tb)
                a++;
            if (tb <= ta)
                b++;
        }
    }
    triangles[v] = count;
}

__kernel void search_per_edge(__global const uint *start, __global const uint *target,
                              __global const uint *owner, __global uint *triangles, uint n)
{
    uint e = get_global_id(0);
    uint v = owner[e], u = target[e];
    if (u >= n)
        return;
    uint v_end = start[v + 1], u_begin = start[u], u_end = start[u + 1];
    uint count = 0;

    for (uint a = e + 1; a < v_end; a++) {
        uint wanted = target[a];
        if (wanted >= n)
            break;
        uint low = u_begin, high = u_end;
        while (low < high) {
            uint middle = (low + high) / 2;
            if (target[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < u_end && target[low] == wanted)
            count++;
    }
    if (count)
        atomic_add(&triangles[v], count);
}
