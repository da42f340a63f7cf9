/* A kernel that does nothing, to measure the time of a launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void empty(void)
{
}
