typedef struct Atom {
    float x, y, z;
    float charge;
    int kind;
    unsigned int cell;
    float radius;
} Atom;

/* A scatter: walks the places of the permutation i * 1234567 + 4099 (mod n), n a power of two, from
 * the side of the atom, with the inverse of the factor by Newton's iteration. */
__kernel void placeAtoms(__global const Atom *atoms, __global float4 *posq, __global uint2 *tags,
                         __global float *sortedRadii, uint n)
{
    uint from = get_global_id(0);
    uint inverse = 1234567u;
    for (int k = 0; k < 5; k++)
        inverse *= 2u - 1234567u * inverse;
    uint to = ((from - 4099u) * inverse) & (n - 1u);
    posq[to] = (float4)(atoms[from].x, atoms[from].y, atoms[from].z, atoms[from].charge);
    tags[to].x = (uint)atoms[from].kind;
    tags[to].y = atoms[from].cell;
    sortedRadii[to] = atoms[from].radius;
}
