typedef struct { uint tail, head; uint length; } Edge;

__kernel void carry_over(__global const uint *restrict old, __global uint *restrict fresh, uint n)
{
  const size_t v = get_global_id(0);
  if (v < n) fresh[v] = old[v];
}

__kernel void relax_edges(__global const Edge *restrict edge, __global const uint *restrict old,
                          __global uint *fresh, uint m)
{
  const size_t e = get_global_id(0);
  if (e >= m) return;
  const Edge it = edge[e];
  const uint here = old[it.tail];
  if (here < FAR) {
    const uint there = here + it.length;
    if (there < old[it.head]) atomic_min(&fresh[it.head], there);
  }
}
