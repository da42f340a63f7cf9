/* Work-item v writes all elements with key v, after those with smaller keys, in the order of the
 * input. */
__kernel void value_runs(__global const uint *key, __global const uint *pay, __global uint *out_key,
                         __global uint *out_pay, uint n)
{
    const uint v = get_global_id(0);
    uint at = 0;
    for (uint i = 0; i < n; i++)
        at += key[i] < v;
    for (uint i = 0; i < n; i++)
        if (key[i] == v) {
            out_key[at] = v;
            out_pay[at++] = pay[i];
        }
}
