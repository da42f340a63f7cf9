/* Forces between atoms and their neighbours, as SHOC's md computes them. Each work-item handles an
 * atom. The list of neighbours has the first neighbour of all atoms, then the second, and so on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
kernel void forces(global float4 *force, global float4 *position, int neighbours, global int *list, float cutoff_squared,
                   float repulsion, float attraction, int atoms)
{
    uint atom = get_global_id(0);
    float4 here = position[atom], sum = (float4)(0);

    for (int i = 0; i < neighbours; i++) {
        float4 there = position[list[i * atoms + atom]];
        float x = here.x - there.x, y = here.y - there.y, z = here.z - there.z;
        float squared = x * x + y * y + z * z;

        if (squared < cutoff_squared) {
            float inverse = 1.0f / squared, sixth = inverse * inverse * inverse;
            float factor = inverse * sixth * (repulsion * sixth - attraction);

            sum.x += x * factor;
            sum.y += y * factor;
            sum.z += z * factor;
        }
    }
    force[atom] = sum;
}
