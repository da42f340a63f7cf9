/* Tests that NVIDIA's compiler accepts the CUDA programs of the suite in all memory layouts, and
 * with conversions between kernels. The test is skipped with a message if this machine does not
 * have the compiler.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/nvidia/cuda_code.h"
#include "layout_cuda.h"

static pm_cuda_compiler *open_compiler(void)
{
    static const pm_compiler_limits limits = {.seconds = 60};
    pm_cuda_compiler *compiler = pm_cuda_compiler_open(90, 13, &limits, told());

    if (!compiler)
        print_message("SKIPPED: %s\n", last_error.text);
    else
        print_message("%s\n", pm_cuda_compiler_name(compiler));
    return compiler;
}

static void compile(const pm_cuda_compiler *compiler, const pm_program *program, const char *layout)
{
    const pm_workload *w = in_layout(in_cuda(program), layout);
    pm_cuda_code code = {0};
    const pm_status status = pm_cuda_compile(compiler, w, &code, told());

    if (status != PM_OK)
        fail_msg("%s in %s: %s\n%s", program->info.name, layout, last_error.text, w->source);
    for (size_t l = 0; l < w->launch_count; l++)
        assert_non_null(strstr(code.ptx, code.kernels[l]));
    pm_cuda_code_free(&code);
}

TEST(the_papers_programs)
{
    static const char *const programs[] = {"sph", "idw", "cfd", "particlefilter"};
    static const char *const mixed[] = {"aos;soa@density", "aos-align;soa@idw",
                                        "aos;aos-align@compute_flux", "aos;asta:32@find_index"};
    pm_cuda_compiler *compiler = open_compiler();
    const char *layouts[MOST_LAYOUTS];

    if (!compiler)
        skip();
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        const pm_program *program = pm_suite_find(programs[p]);
        const size_t count = layouts_of(program, layouts);

        for (size_t l = 0; l < count; l++)
            compile(compiler, program, layouts[l]);
        compile(compiler, program, mixed[p]);
    }
    pm_cuda_compiler_close(compiler);
}

TEST_MAIN(NULL, NULL)
