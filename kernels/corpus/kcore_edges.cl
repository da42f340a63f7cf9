// k-core by peeling, from a list of edges.  core[v]: 0 while v is in, else the round that removed it.

kernel void degrees_pairs(global const int2* edge, global int* degree, int m)
{
  for (int e = get_global_id(0); e < m; e += get_global_size(0)) {
    int2 uv = edge[e];
    atomic_add(&degree[uv.x], 1);
    atomic_add(&degree[uv.y], 1);
  }
}

kernel void select_weak(global const int* degree, global int* core, int n, int k, int round)
{
  int v = get_global_id(0);
  if (v < n && core[v] == 0 && degree[v] < k)
    core[v] = round;
}

kernel void drop_pairs(global const int2* edge, global const int* core, global int* degree, int m, int round)
{
  for (int e = get_global_id(0); e < m; e += get_global_size(0)) {
    int2 uv = edge[e];
    int cu = core[uv.x], cv = core[uv.y];
    // one end of the edge is removed in this round, and the other end is still in the graph
    if (cu == round && cv == 0) atomic_sub(&degree[uv.y], 1);
    if (cv == round && cu == 0) atomic_sub(&degree[uv.x], 1);
  }
}

// ---- the same with both ends in arrays of their own, an edge for each work-item

kernel void degrees_ends(global const int* from, global const int* to, global int* degree, int m)
{
  int e = get_global_id(0);
  if (e < m) {
    atomic_inc(degree + from[e]);
    atomic_inc(degree + to[e]);
  }
}

kernel void drop_ends(global const int* from, global const int* to, global const int* core,
                      global int* degree, int m, int round)
{
  int e = get_global_id(0);
  if (e >= m)
    return;
  int u = from[e];
  int cu = core[u];
  if (cu != 0 && cu != round)
    return;
  int v = to[e];
  int cv = core[v];
  if (cu == 0) {
    if (cv == round) atomic_dec(degree + u);
  } else if (cv == 0)
    atomic_dec(degree + v);
}
