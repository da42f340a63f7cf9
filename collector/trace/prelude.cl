/* Given to clang before every traced kernel: the work-item functions with global offsets, which
 * libclc's NVIDIA target leaves out. The engine answers pm_global_offset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
size_t __attribute__((const)) pm_global_offset(uint dimension);
uint __attribute__((const)) pm_work_dim(void);
