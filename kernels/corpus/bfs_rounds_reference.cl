// Breadth-first search by one work-item, with one queue for all levels.
__kernel void queue(__global const uint *first, __global const uint *neighbour,
                    __global int *level, __global uint *waiting, __global uint *fronts, int levels)
{
  uint head = 0, tail = 1;
  waiting[0] = 0;
  while (head < tail) {
    uint v = waiting[head++];
    if (level[v] == levels)
      break;
    for (uint e = first[v]; e < first[v + 1]; e++) {
      uint u = neighbour[e];
      if (level[u] < 0) {
        level[u] = level[v] + 1;
        fronts[level[u]]++;
        waiting[tail++] = u;
      }
    }
  }
}
