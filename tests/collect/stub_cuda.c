/* An empty library in place of libcuda.so.1. CUPTI requires that one is loaded
 * (test_counter_table), and perfmodel must notice that it is no CUDA driver (test_executor_device).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
int pm_test_stub_cuda(void);

int pm_test_stub_cuda(void)
{
    return 0;
}
