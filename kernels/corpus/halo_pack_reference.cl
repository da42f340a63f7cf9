/* Fills all ghost cells at once, each from the cell of which it is a copy. */
int image(int at, int cells)
{
    int period = cells - 2 * DEPTH;
    return (at - DEPTH + period) % period + DEPTH;
}

__kernel void wrap(__global double *field)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
    int ix = image(x, nx), iy = image(y, ny), iz = image(z, nz);
    if (ix == x && iy == y && iz == z)
        return;
    for (int f = 0; f < FIELDS; f++)
        field[((f * nz + z) * ny + y) * nx + x] = field[((f * nz + iz) * ny + iy) * nx + ix];
}
