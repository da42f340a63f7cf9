__kernel void exchange(__global int *keys, int distance)
{
    int i = get_global_id(0);
    int a = (i / distance) * 2 * distance + i % distance, b = a + distance;
    int low = min(keys[a], keys[b]), high = max(keys[a], keys[b]);
    keys[a] = low;
    keys[b] = high;
}
