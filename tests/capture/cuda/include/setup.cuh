// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct Setup {
    float factor;
    int n;
};
