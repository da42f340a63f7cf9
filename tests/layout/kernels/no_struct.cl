/* Refused: no array of structs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
kernel void twice(global float *values)
{
    values[get_global_id(0)] *= 2.0f;
}
