/* Every work-item function in every dimension, of an index that is only known at run time too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

kernel void ids(global const uint *in, global uint *out)
{
    global uint *o = out + linear_id() * 28;

    for (uint d = 0; d < 3; d++) {
        o[0] = get_global_id(d);
        o[1] = get_local_id(d);
        o[2] = get_group_id(d);
        o[3] = get_global_size(d);
        o[4] = get_local_size(d);
        o[5] = get_num_groups(d);
        o[6] = get_global_offset(d);
        o[7] = get_work_dim();
        o += 8;
    }
    uint d = in[linear_id() % IN_WORDS] % 3;
    o[0] = get_global_id(d);
    o[1] = get_local_id(d);
    o[2] = get_group_id(d);
    o[3] = get_local_size(d) + 100 * get_num_groups(d);
}

/* A dimension that does not exist. The word is 1 if the answer is that of the specification
 * (6.12.1). */
kernel void beyond(global const uint *in, global uint *out)
{
    global uint *o = out + linear_id() * 8;
    uint d = 3 + in[linear_id() % IN_WORDS] % 1000;

    o[0] = get_global_id(d) == 0;
    o[1] = get_local_id(d) == 0;
    o[2] = get_group_id(d) == 0;
    o[3] = get_global_size(d) == 1;
    o[4] = get_local_size(d) == 1;
    o[5] = get_num_groups(d) == 1;
    o[6] = get_global_offset(d) == 0;
    o[7] = get_global_size(get_work_dim()) == 1;
}
