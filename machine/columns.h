/* The table of columns of devices.csv, and a row parsed by it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_COLUMNS_H
#define PM_MACHINE_COLUMNS_H

#include "machine/devices_table.h"
#include "machine/profile.h"
#include "machine/rules.h"

/* Bits of pm_gpu_column.use: who needs the column. */
enum {
    PM_COLUMN_RULES = 1,    /* required by the counting rules (pm_gpu) */
    PM_COLUMN_PROFILE = 2,  /* required by the units model (pm_profile) */
    PM_COLUMN_WITH_L1 = 4,  /* ... only if l1_bytes is not 0 */
    PM_COLUMN_WITH_L2 = 8,  /* ... except if the cell l2_bytes is 0 */
    PM_COLUMN_UNIFIED = 16, /* ... only if L1 and shared memory are one array */
    PM_COLUMN_CHIPS = 32,   /* equal in all chips of an architecture, with few exceptions */
    PM_COLUMN_TELLING = 64  /* among these, differs in the exceptions and identifies them */
};

typedef enum {
    PM_CELL_ANY,
    PM_CELL_WORD,   /* text of less than `most` bytes */
    PM_CELL_NUMBER, /* a double; least and most bound this kind and the next three */
    PM_CELL_COUNT,  /* unsigned */
    PM_CELL_POWER,  /* unsigned, a power of two */
    PM_CELL_BYTES,  /* size_t */
    PM_CELL_CHOICE, /* unsigned: index in choices; a bool if the choices are no and yes */
    PM_CELL_SIZES   /* list of carve-outs in KB */
} pm_cell_kind;

typedef struct {
    const char *name;
    pm_cell_kind kind;
    unsigned use;  /* bits PM_COLUMN_... */
    size_t offset; /* offset of the member in pm_gpu_row */
    double least, most;
    const char *const *choices; /* NULL-terminated */
    double unit;                /* factor from the cell's unit to the member's; 0 means 1 */
} pm_gpu_column;

/* All columns, in the order of the shipped table. */
extern const pm_gpu_column pm_gpu_columns[];
extern const size_t pm_gpu_column_count;

typedef struct {
    pm_gpu rules;
    pm_profile profile;
    char dram_type[16];
    unsigned dram_bus_bits;
    unsigned dram_ecc; /* index: no, inline, sideband */
    double spare_kb;
    /* first required column of the rules and of the profile that is empty or missing; NULL: none */
    const pm_gpu_column *no_rule, *no_profile;
} pm_gpu_row;

/* Parses the row of a device that the table has. A wrong cell, or one that contradicts another, is
 * PM_BAD_INPUT with file and line. */
pm_status pm_gpu_row_read(const pm_device_row *cells, pm_gpu_row *row, pm_error *err);
/* Raises PM_BAD_INPUT with the cell's content, or that the cell is empty or its column missing, and
 * the expected content. */
pm_status pm_gpu_column_wrong(const pm_device_row *cells, const pm_gpu_column *column,
                              pm_error *err);

#endif
