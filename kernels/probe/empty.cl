/* A kernel that does nothing: what a launch costs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void empty(void)
{
}
