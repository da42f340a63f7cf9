/* Hashes three words to one. For fixed values of two words, the hash is a one-to-one function of
 * the third. */
uint hash3(uint x, uint y, uint t)
{
    uint h = x * 0x8da6b343u + y * 0xd8163841u + t * 0xcb1ab31fu;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ h >> 16;
}

void flip_maybe(__global char *spin, uint x, uint y, uint t, uint2 chance)
{
    uint right = x + 1 == SIDE ? 0 : x + 1, left = x == 0 ? SIDE - 1 : x - 1;
    uint down = y + 1 == SIDE ? 0 : y + 1, up = y == 0 ? SIDE - 1 : y - 1;
    int s = spin[y * SIDE + x];
    int field = spin[y * SIDE + right] + spin[y * SIDE + left] + spin[down * SIDE + x] +
                spin[up * SIDE + x];
    int gain = s * field; /* energy to flip: 2 * gain */

    if (gain <= 0 || hash3(x, y, t) < (gain == 2 ? chance.x : chance.y))
        spin[y * SIDE + x] = -s;
}

/* chance: exp(-4 beta) and exp(-8 beta), as fractions of 2^32 */
__kernel void metropolis(__global char *spin, uint t, uint2 chance)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (((x + y + t) & 1) == 0)
        flip_maybe(spin, x, y, t, chance);
}

__kernel void metropolis_active(__global char *spin, uint t, uint2 chance)
{
    uint y = get_global_id(1);
    uint x = 2 * get_global_id(0) + ((y + t) & 1);
    flip_maybe(spin, x, y, t, chance);
}

__kernel void magnetise(__global const char *spin, __global int *column_sum)
{
    uint x = get_global_id(0);
    int m = 0;
    for (uint y = 0; y < SIDE; y++)
        m += spin[y * SIDE + x];
    column_sum[x] = m;
}
