/* Tests that GPUs are found by the names that drivers, shops and people use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include <unistd.h>

#include "machine/names.h"

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
    check_is("NVIDIA GeForce RTX 4090", "rtx4090");
    check_is("AMD Instinct MI100", "mi100");
    check_is("RTX A6000", "a6000");
    check_is("Radeon (TM) RX 480 Graphics", "rx480");
    check_is("NVIDIA B300 SXM6 AC", "b300");
    check_is("NVIDIA H100 PCIe", "h100pcie");
    check_is("NVIDIA GeForce RTX 5090", "rtx5090");
    check_is("NVIDIA GeForce RTX 4070 Ti SUPER", "rtx4070tis");
    check_is("NVIDIA L20", "l20");
    check_is("NVIDIA A10", "a10");
    check_is("NVIDIA T1000 8GB", "t1000");
    check_is("NVIDIA GeForce GTX 1060 3GB", "gtx1060-3gb");
    check_is("AMD Radeon RX 7900 XTX", "rx7900xtx");
    check_is("9070 XT", "rx9070xt");
    check_is("AMD Instinct MI350X", "mi350x");
    check_is("Radeon VII", "radeonvii");
    check_is("RX 580", "rx580");
}

/* Names that differ in one word are different GPUs. */
TEST(one_word)
{
    check_is("Quadro RTX 6000", "rtx6000");
    check_is("NVIDIA RTX 6000 Ada Generation", "rtx6000ada");
    check_is("RTX PRO 6000", "rtxpro6000");
    check_is("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtxpro6000");
    check_is("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "rtxpro6000maxq");
    check_is("NVIDIA RTX PRO 4000 Blackwell", "rtxpro4000");
    check_is("Radeon Pro VII", "radeonprovii");
    check_is("RTX 4000 Ada", "rtx4000ada");
    check_is("NVIDIA RTX 4000 SFF Ada Generation", "rtx4000sffada");
    check_is("Tesla M40", "m40");
    check_is("Quadro M4000", "m4000");
}

/* If a name is part of a longer one, it is the GPU without the additional words. */
TEST(shorter)
{
    check_is("GTX 1080", "gtx1080");
    check_is("GTX 1080 Ti", "gtx1080ti");
    check_is("GeForce GTX TITAN", "gtxtitan");
    check_is("a100", "a100");
    check_is("RTX 3080 10GB", "rtx3080");
    check_is("RTX 4090 24GB", "rtx4090");
    check_is("H100 80GB", "h100");
}

/* Names that gpu_names.csv adds, and sizes of memory that are not in the name of the row. */
TEST(other_names)
{
    check_is("Tesla C2070", "c2050");
    check_is("NVIDIA H100 80GB HBM3", "h100");
    check_is("Tesla V100-SXM2-32GB", "v100");
    check_is("RTX 3090 24 GB", "rtx3090");
    check_is("GeForce GTX 1080 8GB", "gtx1080");
    check_is("Tesla T4 16GB", "t4");
    check_is("AMD Radeon PRO W7900 Dual Slot", "w7900");
    check_is("NVIDIA GH200 96GB HBM3", "gh200");
    check_is("AMD Instinct MI355X VF", "mi355x");
    check_is("Radeon RX 7700 XT 12GB", "rx7700xt");
}

static void check_unknown(const char *said, const char *told)
{
    pm_device_row *table;
    pm_error err = {0};
    char *id;

    assert_int_equal(pm_gpu_id_of(said, shipped, &id, &err), PM_OK);
    if (id)
        fail_msg("'%s' is %s", said, id);
    assert_int_equal(pm_device_row_read(said, shipped, &table, &err), PM_OK);
    assert_int_equal(pm_gpu_unknown(table, said, &err), PM_BAD_INPUT);
    if (!strstr(err.text, told) || strlen(err.text) > strlen(shipped) + 300)
        fail_msg("'%s': %s", said, err.text);
    pm_device_row_free(table);
}

/* Number of GPUs in the shipped table: its lines except the head. */
static int shipped_count(void)
{
    FILE *file = fopen(PM_SOURCE_DIR "/datasets/devices.csv", "r");
    int lines = 0;

    assert_non_null(file);
    for (int c = getc(file); c != EOF; c = getc(file))
        lines += c == '\n';
    assert_int_equal(fclose(file), 0);
    return lines - 1;
}

/* An unknown or misspelt GPU gets an error that names the nearest row. */
TEST(nearest)
{
    char all[80];

    check_unknown("H20-3e", "did you mean h20? (the H20-3e is this GPU with 141 GB");
    check_unknown("MI308X", "did you mean mi300x?");
    check_unknown("MI 308X", "did you mean mi300x?");
    check_unknown("Quadro GV100", "did you mean v100pcie?");
    check_unknown("RTX 3060 8GB", "did you mean rtx3060?");
    check_unknown("RX 480 4GB", "did you mean rx480?");
    check_unknown("RTX 3060 Max-Q", "did you mean rtx3060?");
    check_unknown("NVIDIA GeForce RTX 4060 Laptop GPU", "the laptop's GPU has 24 compute units");
    check_unknown("NVIDIA RTX PRO 6000 Blackwell Server Edition", "did you mean rtxpro6000?");
    check_unknown("GeForce GTX 560", "did you mean gtx560ti? (the 560 has 7 compute units");
    check_unknown("Quadro 2000", "did you mean gtx460?");
    check_unknown("AMD Instinct MI250X / MI250", "the driver gives both GPUs this name");
    check_unknown("Radeon RX 7700", "did you mean rx7700xt? (the 7700 has 40 compute units");
    check_unknown("Radeon RX 9060 8GB", "did you mean rx9060xt? (the 9060 has 28 compute units");
    check_unknown("GeForce GTX 1050 3GB", "did you mean gtx1050ti?");
    check_unknown("h1000", "did you mean h100?");
    check_unknown("rtx2080it", "did you mean rtx2080ti?");
    check_unknown("a1005", "did you mean a100?");
    check_unknown("Tesla K20", "did you mean k20c, k20m or k20x?");
    snprintf(all, sizeof all, "perfmodel devices lists all %d, such as b200", shipped_count());
    check_unknown("quux", all);
}

/* A faulty table of the user is reported by every command that reads it. */
TEST(wrong_table)
{
    static const struct {
        const char *text, *told;
    } cases[] = {{"name,device\n", "gpu_names.csv:1: the columns are not name,device,same,note"},
                 {"name,device,same,note\nMI250,mi250x,maybe,x\n", ":2: same is 'maybe'"},
                 {"name,device,same,note\nMI250,mi250x\n", ":2: 2 cells in place of 4"},
                 {"name,device,same,note\nMI250,mi250x,yes,x", ":2: the last line does not end"}};
    char folder[] = "/tmp/names.XXXXXX", path[64];
    pm_error err = {0};
    char *id;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/gpu_names.csv", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = fopen(path, "w");

        assert_non_null(file);
        fputs(cases[i].text, file);
        fclose(file);
        assert_int_equal(pm_gpu_id_of("MI250", folder, &id, &err), PM_BAD_INPUT);
        assert_null(id);
        if (!strstr(err.text, cases[i].told))
            fail_msg("%s", err.text);
    }
    unlink(path);
    rmdir(folder);
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
