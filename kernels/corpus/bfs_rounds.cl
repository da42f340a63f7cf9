// level[v]: -1 if vertex v is not visited yet. fronts[k]: number of vertices on level k.

__kernel void visit_flags(__global const uint *first, __global const uint *neighbour,
                          __global volatile int *level, __global volatile uint *fronts, int now)
{
  uint v = get_global_id(0);
  if (level[v] != now)
    return;
  uint found = 0;
  for (uint e = first[v]; e < first[v + 1]; e++)
    if (atomic_cmpxchg(&level[neighbour[e]], -1, now + 1) == -1)
      found++;
  if (found)
    atomic_add(&fronts[now + 1], found);
}

__kernel void visit_list(__global const uint *first, __global const uint *neighbour,
                         __global volatile int *level, __global const uint *front,
                         __global uint *next, __global volatile uint *fronts, int now)
{
  uint at = get_global_id(0);
  if (at >= fronts[now])
    return;
  uint v = front[at];
  uint end = first[v + 1];
  for (uint e = first[v]; e < end; e++) {
    uint u = neighbour[e];
    if (level[u] == -1 && atomic_cmpxchg(&level[u], -1, now + 1) == -1)
      next[atomic_inc(&fronts[now + 1])] = u;
  }
}
