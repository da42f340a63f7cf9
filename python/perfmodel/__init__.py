"""Predicts what an optimization of a GPU kernel gains before it is written.

perfmodel predicts run times of kernels on GPUs that this machine need not have, advises on data layouts and
arrays in local (shared) memory, searches tuning parameters, and guards against slower kernels::

    import perfmodel

    with perfmodel.Session() as session:
        print(session.predict("gtx980", programs="nbody").predictions[0].predicted_s)

A :class:`Session` keeps the files that it read, counters and fitted models, so that nothing is computed
twice. Each function of this module, such as :func:`predict`, creates a session and calls its method of the same name.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from ._errors import BadInput, Cancelled, Error, Notice
from ._library import __version__, api_version
from ._results import Document
from ._session import (Session, advise, capture, check, collect, dataset, datasets, devices, merge, predict,
                       profiles, programs, published, trace, tune, validate)

__all__ = ["BadInput", "Cancelled", "Document", "Error", "Notice", "Session", "__version__", "advise",
           "api_version", "capture", "check", "collect", "dataset", "datasets", "devices", "merge", "predict",
           "profiles", "programs", "published", "trace", "tune", "validate"]
