#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Uses plain coordinates, and searches each neighbour separately. */
kernel void grow_listed(global int *reach, global float *weight, uint seed)
{
    const int dx[6] = {1, -1, 0, 0, 0, 0}, dy[6] = {0, 0, 1, -1, 0, 0}, dz[6] = {0, 0, 0, 0, 1, -1};
    int xs[LENGTH + 1], ys[LENGTH + 1], zs[LENGTH + 1], last = 0;
    uint id = get_global_id(0);
    double w = 1;
    xs[0] = ys[0] = zs[0] = 0;
    while (last < LENGTH) {
        int open[6], many = 0;
        for (int d = 0; d < 6; d++) {
            int used = 0;
            for (int j = 0; j <= last; j++)
                used |= xs[j] == xs[last] + dx[d] && ys[j] == ys[last] + dy[d] && zs[j] == zs[last] + dz[d];
            if (!used)
                open[many++] = d;
        }
        w *= many / 5.0;
        if (many == 0)
            break;
        uint h = seed + id * 2654435769u + (uint)last * 2135587861u;
        h = (h ^ (h / 65536u)) * 2246822507u;
        h = (h ^ (h / 8192u)) * 3266489909u;
        h ^= h / 65536u;
        int d = open[(ulong)h * many / 4294967296ul];
        xs[last + 1] = xs[last] + dx[d];
        ys[last + 1] = ys[last] + dy[d];
        zs[last + 1] = zs[last] + dz[d];
        last++;
    }
    reach[id] = xs[last] * xs[last] + ys[last] * ys[last] + zs[last] * zs[last];
    weight[id] = (float)w;
}
