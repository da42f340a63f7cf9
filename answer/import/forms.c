/* Lists the kinds of tables that profilers (such as Nsight Compute and rocprof) write, and
 * recognizes the kind of a table by the names of its columns. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "answer/import/parts.h"
#include "base/csv.h"

#define FORM_NAMES(list) .names = (list), .count = sizeof(list) / sizeof *(list)

/* ---- Nsight Compute: ncu --csv --------------------------------------------------------------- */

/* Names of the columns of Nsight Compute's page "details", with their meanings. The page has a row
 * for each metric of a launch. */
static const pm_import_name ncu_details[] = {{"Kernel Name", PM_IMPORT_KERNEL, true},
                                             {"Metric Name", PM_IMPORT_METRIC, true},
                                             {"Metric Unit", PM_IMPORT_UNIT, true},
                                             {"Metric Value", PM_IMPORT_VALUE, true},
                                             {"ID", PM_IMPORT_LAUNCH, true},
                                             {"Process ID", PM_IMPORT_PROCESS, false},
                                             {"CC", PM_IMPORT_CAPABILITY, false},
                                             {"Grid Size", PM_IMPORT_GROUPS, false},
                                             {"Block Size", PM_IMPORT_GROUP_ITEMS, false}};

/* Names of the columns that Nsight Compute writes with --print-summary per-kernel */
static const pm_import_name ncu_summary[] = {
    {"Kernel Name", PM_IMPORT_KERNEL, true}, {"Metric Name", PM_IMPORT_METRIC, true},
    {"Metric Unit", PM_IMPORT_UNIT, true},   {"Average", PM_IMPORT_VALUE, true},
    {"Invocations", PM_IMPORT_COUNT, true},  {"CC", PM_IMPORT_CAPABILITY, false},
    {"Grid Size", PM_IMPORT_GROUPS, false},  {"Block Size", PM_IMPORT_GROUP_ITEMS, false}};

/* Names of the columns of Nsight Compute's page "raw", which has a column for each metric and a row
 * for each launch. */
static const pm_import_name ncu_raw[] = {
    {"Kernel Name", PM_IMPORT_KERNEL, true},
    {"ID", PM_IMPORT_LAUNCH, true},
    {"Process ID", PM_IMPORT_PROCESS, false},
    {"CC", PM_IMPORT_CAPABILITY, false},
    {"Grid Size", PM_IMPORT_GROUPS, false},
    {"Block Size", PM_IMPORT_GROUP_ITEMS, false},
    {"device__attribute_display_name", PM_IMPORT_DEVICE, false}};

/* ---- Nsight Systems: nsys stats --format csv ------------------------------------------------- */

/* Names of the columns of Nsight Systems' report cuda_gpu_kern_sum, which older versions call
 * gpukernsum */
static const pm_import_name nsys_kernels[] = {
    {"Name", PM_IMPORT_KERNEL, true},          {"Instances", PM_IMPORT_COUNT, true},
    {"Total Time (", PM_IMPORT_TOTAL, true},   {"Avg (", PM_IMPORT_TIME, false},
    {"Average (", PM_IMPORT_TIME, false},      {"Average", PM_IMPORT_TIME, false},
    {"Med (", PM_IMPORT_MEDIAN, false},        {"GridXYZ", PM_IMPORT_GROUPS, false},
    {"BlockXYZ", PM_IMPORT_GROUP_ITEMS, false}};

/* cuda_gpu_sum */
static const pm_import_name nsys_operations[] = {
    {"Operation", PM_IMPORT_KERNEL, true}, {"Category", PM_IMPORT_CATEGORY, true},
    {"Instances", PM_IMPORT_COUNT, true},  {"Total Time (", PM_IMPORT_TOTAL, true},
    {"Avg (", PM_IMPORT_TIME, false},      {"Med (", PM_IMPORT_MEDIAN, false}};

/* cuda_gpu_trace */
static const pm_import_name nsys_launches[] = {
    {"Name", PM_IMPORT_KERNEL, true},        {"Duration (", PM_IMPORT_TIME, true},
    {"GrdX", PM_IMPORT_GROUPS, true},        {"GrdY", PM_IMPORT_GROUPS_Y, true},
    {"GrdZ", PM_IMPORT_GROUPS_Z, true},      {"BlkX", PM_IMPORT_GROUP_ITEMS, true},
    {"BlkY", PM_IMPORT_GROUP_ITEMS_Y, true}, {"BlkZ", PM_IMPORT_GROUP_ITEMS_Z, true},
    {"Device", PM_IMPORT_DEVICE, false}};

/* ---- nvprof --csv ---------------------------------------------------------------------------- */

/* --print-gpu-trace */
static const pm_import_name nvprof_launches[] = {
    {"Name", PM_IMPORT_KERNEL, true},           {"Duration", PM_IMPORT_TIME, true},
    {"Grid X", PM_IMPORT_GROUPS, true},         {"Grid Y", PM_IMPORT_GROUPS_Y, true},
    {"Grid Z", PM_IMPORT_GROUPS_Z, true},       {"Block X", PM_IMPORT_GROUP_ITEMS, true},
    {"Block Y", PM_IMPORT_GROUP_ITEMS_Y, true}, {"Block Z", PM_IMPORT_GROUP_ITEMS_Z, true},
    {"Device", PM_IMPORT_DEVICE, false}};

/* Names of the columns of the summary that nvprof prints without options */
static const pm_import_name nvprof_kernels[] = {
    {"Name", PM_IMPORT_KERNEL, true}, {"Time(%)", PM_IMPORT_OTHER, true},
    {"Time", PM_IMPORT_TOTAL, true},  {"Calls", PM_IMPORT_COUNT, true},
    {"Avg", PM_IMPORT_TIME, true},    {"Type", PM_IMPORT_CATEGORY, false}};

/* --metrics and --events */
static const pm_import_name nvprof_metrics[] = {{"Kernel", PM_IMPORT_KERNEL, true},
                                                {"Device", PM_IMPORT_DEVICE, true},
                                                {"Invocations", PM_IMPORT_COUNT, true},
                                                {"Metric Name", PM_IMPORT_METRIC, true},
                                                {"Avg", PM_IMPORT_VALUE, true}};
static const pm_import_name nvprof_events[] = {{"Kernel", PM_IMPORT_KERNEL, true},
                                               {"Device", PM_IMPORT_DEVICE, true},
                                               {"Invocations", PM_IMPORT_COUNT, true},
                                               {"Event Name", PM_IMPORT_METRIC, true},
                                               {"Avg", PM_IMPORT_VALUE, true}};

/* ---- rocprof, rocprofv3 and rocprof-compute -------------------------------------------------- */

/* Columns in tables of rocprof that are known but ignored, because they are no counters. All
 * columns with names that are not in this list and not known otherwise are counters. */
#define ROCPROF_OTHERS                                                                             \
    {"Index", PM_IMPORT_OTHER, false}, {"gpu-id", PM_IMPORT_OTHER, false},                         \
        {"GPU_ID", PM_IMPORT_OTHER, false}, {"queue-id", PM_IMPORT_OTHER, false},                  \
        {"Queue_ID", PM_IMPORT_OTHER, false}, {"queue-index", PM_IMPORT_OTHER, false},             \
        {"Queue_Index", PM_IMPORT_OTHER, false}, {"tid", PM_IMPORT_OTHER, false},                  \
        {"TID", PM_IMPORT_OTHER, false}, {"lds", PM_IMPORT_OTHER, false},                          \
        {"LDS", PM_IMPORT_OTHER, false}, {"LDS_Per_Workgroup", PM_IMPORT_OTHER, false},            \
        {"scr", PM_IMPORT_OTHER, false}, {"SCR", PM_IMPORT_OTHER, false},                          \
        {"Scratch_Per_Workitem", PM_IMPORT_OTHER, false}, {"vgpr", PM_IMPORT_OTHER, false},        \
        {"arch_vgpr", PM_IMPORT_OTHER, false}, {"Arch_VGPR", PM_IMPORT_OTHER, false},              \
        {"accum_vgpr", PM_IMPORT_OTHER, false}, {"Accum_VGPR", PM_IMPORT_OTHER, false},            \
        {"ACCUM_VGPR", PM_IMPORT_OTHER, false}, {"sgpr", PM_IMPORT_OTHER, false},                  \
        {"SGPR", PM_IMPORT_OTHER, false}, {"fbar", PM_IMPORT_OTHER, false},                        \
        {"sig", PM_IMPORT_OTHER, false}, {"SIG", PM_IMPORT_OTHER, false},                          \
        {"obj", PM_IMPORT_OTHER, false}, {"OBJ", PM_IMPORT_OTHER, false},                          \
        {"wave_size", PM_IMPORT_OTHER, false}, {"Wave_Size", PM_IMPORT_OTHER, false},              \
        {"Correlation_ID", PM_IMPORT_OTHER, false}, {"XCC_Index", PM_IMPORT_OTHER, false},         \
        {"Node", PM_IMPORT_OTHER, false}, {"Kernel_ID", PM_IMPORT_OTHER, false},                   \
        {"DispatchNs", PM_IMPORT_OTHER, false}, {"CompleteNs", PM_IMPORT_OTHER, false},            \
    {                                                                                              \
        "DurationNs", PM_IMPORT_OTHER, false                                                       \
    }

static const pm_import_name rocprof_launches[] = {{"KernelName", PM_IMPORT_KERNEL, true},
                                                  {"pid", PM_IMPORT_PROCESS, false},
                                                  {"grd", PM_IMPORT_ITEMS, true},
                                                  {"wgr", PM_IMPORT_GROUP_ITEMS, true},
                                                  {"BeginNs", PM_IMPORT_START, false},
                                                  {"EndNs", PM_IMPORT_END, false},
                                                  ROCPROF_OTHERS};

/* Names of the columns that rocprofv2 and rocprof-compute (pmc_perf.csv) write */
static const pm_import_name rocprof_compute[] = {{"Kernel_Name", PM_IMPORT_KERNEL, true},
                                                 {"Dispatch_ID", PM_IMPORT_LAUNCH, true},
                                                 {"PID", PM_IMPORT_PROCESS, false},
                                                 {"pid", PM_IMPORT_PROCESS, false},
                                                 {"Grid_Size", PM_IMPORT_ITEMS, false},
                                                 {"GRD", PM_IMPORT_ITEMS, false},
                                                 {"Workgroup_Size", PM_IMPORT_GROUP_ITEMS, false},
                                                 {"WGR", PM_IMPORT_GROUP_ITEMS, false},
                                                 {"Start_Timestamp", PM_IMPORT_START, false},
                                                 {"End_Timestamp", PM_IMPORT_END, false},
                                                 ROCPROF_OTHERS};

/* Names of the columns of NAME.stats.csv of rocprof, and of NAME_kernel_stats.csv of rocprofv3 */
static const pm_import_name rocprof_kernels[] = {{"Name", PM_IMPORT_KERNEL, true},
                                                 {"Calls", PM_IMPORT_COUNT, true},
                                                 {"TotalDurationNs", PM_IMPORT_TOTAL, true},
                                                 {"AverageNs", PM_IMPORT_TIME, true}};

/* Names of the columns of NAME_kernel_trace.csv of rocprofv3 */
static const pm_import_name rocprofv3_launches[] = {
    {"Kernel_Name", PM_IMPORT_KERNEL, true},
    {"Start_Timestamp", PM_IMPORT_START, true},
    {"End_Timestamp", PM_IMPORT_END, true},
    {"Kind", PM_IMPORT_CATEGORY, true},
    {"Dispatch_Id", PM_IMPORT_LAUNCH, false},
    {"Grid_Size_X", PM_IMPORT_ITEMS, true},
    {"Grid_Size_Y", PM_IMPORT_ITEMS_Y, true},
    {"Grid_Size_Z", PM_IMPORT_ITEMS_Z, true},
    {"Workgroup_Size_X", PM_IMPORT_GROUP_ITEMS, true},
    {"Workgroup_Size_Y", PM_IMPORT_GROUP_ITEMS_Y, true},
    {"Workgroup_Size_Z", PM_IMPORT_GROUP_ITEMS_Z, true}};

/* Names of the columns of NAME_counter_collection.csv of rocprofv3 */
static const pm_import_name rocprofv3_counters[] = {
    {"Kernel_Name", PM_IMPORT_KERNEL, true},          {"Counter_Name", PM_IMPORT_METRIC, true},
    {"Counter_Value", PM_IMPORT_VALUE, true},         {"Dispatch_Id", PM_IMPORT_LAUNCH, true},
    {"Process_Id", PM_IMPORT_PROCESS, false},         {"Grid_Size", PM_IMPORT_ITEMS, false},
    {"Workgroup_Size", PM_IMPORT_GROUP_ITEMS, false}, {"Start_Timestamp", PM_IMPORT_START, false},
    {"End_Timestamp", PM_IMPORT_END, false}};

/* ---- recognizing ----------------------------------------------------------------------------- */

#define NCU_TIMED "profile the metric " PM_IMPORT_DURATION ", too"
#define NVPROF_TIMED "also import what nvprof --csv --print-gpu-trace prints for the program"
#define ROCPROF_TIMED "also import the file of rocprofv3 --kernel-trace --output-format csv"

static const pm_import_form forms[] = {
    {"ncu", "Nsight Compute", FORM_NAMES(ncu_details), .disturbs = true, .timed = NCU_TIMED},
    {"ncu", "Nsight Compute", FORM_NAMES(ncu_summary), .disturbs = true, .timed = NCU_TIMED},
    {"ncu", "Nsight Compute", FORM_NAMES(ncu_raw), .counters = "__", .disturbs = true,
     .timed = NCU_TIMED},
    {"nsys", NULL, FORM_NAMES(nsys_kernels)},
    {"nsys", NULL, FORM_NAMES(nsys_operations), .category = "CUDA_KERNEL"},
    {"nsys", NULL, FORM_NAMES(nsys_launches)},
    {"nvprof", "nvprof", FORM_NAMES(nvprof_launches)},
    {"nvprof", "nvprof", FORM_NAMES(nvprof_kernels), .category = "GPU activities"},
    {"nvprof", "nvprof", FORM_NAMES(nvprof_metrics), .timed = NVPROF_TIMED},
    {"nvprof", "nvprof", FORM_NAMES(nvprof_events), .timed = NVPROF_TIMED},
    {"rocprof", "rocprof", FORM_NAMES(rocprof_launches), .counters = "", .amd = true,
     .timed = "run rocprof with --timestamp on"},
    {"rocprof", "rocprof", FORM_NAMES(rocprofv3_launches), .category = "KERNEL_DISPATCH",
     .amd = true},
    {"rocprof", "rocprof", FORM_NAMES(rocprofv3_counters), .amd = true, .timed = ROCPROF_TIMED},
    {"rocprof", "rocprof", FORM_NAMES(rocprof_compute), .counters = "", .amd = true,
     .timed = "import a file with Start_Timestamp and End_Timestamp, such as timestamps.csv, too"},
    {"rocprof", "rocprof", FORM_NAMES(rocprof_kernels), .amd = true}};

/* Returns the length of a column's name without a unit in parentheses at its end: 3 for "Avg
 * (ns)". */
static size_t before_unit(const char *cell)
{
    const char *unit = strstr(cell, " (");

    return unit && pm_ends_in(cell, ")") ? (size_t)(unit - cell) : strlen(cell);
}

/* Returns true if a cell of a table's header is the column that is called `name` in the list of
 * known columns. A `name` that ends in " (" matches any unit after it. */
static bool is_column(const char *cell, const char *name)
{
    const size_t length = strlen(name);

    if (length < 2 || strcmp(name + length - 2, " (") != 0)
        return strcmp(cell, name) == 0;
    return strncmp(cell, name, length - 2) == 0 && before_unit(cell) == length - 2;
}

static const pm_import_name *find_name(const pm_import_form *form, const char *cell)
{
    for (size_t i = 0; i < form->count; i++)
        if (is_column(cell, form->names[i].name))
            return &form->names[i];
    return NULL;
}

static bool has_column(const char *const *cells, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (is_column(cells[i], name))
            return true;
    return false;
}

static bool has_all(const pm_import_form *form, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < form->count; i++)
        if (form->names[i].required && !has_column(cells, count, form->names[i].name))
            return false;
    return true;
}

/* Returns the column's name without a number that rocprof-compute appends to names that occur
 * several times, such as obj_1. */
static char *without_number(pm_memory *memory, const char *cell)
{
    size_t length = strlen(cell);

    while (length > 0 && strchr("0123456789", cell[length - 1]))
        length--;
    if (length > 1 && cell[length] && cell[length - 1] == '_')
        return pm_format(memory, "%.*s", (int)length - 1, cell);
    return pm_copy(memory, cell);
}

static pm_import_role role_of(pm_memory *memory, const pm_import_form *form, const char *cell)
{
    const pm_import_name *name = find_name(form, cell);

    if (name)
        return name->role;
    if (!form->counters || !strstr(cell, form->counters))
        return PM_IMPORT_OTHER;
    name = find_name(form, without_number(memory, cell));
    return name ? PM_IMPORT_OTHER : PM_IMPORT_COUNTER;
}

static char *unit_of(pm_memory *memory, const char *cell)
{
    const size_t before = before_unit(cell);

    return cell[before]
               ? pm_format(memory, "%.*s", (int)(strlen(cell) - before - 3), cell + before + 2)
               : pm_copy(memory, "");
}

static void read_columns(pm_memory *memory, const pm_import_form *form, const char *const *cells,
                         pm_import_columns *columns)
{
    for (size_t i = 0; i < PM_IMPORT_ROLES; i++)
        columns->at[i] = PM_NO_ENTRY;
    for (size_t i = 0; i < columns->count; i++) {
        const pm_import_role role = role_of(memory, form, cells[i]);

        columns->roles[i] = role;
        columns->names[i] = pm_copy(memory, cells[i]);
        columns->units[i] = unit_of(memory, cells[i]);
        if (role < PM_IMPORT_ROLES && columns->at[role] == PM_NO_ENTRY)
            columns->at[role] = i;
    }
}

bool pm_import_recognize(pm_memory *memory, const char *const *cells, size_t count,
                         pm_import_columns *columns)
{
    const pm_import_form *form = NULL;

    for (size_t i = 0; !form && count <= PM_CSV_MAX_COLUMNS && i < sizeof forms / sizeof *forms;
         i++)
        if (has_all(&forms[i], cells, count))
            form = &forms[i];
    if (!form)
        return false;
    *columns = (pm_import_columns){.form = form,
                                   .count = count,
                                   .roles = pm_take(memory, count, sizeof *columns->roles),
                                   .names = pm_take(memory, count, sizeof *columns->names),
                                   .units = pm_take(memory, count, sizeof *columns->units)};
    read_columns(memory, form, cells, columns);
    return true;
}

const char *pm_import_metric_of(const char *label)
{
    static const struct {
        const char *label, *metric;
    } labels[] = {{"Duration", PM_IMPORT_DURATION},
                  {"Executed Instructions", "smsp__inst_executed.sum"},
                  {"Issued Instructions", "smsp__inst_issued.sum"},
                  {"Branch Instructions", "smsp__inst_executed_op_branch.sum"},
                  {"Grid Size", "launch__grid_size"},
                  {"Block Size", "launch__block_size"},
                  {"Registers Per Thread", "launch__registers_per_thread"},
                  {"Static Shared Memory Per Block", "launch__shared_mem_per_block_static"},
                  {"Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"}};

    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(labels[i].label, label) == 0)
            return labels[i].metric;
    return label;
}
