/* Can be rewritten: an array of structs that is read and written by its members.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y, z;
    float mass;
    float never_read;
} Body;

kernel void move(global Body *bodies, global float *energy, float dt)
{
    const int i = get_global_id(0);
    const float x = bodies[i].x;
    const float y = bodies[i].y;
    const float z = bodies[i].z;

    energy[i] = bodies[i].mass * (x * x + y * y + z * z);
    bodies[i].x = x + dt;
}
