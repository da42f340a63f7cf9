/* An empty libcuda.so.1 for test_counter_table: CUPTI only wants one to be in the process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
int pm_test_stub_cuda(void);

int pm_test_stub_cuda(void)
{
    return 0;
}
