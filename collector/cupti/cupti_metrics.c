/* Converts between perfmodel's counters and CUPTI's metrics by CUPTI's Profiler Host API: chooses
 * the metrics to count, and computes the counters' values from the counted data.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This API lists a chip's metrics, creates the configuration image for counting these metrics, and
 * computes their values from a counter data image.
 */
#include "collector/cupti/cupti_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct pm_cupti_metrics {
    const pm_cupti *cupti;
    const pm_counter_table *table;
    pm_cupti_host_object host;
    /* expressions[counter]: a sum of CUPTI's metrics; NULL: the counter is not counted */
    const char **expressions;
    char **names; /* names of the metrics, without duplicates */
    size_t name_count;
    double *values; /* memory for the value of each metric in `names` */
    uint8_t *config;
    size_t config_size, passes;
};

void pm_cupti_metrics_free(pm_cupti_metrics *m)
{
    if (!m)
        return;
    if (m->host) {
        pm_cupti_host_plain end = {.size = PM_CUPTI_SIZE(pm_cupti_host_plain, host),
                                   .host = m->host};
        m->cupti->host_deinitialize(&end);
    }
    for (size_t i = 0; i < m->name_count; i++)
        free(m->names[i]);
    free(m->names);
    free(m->expressions);
    free(m->values);
    free(m->config);
    free(m);
}

bool pm_cupti_metrics_known(const pm_cupti_metrics *m, const char *metric)
{
    pm_cupti_host_properties ask = {
        .size = PM_CUPTI_SIZE(pm_cupti_host_properties, type), .host = m->host, .metric = metric};

    return m->cupti->host_properties(&ask) == PM_CUPTI_SUCCESS;
}

static size_t find_name(const pm_cupti_metrics *m, const char *name)
{
    size_t i = 0;

    while (i < m->name_count && strcmp(m->names[i], name) != 0)
        i++;
    return i;
}

static pm_status add_name(pm_cupti_metrics *m, const char *name, pm_error *err)
{
    char **grown;

    if (find_name(m, name) < m->name_count)
        return PM_OK;
    grown = realloc(m->names, (m->name_count + 1) * sizeof *grown);
    if (!grown)
        return pm_fail(err, PM_FAILED, "out of memory for the metric names");
    m->names = grown;
    grown[m->name_count] = strdup(name);
    if (!grown[m->name_count])
        return pm_fail(err, PM_FAILED, "out of memory for the metric names");
    m->name_count++;
    return PM_OK;
}

/* Returns true if the GPU chip lacks a CUPTI metric of a counter's expression. The name of the
 * first one that it lacks is then in `metric`. */
static bool lacks_metric(const pm_cupti_metrics *m, const char *expression, char *metric)
{
    int sign;

    while (pm_counter_expression_next(&expression, metric, PM_METRIC_NAME, &sign))
        if (!pm_cupti_metrics_known(m, metric))
            return true;
    return false;
}

static pm_status choose_metrics(pm_cupti_metrics *m, const char *chip, const pm_log *log,
                                pm_error *err)
{
    const char *family = pm_counter_family(m->table, chip);
    char metric[PM_METRIC_NAME];
    int sign;

    if (!family)
        return pm_fail(err, PM_FAILED,
                       "counters.ini has no family for the chip %s: add it to [families]", chip);
    for (size_t i = 0; i < pm_counter_table_size(m->table); i++) {
        const char *rest = pm_counter_expression(m->table, i, family);

        if (!rest)
            continue;
        if (lacks_metric(m, rest, metric)) {
            pm_notice(log, "%s stays empty: CUPTI has no metric %s on %s",
                      pm_counter_name(m->table, i), metric, chip);
            continue;
        }
        m->expressions[i] = rest;
        while (pm_counter_expression_next(&rest, metric, sizeof metric, &sign))
            if (add_name(m, metric, err) != PM_OK)
                return PM_FAILED;
    }
    if (m->name_count == 0)
        return pm_fail(err, PM_FAILED, "CUPTI has no metric of counters.ini on %s", chip);
    return PM_OK;
}

static pm_status make_config(pm_cupti_metrics *m, pm_error *err)
{
    const pm_cupti *cupti = m->cupti;
    pm_cupti_host_add add = {.size = PM_CUPTI_SIZE(pm_cupti_host_add, metric_count),
                             .host = m->host,
                             .metrics = (const char **)m->names,
                             .metric_count = m->name_count};
    pm_cupti_host_config_size ask = {.size = PM_CUPTI_SIZE(pm_cupti_host_config_size, config_size),
                                     .host = m->host};
    pm_cupti_host_config get = {.size = PM_CUPTI_SIZE(pm_cupti_host_config, config),
                                .host = m->host};
    pm_cupti_host_passes passes = {.size = PM_CUPTI_SIZE(pm_cupti_host_passes, passes)};

    if (pm_cupti_call_host_add(cupti, &add, NULL, err) != PM_OK)
        return PM_FAILED;
    if (pm_cupti_call_host_config_size(cupti, &ask, NULL, err) != PM_OK)
        return PM_FAILED;
    m->config_size = ask.config_size;
    m->config = calloc(1, m->config_size ? m->config_size : 1);
    m->values = calloc(m->name_count, sizeof *m->values);
    if (!m->config || !m->values)
        return pm_fail(err, PM_FAILED, "out of memory for CUPTI's configuration");
    get.config_size = passes.config_size = m->config_size;
    get.config = passes.config = m->config;
    if (pm_cupti_call_host_config(cupti, &get, NULL, err) != PM_OK)
        return PM_FAILED;
    if (pm_cupti_call_host_passes(cupti, &passes, NULL, err) != PM_OK)
        return PM_FAILED;
    m->passes = passes.passes;
    return PM_OK;
}

static pm_status start_host(pm_cupti_metrics *m, const char *chip, const uint8_t *availability,
                            pm_error *err)
{
    pm_cupti_host_initialize start = {.size = PM_CUPTI_SIZE(pm_cupti_host_initialize, host),
                                      .profiler = PM_CUPTI_HOST_RANGE_PROFILER,
                                      .chip = chip,
                                      .availability = availability};

    if (pm_cupti_call_host_initialize(m->cupti, &start, chip, err) != PM_OK)
        return PM_FAILED;
    m->host = start.host;
    return PM_OK;
}

pm_cupti_metrics *pm_cupti_metrics_create(const pm_cupti *cupti, const pm_counter_table *table,
                                          const char *chip, const uint8_t *availability,
                                          const pm_log *log, pm_error *err)
{
    pm_cupti_metrics *m = calloc(1, sizeof *m);

    if (m)
        m->expressions = calloc(pm_counter_table_size(table) + 1, sizeof *m->expressions);
    if (!m || !m->expressions) {
        pm_fail(err, PM_FAILED, "out of memory for the metrics of %s", chip);
        free(m);
        return NULL;
    }
    m->cupti = cupti;
    m->table = table;
    if (start_host(m, chip, availability, err) != PM_OK ||
        choose_metrics(m, chip, log, err) != PM_OK || make_config(m, err) != PM_OK) {
        pm_cupti_metrics_free(m);
        return NULL;
    }
    return m;
}

const char **pm_cupti_metrics_names(const pm_cupti_metrics *m, size_t *count)
{
    *count = m->name_count;
    return (const char **)m->names;
}

bool pm_cupti_metrics_has(const pm_cupti_metrics *m, size_t counter)
{
    return m->expressions[counter] != NULL;
}

const uint8_t *pm_cupti_metrics_config(const pm_cupti_metrics *m, size_t *size)
{
    *size = m->config_size;
    return m->config;
}

size_t pm_cupti_metrics_passes(const pm_cupti_metrics *m)
{
    return m->passes;
}

static double value_of(const pm_cupti_metrics *m, const char *expression)
{
    char metric[PM_METRIC_NAME];
    double sum = 0;
    int sign;

    if (!expression)
        return NAN;
    while (pm_counter_expression_next(&expression, metric, sizeof metric, &sign))
        sum += sign * m->values[find_name(m, metric)];
    return sum;
}

pm_status pm_cupti_metrics_evaluate(pm_cupti_metrics *m, const uint8_t *image, size_t image_size,
                                    size_t range, double *values, pm_error *err)
{
    pm_cupti_host_evaluate ask = {.size = PM_CUPTI_SIZE(pm_cupti_host_evaluate, values),
                                  .host = m->host,
                                  .image = image,
                                  .image_size = image_size,
                                  .range = range,
                                  .metrics = (const char **)m->names,
                                  .metric_count = m->name_count,
                                  .values = m->values};

    if (pm_cupti_call_host_evaluate(m->cupti, &ask, NULL, err) != PM_OK)
        return PM_FAILED;
    for (size_t i = 0; i < pm_counter_table_size(m->table); i++)
        values[i] = value_of(m, m->expressions[i]);
    return PM_OK;
}
