typedef struct { uint tail, head; uint length; } Edge;

__kernel void carry_over(__global const uint *old, __global uint *fresh, uint n)
{
  size_t v = get_global_id(0);
  if (v < n)
    fresh[v] = old[v];
}

/* Relaxes all edges one by one, starting with the last one. */
__kernel void relax_alone(__global const Edge *edge, __global const uint *old,
                          __global uint *fresh, uint m)
{
  while (m-- > 0) {
    ulong via = (ulong)old[edge[m].tail] + edge[m].length;
    if (old[edge[m].tail] != FAR && via < fresh[edge[m].head])
      fresh[edge[m].head] = (uint)via;
  }
}
