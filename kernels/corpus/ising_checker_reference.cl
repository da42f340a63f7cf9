/* Returns the energy of a spin: the sum of -s times each neighbour. It is computed before and after
 * a flip. */
int energy(int s, int a, int b, int c, int d) { return -s * a - s * b - s * c - s * d; }

__kernel void update_site(__global char *spin, uint t, uint2 chance)
{
    const int n = SIDE, x = get_global_id(0), y = get_global_id(1);
    if ((x + y + t) % 2 == 1)
        return;
    const int a = spin[y * n + (x + 1) % n], b = spin[y * n + (x + n - 1) % n];
    const int c = spin[(y + 1) % n * n + x], d = spin[(y + n - 1) % n * n + x];
    const int s = spin[y * n + x];

    const int change = energy(-s, a, b, c, d) - energy(s, a, b, c, d);
    ulong h = ((ulong)x * 2376512323ul + (ulong)y * 3625334849ul + (ulong)t * 3407524639ul) % 4294967296ul;
    h ^= h / 65536;
    h = h * 2146121005ul % 4294967296ul;
    h ^= h / 32768;
    h = h * 2221713035ul % 4294967296ul;
    h ^= h / 65536;
    ulong accept = change <= 0 ? 4294967296ul : change == 4 ? chance.x : chance.y;
    if (h < accept)
        spin[y * n + x] = (char)-s;
}

__kernel void count_column(__global const char *spin, __global int *column_sum)
{
    const int n = SIDE, x = get_global_id(0);
    int up = 0;
    for (int k = n - 1; k >= 0; k--)
        up += spin[k * n + x] > 0;
    column_sum[x] = 2 * up - n;
}
