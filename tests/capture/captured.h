/* Declarations for programs that launch OpenCL kernels. Tests capture them with `perfmodel
 * capture`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_CAPTURE_CAPTURED_H
#define PM_TESTS_CAPTURE_CAPTURED_H

#include <CL/cl.h>
#include <stddef.h>

enum { N = 4096, STEPS = 10 };

typedef struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} fixture;

/* Ends the program with code 9 if a call failed. */
void check(cl_int code, const char *what);
cl_program build(const fixture *f, const char *text, const char *options);
cl_kernel kernel_of(const fixture *f, const char *name);
/* Returns a buffer with the numbers from, from + 1 and so on. */
cl_mem buffer_of(const fixture *f, cl_mem_flags flags, int from);
cl_mem empty_buffer(const fixture *f, size_t bytes);
/* Launches a kernel with N work-items. local 0: the driver chooses the work-group size. */
void launch(const fixture *f, cl_kernel kernel, size_t local);
void set_scale(cl_kernel kernel, cl_mem in, cl_mem out, float by);
void print_sum(const fixture *f, cl_mem mem);

/* ---- the captured programs ---------------------------------------------------------------------
 */

void plain(fixture *f);
void two_sources(fixture *f);
void loop(fixture *f);
void two_kernels(fixture *f);
void sub_buffers(fixture *f);
void maps(fixture *f);
void threads(fixture *f);
void fork_child(fixture *f);
void fork_copy(fixture *f);
void end_by_abort(fixture *f);
void end_by_kill(fixture *f);
void image(fixture *f);
void events(fixture *f);
void many(fixture *f);
void headers(fixture *f);
void values(fixture *f);
void overlaps(fixture *f);
void growing(fixture *f);
void shares(fixture *f);
void sparse(fixture *f);
void svm(fixture *f);
void svm_pointers(fixture *f);
void largest_group(fixture *f);
void macro_header(fixture *f);

#endif
