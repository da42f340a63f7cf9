/* Tests which counters the trace engine has for a GPU: a counter that it does not count is unknown
 * and not 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "collector/worker/counters_of.h"
#include "owned.h"

/* Names of counters, each followed by a blank. */
typedef struct {
    const char *gpu, *known, *unknown;
} knowledge;

static const knowledge cases[] = {
    {"gtx285", "gld_request gld_32b gst_128b dram_read_bytes inst_executed ",
     "gld_sector gst_tag l1_global_load_hit global_wavefront l2_read_sector l2_read_miss "
     "inst_issued "},
    {"c2050", "gld_sector gst_tag l1_global_load_hit l2_read_sector global_wavefront inst_issued ",
     "gld_32b gst_128b "},
    {"gtx680", "gld_sector gst_tag global_wavefront l2_read_sector inst_issued ",
     "gld_32b gst_128b l1_global_load_hit l1_global_load_miss "},
    {"k20c",
     "gld_sector gst_tag global_wavefront l2_read_sector inst_issued l1_global_load_hit "
     "l1_global_load_miss ",
     "gld_32b gst_128b "},
    {"gtx980", "gld_sector gst_tag global_wavefront l2_read_sector l1_global_load_hit ",
     "gld_32b gst_128b inst_issued "},
    {"h100", "gld_sector gst_tag l1_global_load_hit global_wavefront l2_read_sector ",
     "gld_32b gst_128b inst_issued "},
};

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && at[length] == ' ')
            return true;
    return false;
}

static size_t words(const char *list)
{
    size_t count = 0;

    for (; *list; list++)
        count += *list == ' ';
    return count;
}

/* Checks that counts equal the counts of a launch that did nothing. */
static void check_gpu(const pm_counter_table *table, const knowledge *k)
{
    const pm_counted_launch launch = {.groups = 1};
    const size_t size = pm_counter_table_size(table);
    double *values = room(size, sizeof *values), *errors = room(size, sizeof *errors);
    size_t seen = 0;
    pm_gpu gpu;

    assert_ok(pm_gpu_find(k->gpu, NULL, &gpu, told()) == PM_OK);
    pm_launch_counters(table, &gpu, &launch, values, errors);
    for (size_t i = 0; i < size; i++) {
        const char *name = pm_counter_name(table, i);
        const bool known = is_listed(k->known, name), unknown = is_listed(k->unknown, name);

        seen += known + unknown;
        if ((known && isnan(values[i])) || (unknown && !(isnan(values[i]) && isnan(errors[i]))))
            fail_msg("%s: %s is %g +- %g", k->gpu, name, values[i], errors[i]);
    }
    assert_int_equal(seen, words(k->known) + words(k->unknown));
}

TEST(what_is_not_counted_is_unknown)
{
    const pm_counter_table *table = owned_table(pm_counter_table_read(NULL, told()));

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_gpu(table, &cases[i]);
}
