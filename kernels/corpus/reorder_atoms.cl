typedef struct Atom {
    float x, y, z;
    float charge;
    int kind;
    unsigned int cell;
    float radius;
} Atom;

__kernel void reorderAtoms(__global const uint *order, __global const Atom *atoms,
                           __global float4 *posq, __global uint2 *tags,
                           __global float *sortedRadii)
{
    uint gid = get_global_id(0);
    Atom a = atoms[order[gid]];
    posq[gid] = (float4)(a.x, a.y, a.z, a.charge);
    tags[gid] = (uint2)((uint)a.kind, a.cell);
    sortedRadii[gid] = a.radius;
}

__kernel void reorderArrays(__global const uint *order, __global const float *xs,
                            __global const float *ys, __global const float *zs,
                            __global const float *charges, __global const int *kinds,
                            __global const uint *cells, __global const float *radii,
                            __global float4 *posq, __global uint2 *tags,
                            __global float *sortedRadii)
{
    uint gid = get_global_id(0);
    uint from = order[gid];
    posq[gid] = (float4)(xs[from], ys[from], zs[from], charges[from]);
    tags[gid] = (uint2)((uint)kinds[from], cells[from]);
    sortedRadii[gid] = radii[from];
}
