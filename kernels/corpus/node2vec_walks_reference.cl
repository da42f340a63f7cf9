/* Tests whether vertices are neighbours by reading the whole list, and accepts by one
 * comparison. */
uint draw(uint seed, uint walk, uint step, uint attempt)
{
    uint h = ((seed ^ (walk * 2654435761u)) ^ (step * 2246822519u) ^ (attempt * 1048576u)) * 3266489917u;
    h = (h ^ (h / 32768u)) * 668265263u;
    h = (h ^ (h / 8192u)) * 374761393u;
    return h ^ (h / 65536u);
}

kernel void walk_linear(global const int *first, global const int *neighbour, global int *walk, int n, int steps,
                        uint4 accept)
{
    uint w = get_global_id(0);
    int previous = -1, here = (int)((ulong)(w * 2654435769u) * (ulong)n / 4294967296ul);
    for (int s = 0; s < steps; s++) {
        int next = here;
        for (uint attempt = 0; attempt < 16; attempt++) {
            ulong pick = draw(accept.w, w, s, 2 * attempt);
            next = neighbour[first[here] + (int)(pick * (first[here + 1] - first[here]) / 4294967296ul)];
            if (previous == -1)
                break;
            int close = 0;
            for (int e = first[previous]; e < first[previous + 1]; e++)
                close |= neighbour[e] == next;
            uint limit = next == previous ? accept.x : close ? accept.y : accept.z;
            if (draw(accept.w, w, s, 2 * attempt + 1) <= limit)
                break;
        }
        walk[w * steps + s] = next;
        previous = here;
        here = next;
    }
}
