/* Keys are small enough to be indices of counters, and the memory of the hash table serves as the
 * array of counters. */
__kernel void count_direct(__global const uint *keys, __global uint *counter, __global uint *distinct,
                           uint n, uint room)
{
    for (uint k = 0; k < room; k++) counter[k] = 0;
    uint d = 0;
    for (uint i = 0; i < n; i++)
        if (counter[keys[i]]++ == 0) d++;
    distinct[0] = d;
}

__kernel void read_direct(__global const uint *queries, __global const uint *counter, __global uint *hits)
{
    size_t i = get_global_id(0);
    hits[i] = counter[queries[i]];
}
