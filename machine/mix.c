/* Adds instruction mixes (numbers of machine instructions by class). See mix.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/mix.h"

void pm_mix_add_row(const pm_mix *row, double times, pm_mix *mix)
{
    mix->total += times * row->total;
    mix->fp32 += times * row->fp32;
    mix->fp64 += times * row->fp64;
    mix->flop32 += times * row->flop32;
    mix->flop64 += times * row->flop64;
    mix->beside += times * row->beside;
    mix->integer += times * row->integer;
    mix->special += times * row->special;
    mix->conversion += times * row->conversion;
    mix->conversion64 += times * row->conversion64;
    mix->control += times * row->control;
    mix->memory += times * row->memory;
    mix->branches += times * row->branches;
    mix->alu += times * row->alu;
    mix->fma += times * row->fma;
    mix->fmaheavy += times * row->fmaheavy;
    mix->either += times * row->either;
    mix->tensor += times * row->tensor;
}
