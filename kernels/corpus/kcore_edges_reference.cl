/* one work-item, edges counted anew each round among the nodes that are left; a removed node keeps the degree it
   was removed with */
kernel void peel(global const int *from, global const int *to, global int *degree, global int *core,
                 int n, int m, int k, int rounds)
{
  for (int round = 0; round <= rounds; round++) {
    if (round > 0)
      for (int v = 0; v < n; v++)
        if (!core[v] && degree[v] < k)
          core[v] = round;
    for (int v = 0; v < n; v++)
      if (!core[v])
        degree[v] = 0;
    for (int e = 0; e < m; e++)
      if (!core[from[e]] && !core[to[e]]) {
        degree[from[e]]++;
        degree[to[e]]++;
      }
  }
}

kernel void select_weak(global const int *degree, global int *core, int n, int k, int round) {}
kernel void drop_pairs(global const int2 *edge, global const int *core, global int *degree, int m, int round) {}
