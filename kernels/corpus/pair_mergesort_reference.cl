/* Stores a pair at the position that equals the number of pairs that are smaller, or equal and
 * earlier. The second launch copies the sorted pairs back into the first buffer. */
kernel void count_smaller(global const uint2 *from, global uint2 *to, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    uint key = from[i].x;
    int before = 0;
    for (int j = 0; j < n; j++)
        before += from[j].x < key || (from[j].x == key && j < i);
    to[before] = from[i];
}
