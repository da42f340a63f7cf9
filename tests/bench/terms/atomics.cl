/* Every work-item adds ROUNDS times to a bin that data chooses, so that no compiler can make one atomic of a warp's. */
#define ADD_FLOAT(space, where)                                                                                      \
    do {                                                                                                             \
        uint old, wanted;                                                                                            \
        do {                                                                                                         \
            old = *(volatile space uint *)(where);                                                                   \
            wanted = as_uint(as_float(old) + 1.0f);                                                                  \
        } while (atomic_cmpxchg((volatile space uint *)(where), old, wanted) != old);                                \
    } while (0)

__kernel void add(__global const uint *in, volatile __global uint *bins, uint mask)
{
    const uint i = get_global_id(0), key = in[i & 65535];
    for (uint r = 0; r < ROUNDS; r++)
        atomic_add(&bins[(key + r * (mask / 5) + (i >> 16) * 2654435761u) & mask], 1u);
}

__kernel void add_returned(__global const uint *in, volatile __global uint *bins, uint mask)
{
    const uint i = get_global_id(0), key = in[i & 65535];
    uint seen = 0;
    for (uint r = 0; r < ROUNDS; r++)
        seen |= atomic_add(&bins[(key + r * (mask / 5) + (i >> 16) * 2654435761u) & mask], 1u);
    if (seen == 0xffffffffu) /* never, which the compiler cannot know */
        bins[0] = 0;
}

__kernel void add_float(__global const uint *in, volatile __global float *bins, uint mask)
{
    const uint i = get_global_id(0), key = in[i & 65535];
    for (uint r = 0; r < ROUNDS; r++)
        ADD_FLOAT(__global, &bins[(key + r * (mask / 5) + (i >> 16) * 2654435761u) & mask]);
}

/* One work-item a bin looks for itself among all. */
__kernel void count_uint(__global const uint *in, __global uint *bins, uint mask)
{
    uint sum = 0;
    for (uint i = 0; i < ITEMS; i++)
        for (uint r = 0; r < ROUNDS; r++)
            sum += ((in[i & 65535] + r * (mask / 5) + (i >> 16) * 2654435761u) & mask) == get_global_id(0);
    bins[get_global_id(0)] = sum;
}

__kernel void count_float(__global const uint *in, __global float *bins, uint mask)
{
    uint sum = 0;
    for (uint i = 0; i < ITEMS; i++)
        for (uint r = 0; r < ROUNDS; r++)
            sum += ((in[i & 65535] + r * (mask / 5) + (i >> 16) * 2654435761u) & mask) == get_global_id(0);
    bins[get_global_id(0)] = (float)sum;
}

#define LOCAL_KERNEL(name, type, add_one)                                                                            \
    __kernel void name(__global const uint *in, __global type *sums, uint mask)                                      \
    {                                                                                                                \
        __local type bins[1024];                                                                                     \
        const uint i = get_global_id(0), lid = get_local_id(0), key = in[i & 65535];                                 \
        for (uint w = lid; w < 1024; w += get_local_size(0))                                                         \
            bins[w] = 0;                                                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
        for (uint r = 0; r < ROUNDS; r++) {                                                                          \
            const uint at = (key + r * (mask / 5)) & mask;                                                           \
            add_one;                                                                                                 \
        }                                                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
        for (uint w = lid; w < 1024; w += get_local_size(0))                                                         \
            sums[get_group_id(0) * 1024 + w] = bins[w];                                                              \
    }

LOCAL_KERNEL(local_add, uint, atomic_add(&bins[at], 1u))
LOCAL_KERNEL(local_add_returned, uint, if (atomic_add(&bins[at], 1u) == 0xffffffffu) bins[0] = 0)
LOCAL_KERNEL(local_add_float, float, ADD_FLOAT(__local, &bins[at]))

#define LOCAL_COUNT(name, type)                                                                                      \
    __kernel void name(__global const uint *in, __global type *sums, uint mask)                                      \
    {                                                                                                                \
        for (uint w = get_local_id(0); w < 1024; w += get_local_size(0)) {                                           \
            uint sum = 0;                                                                                            \
            for (uint k = 0; k < get_local_size(0); k++)                                                             \
                for (uint r = 0; r < ROUNDS; r++)                                                                    \
                    sum += ((in[(get_group_id(0) * get_local_size(0) + k) & 65535] + r * (mask / 5)) & mask) == w;   \
            sums[get_group_id(0) * 1024 + w] = sum;                                                                  \
        }                                                                                                            \
    }

LOCAL_COUNT(local_count_uint, uint)
LOCAL_COUNT(local_count_float, float)
