"""The seed of a test that draws at random. SPDX-License-Identifier: GPL-3.0-or-later"""
import os
import random


def chosen_seed():
    """Returns PERFMODEL_TEST_SEED, which scripts/test.sh derives from the commit, else a new
    seed."""
    return int(os.environ.get("PERFMODEL_TEST_SEED") or random.SystemRandom().randrange(1 << 31))
