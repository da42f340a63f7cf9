/* GPUs by the names that drivers, shops and people give them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include "gpu/names.h"

static const char shipped[] = PM_SOURCE_DIR "/datasets";

static void check_is(const char *said, const char *wanted)
{
    pm_error err = {0};
    char *id = NULL;

    assert_int_equal(pm_gpu_id_of(said, shipped, &id, &err), PM_OK);
    if (!id || strcmp(id, wanted) != 0)
        fail_msg("'%s' is %s, not %s", said, id ? id : "nothing", wanted);
    free(id);
}

TEST(names)
{
    check_is("gtx980", "gtx980");
    check_is("GTX980", "gtx980");
    check_is("GeForce GTX 980", "gtx980");
    check_is("NVIDIA GeForce RTX 2080 Ti", "rtx2080ti");
    check_is("rtx 2070 super", "rtx2070s");
    check_is("Tesla K20c", "k20c");
    check_is("NVIDIA A100-SXM4-80GB", "a100sxm80");
    check_is("A100 PCIe 40GB", "a100pcie40");
    check_is("Quadro RTX A6000", "a6000");
    check_is("AMD Instinct MI210", "mi210");
    check_is("Radeon Pro W6600", "w6600");
    check_is("R9 290X", "r9290x");
}

/* A name that is part of a longer one is the GPU's that has no more. */
TEST(shorter)
{
    check_is("GTX 1080", "gtx1080");
    check_is("GTX 1080 Ti", "gtx1080ti");
    check_is("GeForce GTX TITAN", "gtxtitan");
    check_is("a100", "a100");
}

TEST(none)
{
    static const char *const all[] = {"",
                                      "-",
                                      "NVIDIA",
                                      "GeForce",
                                      "GTX 981",
                                      "h100.csv",
                                      "a b c d e f g h i j k l m n o p q r s t"};
    char longest[1000];
    pm_error err = {0};
    char *id;

    memset(longest, 'h', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(pm_gpu_id_of(longest, shipped, &id, &err), PM_OK);
    assert_null(id);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(pm_gpu_id_of(all[i], shipped, &id, &err), PM_OK);
        if (id)
            fail_msg("'%s' is %s", all[i], id);
        free(id);
    }
}

TEST(several)
{
    pm_error err = {0};
    char *id;

    assert_int_equal(pm_gpu_id_of("P100 PCIe", shipped, &id, &err), PM_BAD_INPUT);
    assert_null(id);
    assert_string_equal(err.text, "'P100 PCIe' may be one of p100pcie16, p100pcie12: say which");
}
