/* A place is x + 512 y + 2^18 z, from 128 in each: differences between places are differences of these. */
#define START (128 + (128 << 9) + (128 << 18))

static uint mix(uint seed, uint chain, uint step)
{
    uint h = seed + chain * 0x9e3779b9u + step * 0x7f4a7c15u;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static int way(int direction)
{
    int step = 1 << 9 * (direction >> 1);
    return direction & 1 ? -step : step;
}

/* directions 0 to 5 are +x, -x, +y, -y, +z, -z */
static uint hit_by(int difference)
{
    return (difference == 1 ? 1u : 0u) | (difference == -1 ? 2u : 0u) | (difference == 512 ? 4u : 0u) |
           (difference == -512 ? 8u : 0u) | (difference == 262144 ? 16u : 0u) | (difference == -262144 ? 32u : 0u);
}

/* Returns the direction of free neighbour number `pick`. */
static int choose(uint taken, uint random, int open)
{
    int pick = (int)mul_hi(random, (uint)open), direction = 0;
    for (; direction < 5; direction++)
        if (!(taken >> direction & 1u) && pick-- == 0)
            break;
    return direction;
}

static void finish(global int *reach, global float *weight, int here, float w)
{
    int x = (here & 511) - 128, y = (here >> 9 & 511) - 128, z = (here >> 18) - 128;
    reach[get_global_id(0)] = x * x + y * y + z * z;
    weight[get_global_id(0)] = w;
}

kernel void grow(global int *reach, global float *weight, uint seed)
{
    int chain[LENGTH + 1], here = START;
    float w = 1.0f;
    for (int s = 0; s < LENGTH; s++) {
        chain[s] = here;
        uint taken = 0;
        for (int j = 0; j < s; j++)
            taken |= hit_by(chain[j] - here);
        int open = 6 - popcount(taken);
        w *= open / 5.0f;
        if (open == 0)
            break;
        here += way(choose(taken, mix(seed, get_global_id(0), s), open));
    }
    finish(reach, weight, here, w);
}

kernel void grow_columns(global int *reach, global float *weight, uint seed)
{
    local int chain[LENGTH][64];
    int here = START, me = get_local_id(0);
    float w = 1.0f;
    for (int s = 0; s < LENGTH; s++) {
        chain[s][me] = here;
        uint taken = 0;
        for (int j = 0; j < s; j++)
            taken |= hit_by(chain[j][me] - here);
        int open = 6 - popcount(taken);
        w *= open / 5.0f;
        if (open == 0)
            break;
        here += way(choose(taken, mix(seed, get_global_id(0), s), open));
    }
    finish(reach, weight, here, w);
}

#define WORDS 32
static uint bit_of(int place)
{
    return (uint)place * 2654435769u >> 22;
}

kernel void grow_filter(global int *reach, global float *weight, uint seed)
{
    uint seen[WORDS];
    int chain[LENGTH + 1], here = START;
    for (int s = 0; s < WORDS; s++)
        seen[s] = 0;
    float w = 1.0f;
    for (int s = 0; s < LENGTH; s++) {
        uint bit = bit_of(here), taken = 0;
        chain[s] = here;
        seen[bit >> 5] |= 1u << (bit & 31);
        for (int direction = 0; direction < 6; direction++) {
            int there = here + way(direction);
            uint at = bit_of(there);
            if (seen[at >> 5] >> (at & 31) & 1u)
                for (int j = s - 1; j >= 0; j -= 2)
                    if (chain[j] == there) {
                        taken |= 1u << direction;
                        break;
                    }
        }
        int open = 6 - popcount(taken);
        w *= open / 5.0f;
        if (open == 0)
            break;
        here += way(choose(taken, mix(seed, get_global_id(0), s), open));
    }
    finish(reach, weight, here, w);
}
