/* A workload's source that is PTX, as code for a GPU: its text, and the names of kernels by both of
 * their names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/given_ptx.h"
#include "owned.h"
#include "unit.h"

OWNED(code, pm_cuda_code, pm_cuda_code_free)

static pm_workload *launching(const char *kernel)
{
    const size_t size = 256;
    pm_workload *w = pm_workload_create("given", "plain", "small");

    assert_non_null(w);
    pm_workload_source_file(w, PM_SOURCE_DIR "/tests/ptx/twins/memory.ptx");
    pm_workload_launch(w, "_Z4widePK6float4PS_i", 1, &size, &size);
    pm_workload_launch(w, kernel, 1, &size, &size);
    return owned_workload(pm_workload_finish(w, told()));
}

TEST(test_names)
{
    const char *const names[] = {"add", "_Z3addPKfPfi"};

    for (size_t i = 0; i < 2; i++) {
        pm_workload *w = launching(names[i]);
        pm_cuda_code *code = owned_code(room(1, sizeof *code));

        assert_ok(pm_cuda_take_ptx(w, code, told()) == PM_OK);
        assert_string_equal(code->kernels[0], "_Z4widePK6float4PS_i");
        assert_string_equal(code->kernels[1], "_Z3addPKfPfi");
        assert_string_equal(code->ptx, w->source);
        assert_null(code->image);
    }
}

TEST(test_no_such_kernel)
{
    pm_cuda_code *code = owned_code(room(1, sizeof *code));

    assert_true(pm_cuda_take_ptx(launching("subtract"), code, told()) == PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, "memory.ptx: the PTX has no kernel subtract"));
}
