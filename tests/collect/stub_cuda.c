/* An empty libcuda.so.1: CUPTI only wants one to be in the process (test_counter_table), and a
 * driver it is not (test_executor_device).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
int pm_test_stub_cuda(void);

int pm_test_stub_cuda(void)
{
    return 0;
}
