/* perfmodel devices
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "cli.h"

static const struct argp_option options[] = {
    {"datasets", CLI_DATASETS, "DIR", 0, "where datasets are looked up", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

static const struct argp argp = {
    options,
    cli_parse_other,
    NULL,
    "Lists the OpenCL devices of this machine, and the targets that datasets are there for, with "
    "the copy bandwidth that the probe measured on them."
    "\v"
    "Example:\n  perfmodel devices --json\n",
    NULL,
    NULL,
    NULL};

static json_t *device_json(size_t number, const pm_device *d)
{
    return json_pack("{s:I,s:o,s:o,s:o,s:o,s:o,s:b,s:I,s:I,s:I}", "number", (json_int_t)number,
                     "id", cli_json_text(d->id), "name", cli_json_text(d->name), "vendor",
                     cli_json_text(d->vendor), "platform", cli_json_text(d->platform), "driver",
                     cli_json_text(d->driver), "cpu", (int)d->is_cpu, "compute_units",
                     (json_int_t)d->compute_units, "clock_mhz", (json_int_t)d->clock_mhz,
                     "memory_bytes", (json_int_t)d->memory_bytes);
}

static void print_target(const pm_target *t)
{
    printf("%-12s %6zu samples", t->name, t->samples);
    for (size_t i = 0; i < t->copy_count; i++)
        printf("%s %s %.1f", i ? "," : "  copy GB/s:", t->copies[i].variant, t->copies[i].gb_per_s);
    printf("\n%14s%s\n", "", t->path);
}

static json_t *target_json(const pm_target *t)
{
    json_t *copies = json_object();

    for (size_t i = 0; i < t->copy_count; i++)
        json_object_set_new(copies, t->copies[i].variant, json_real(t->copies[i].gb_per_s));
    return json_pack("{s:o,s:o,s:I,s:o}", "name", cli_json_text(t->name), "path",
                     cli_json_text(t->path), "samples", (json_int_t)t->samples, "copy_gb_per_s",
                     copies);
}

static void print_all(const pm_device *devices, size_t device_count, const pm_error *no_devices,
                      const pm_target *targets, size_t target_count)
{
    puts("Devices of this machine");
    if (device_count == 0)
        printf("  none: %s\n", no_devices->text);
    for (size_t i = 0; i < device_count; i++)
        printf("  %zu  %-12s %s, %u compute units, %u MHz, %.1f GB (%s)\n", i, devices[i].id,
               devices[i].name, devices[i].compute_units, devices[i].clock_mhz,
               (double)devices[i].memory_bytes * 1e-9, devices[i].platform);
    puts("\nTargets with a dataset");
    for (size_t i = 0; i < target_count; i++) {
        fputs("  ", stdout);
        print_target(&targets[i]);
    }
}

int cmd_devices(int argc, char **argv)
{
    cli_common args = {0};
    pm_device *devices = NULL;
    pm_target *targets = NULL;
    size_t device_count = 0, target_count = 0;
    pm_error err = {0}, no_devices = {0};
    pm_log log;
    int code = PM_OK;

    cli_parse(&argp, argc, argv, "devices", &args);
    log = cli_log();
    if (pm_devices(&devices, &device_count, &no_devices) != PM_OK)
        device_count = 0;
    if (pm_targets(args.folder, &targets, &target_count, &log, &err) != PM_OK) {
        code = cli_error(&err);
    } else if (args.json) {
        json_t *list = json_array(), *known = json_array();

        for (size_t i = 0; i < device_count; i++)
            json_array_append_new(list, device_json(i, &devices[i]));
        for (size_t i = 0; i < target_count; i++)
            json_array_append_new(known, target_json(&targets[i]));
        code = cli_print_json(json_pack("{s:o,s:o}", "devices", list, "targets", known));
    } else {
        print_all(devices, device_count, &no_devices, targets, target_count);
    }
    free(devices);
    pm_targets_free(targets, target_count);
    return code;
}
