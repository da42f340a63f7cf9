/* Counts kernel launches by CUPTI's Range Profiler, in its user replay and user range modes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perfmodel owns the buffers and repeats the passes itself, so that CUPTI need not save and restore
 * the GPU's memory.
 */
#include "collector/cupti/cupti_range.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

/* Maximum number of launches that are counted together (a batch). CUPTI keeps a record on the GPU
 * for each counted launch. All launches of the workload run again for each batch, so few batches
 * are better. But a large batch takes longer to set up. An H100 counted 1024 launches of one
 * program in 16 s with batches of 64, in 10 s with batches of 512, and in 13 s with a single batch
 * that had memory for 4096 launches. */
#define BATCH 512

typedef struct {
    const pm_cupti *cupti;
    pm_cupti_metrics *metrics;
    const pm_cupti_work *work;
    pm_cupti_range_object range;
    uint8_t *image;
    size_t image_size;
    size_t first, end; /* the launches of this batch are first .. end - 1 */
} session;

static pm_status start(session *s, pm_cu_context context, pm_error *err)
{
    pm_cupti_range_enable enable = {.size = PM_CUPTI_SIZE(pm_cupti_range_enable, range),
                                    .context = context};

    if (pm_cupti_call_range_enable(s->cupti, &enable, NULL, err) != PM_OK)
        return PM_FAILED;
    s->range = enable.range;
    return PM_OK;
}

static pm_status make_image(session *s, pm_error *err)
{
    pm_cupti_range_data_size ask = {.size = PM_CUPTI_SIZE(pm_cupti_range_data_size, image_size),
                                    .range = s->range,
                                    .max_ranges = BATCH,
                                    .max_tree_nodes = BATCH};
    pm_cupti_range_data_initialize fill = {
        .size = PM_CUPTI_SIZE(pm_cupti_range_data_initialize, image), .range = s->range};

    ask.metrics = pm_cupti_metrics_names(s->metrics, &ask.metric_count);
    if (pm_cupti_call_range_data_size(s->cupti, &ask, NULL, err) != PM_OK)
        return PM_FAILED;
    s->image_size = ask.image_size;
    s->image = calloc(1, s->image_size ? s->image_size : 1);
    if (!s->image)
        return pm_fail(err, PM_FAILED, "out of memory for %zu bytes of counter data",
                       s->image_size);
    fill.image = s->image;
    fill.image_size = s->image_size;
    return pm_cupti_call_range_data_initialize(s->cupti, &fill, NULL, err);
}

static pm_status configure(session *s, pm_error *err)
{
    pm_cupti_range_config config = {
        .size = PM_CUPTI_SIZE(pm_cupti_range_config, target_nesting_level),
        .range = s->range,
        .image = s->image,
        .image_size = s->image_size,
        .range_mode = PM_CUPTI_USER_RANGE,
        .replay_mode = PM_CUPTI_USER_REPLAY,
        .max_ranges_per_pass = BATCH,
        .nesting_levels = 1,
        .min_nesting_level = 1,
        .pass = 0,
        .target_nesting_level = 1,
    };

    config.config = pm_cupti_metrics_config(s->metrics, &config.config_size);
    return pm_cupti_call_range_config(s->cupti, &config, NULL, err);
}

/* Runs a launch inside a CUPTI range of its own, whose name is the launch's number. */
static pm_status count_launch(session *s, size_t launch, pm_error *err)
{
    pm_cupti_range_push push = {.size = PM_CUPTI_SIZE(pm_cupti_range_push, name),
                                .range = s->range};
    pm_cupti_range_plain pop = {.size = PM_CUPTI_SIZE(pm_cupti_range_plain, range),
                                .range = s->range};
    char name[24];

    snprintf(name, sizeof name, "%zu", launch);
    push.name = name;
    if (pm_cupti_call_range_push(s->cupti, &push, name, err) != PM_OK)
        return PM_FAILED;
    if (s->work->launch(s->work->user, launch, err) != PM_OK)
        return PM_FAILED;
    return pm_cupti_call_range_pop(s->cupti, &pop, name, err);
}

static pm_status one_pass(session *s, bool *last, pm_error *err)
{
    pm_cupti_range_plain begin = {.size = PM_CUPTI_SIZE(pm_cupti_range_plain, range),
                                  .range = s->range};
    pm_cupti_range_stop stop = {.size = PM_CUPTI_SIZE(pm_cupti_range_stop, all_submitted),
                                .range = s->range};
    pm_status status = s->work->begin(s->work->user, err);
    pm_cupti_result code;

    if (status != PM_OK)
        return status;
    if (pm_cupti_call_range_start(s->cupti, &begin, NULL, err) != PM_OK)
        return PM_FAILED;
    status = s->work->warm_up(s->work->user, err);
    for (size_t i = 0; status == PM_OK && i < s->work->launches; i++)
        status = i >= s->first && i < s->end ? count_launch(s, i, err)
                                             : s->work->launch(s->work->user, i, err);
    code = s->cupti->range_stop(&stop);
    if (status != PM_OK)
        return status;
    if (code != PM_CUPTI_SUCCESS)
        return pm_cupti_fail(s->cupti, err, "cuptiRangeProfilerStop", NULL, code);
    *last = stop.all_submitted != 0;
    return PM_OK;
}

static pm_status run_passes(session *s, pm_error *err)
{
    pm_cupti_range_decode decode = {.size = PM_CUPTI_SIZE(pm_cupti_range_decode, dropped),
                                    .range = s->range};
    /* CUPTI reports when it has run enough passes to count all metrics. This limit only guards
     * against an endless loop. */
    size_t most = 2 * pm_cupti_metrics_passes(s->metrics) + 2;
    bool last = false;

    for (size_t pass = 0; !last; pass++) {
        if (pass == most)
            return pm_fail(err, PM_FAILED, "CUPTI still wants more after %zu passes, not %zu", most,
                           pm_cupti_metrics_passes(s->metrics));
        if (one_pass(s, &last, err) != PM_OK)
            return PM_FAILED;
    }
    if (pm_cupti_call_range_decode(s->cupti, &decode, NULL, err) != PM_OK)
        return PM_FAILED;
    if (decode.dropped > 0)
        return pm_fail(err, PM_FAILED, "CUPTI dropped %zu of %zu ranges", decode.dropped,
                       s->end - s->first);
    return PM_OK;
}

/* Sets *launch to the number of the launch that was counted in range i of CUPTI's counter data
 * image. */
static pm_status launch_of(session *s, size_t i, size_t *launch, pm_error *err)
{
    pm_cupti_range_info info = {.size = PM_CUPTI_SIZE(pm_cupti_range_info, name),
                                .image = s->image,
                                .image_size = s->image_size,
                                .index = i,
                                .delimiter = "/"};
    char *end;

    if (pm_cupti_call_range_info(s->cupti, &info, NULL, err) != PM_OK)
        return PM_FAILED;
    errno = 0;
    *launch = info.name ? strtoul(info.name, &end, 10) : 0;
    if (!info.name || end == info.name || *end || errno || *launch < s->first || *launch >= s->end)
        return pm_fail(err, PM_FAILED,
                       "CUPTI returned a range named \"%s\" for launches %zu to %zu",
                       info.name ? info.name : "", s->first, s->end - 1);
    return PM_OK;
}

static pm_status evaluate(session *s, size_t counters, double *values, pm_error *err)
{
    pm_cupti_range_data_info info = {.size = PM_CUPTI_SIZE(pm_cupti_range_data_info, ranges),
                                     .image = s->image,
                                     .image_size = s->image_size};
    bool seen[BATCH] = {false};
    size_t launch = 0;

    if (pm_cupti_call_range_data_info(s->cupti, &info, NULL, err) != PM_OK)
        return PM_FAILED;
    if (info.ranges != s->end - s->first)
        return pm_fail(err, PM_FAILED, "CUPTI counted %zu ranges of %zu launches", info.ranges,
                       s->end - s->first);
    for (size_t i = 0; i < info.ranges; i++) {
        if (launch_of(s, i, &launch, err) != PM_OK)
            return PM_FAILED;
        if (seen[launch - s->first])
            return pm_fail(err, PM_FAILED, "CUPTI returned launch %zu twice", launch);
        seen[launch - s->first] = true;
        if (pm_cupti_metrics_evaluate(s->metrics, s->image, s->image_size, i,
                                      values + launch * counters, err) != PM_OK)
            return PM_FAILED;
    }
    return PM_OK;
}

/* Counts a batch of launches. CUPTI's profiler is off before and after the batch, so that the GPU
 * is in its usual state. */
static pm_status count_batch(session *s, pm_cu_context context, size_t counters, double *values,
                             pm_error *err)
{
    pm_status status = start(s, context, err);
    pm_cupti_range_plain disable = {.size = PM_CUPTI_SIZE(pm_cupti_range_plain, range),
                                    .range = s->range};

    if (status != PM_OK)
        return status;
    if (make_image(s, err) != PM_OK || configure(s, err) != PM_OK || run_passes(s, err) != PM_OK ||
        evaluate(s, counters, values, err) != PM_OK)
        status = PM_FAILED;
    if (pm_cupti_call_range_disable(s->cupti, &disable, NULL, status == PM_OK ? err : NULL) !=
        PM_OK)
        status = PM_FAILED;
    free(s->image);
    s->image = NULL;
    return status;
}

pm_status pm_cupti_count(const pm_cupti *cupti, pm_cupti_metrics *metrics, pm_cu_context context,
                         const pm_cupti_work *work, size_t counters, double *values, pm_error *err)
{
    session s = {.cupti = cupti, .metrics = metrics, .work = work};

    for (s.first = 0; s.first < work->launches; s.first = s.end) {
        s.end = work->launches - s.first > BATCH ? s.first + BATCH : work->launches;
        if (count_batch(&s, context, counters, values, err) != PM_OK)
            return PM_FAILED;
    }
    return PM_OK;
}
