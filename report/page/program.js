// The section of a program: its versions on each target, their kernels, the time that each unit of
// the GPU adds, counters and memory accesses.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const program = (() => {
  const { paragraph, heading, fold, table, tableOf } = elements;
  const known = format.isFinite, gainRange = format.gainRange;
  const MOST_BARS = 12, LEAST_SHARE = 1e-3, TUNED_VERSIONS = 10, TUNED_PARAMETERS = 12;

  // The GPU's units in the order of their bars, with their colours. A unit has the same colour in
  // all figures.
  const UNITS = { dram: 5, l2: 4, requests: 12, atomics: 13, l1: 3, shared: 0, constant: 14, lsu: 6,
    issue: 1, fp32: 8, fp64: 11, int: 9, special: 10, latency: 2, groups: 15, launch: 7 };

  // `c` is the JSON of a program on a target, `v` that of a version.
  const find = (c, variant) => c.choices.find((v) => v.variant === variant);
  const timeOf = (thing) => format.timeInterval(thing.predicted_s, thing.lo_s, thing.hi_s);
  const timeIfKnown = (seconds) => (known(seconds) ? format.time(seconds) : "");

  // ---- the versions --------------------------------------------------------------------------

  // The gain of a version with its interval: measured if possible, else predicted.
  const gainOf = (v) => known(v.measured_gain)
    ? { gain: v.measured_gain, lo: v.measured_lo, hi: v.measured_hi, measured: true }
    : { gain: v.gain, lo: v.lo, hi: v.hi, measured: false };

  function versionName(c, v) {
    const best = v.variant === c.best, nakai = v.variant === c.nakai;
    if (v.variant === c.base)
      return v.variant + (best ? " (as it is; proposed)" : " (as it is)");
    if (best)
      return v.variant + (nakai ? " (proposed; by Nakai's method too)" : " (proposed)");
    return v.variant + (nakai ? " (by Nakai's method)" : "");
  }
  const boundOf = (v) => (v.terms.length && v.bound) || null;

  function measured(v) {
    const g = gainOf(v);
    const gain = g.measured ? `gain ${format.gain(g.gain)} (${gainRange(g)}), measured` : "";
    const missed = v.missed ? (gain ? "; " : "") + "the prediction misses it" : "";
    return [timeIfKnown(v.measured_s), gain + missed];
  }

  function ranking(c, withMoney) {
    const isBase = (v) => v.variant === c.base;
    const range = (v) => (!isBase(v) && known(v.lo) && known(v.hi) ? gainRange(v) : "");
    const caption = `Versions of ${c.program} at size ${c.size} on ${c.target}, fastest first, ` +
      "with 90 % intervals.";
    return tableOf(caption, [
      { name: "Version", cell: (v) => versionName(c, v) },
      { name: "#Predicted", cell: timeOf },
      { name: "#Gain", cell: (v) => [format.gain(v.gain), range(v)] },
      { name: "#Chance faster", cell: (v) => (isBase(v) ? "" : format.chance(v.chance)) },
      { name: "Bound by", cell: (v) => boundOf(v) || "unknown", known: boundOf },
      { name: "#Measured", cell: measured, known: (v) => known(v.measured_s) },
      withMoney && { name: "#Hours of work",
        cell: (v) => (isBase(v) ? "" : format.hours(v.cost.hours.mid)) },
    ], c.choices);
  }

  function gains(cases) {
    const versions = [...new Set(cases.flatMap((c) =>
      c.choices.map((v) => v.variant).filter((variant) => variant !== c.base)))];
    return versions.length === 0 ? [] : charts.gains(
      "What each version gains over the source as it is, on each GPU. Lines are 90 % intervals.",
      "gain, %", versions, cases.map((c) => c.target),
      cases.map((c) => versions.map((version) => find(c, version) || null)));
  }

  function check(c) {
    if (c.best === c.base)
      return [];
    return paragraph(c.unchecked ? `${c.best} was not checked: ${c.unchecked}.`
      : `${c.best} was run whole in the trace engine, in size ${c.checked_size}, and gives the ` +
        "right results.");
  }

  // ---- the versions of a [tune] section ------------------------------------------------------

  function tuning(t) {
    const parameters = t.effects.slice(0, TUNED_PARAMETERS).map((effect) => effect.name);
    const first = t.first.slice(0, TUNED_VERSIONS).map((variant) => find(t, variant));
    return [
      paragraph(`The parameters of ${t.program} make ${t.space} versions in size ${t.size}. ` +
        `${t.examined} were examined, of which ${t.traced} were traced and ` +
        `${t.examined - t.traced} compile to the same code; ${t.failed} cannot be compiled or ` +
        "run."),
      charts.ranks(`Predicted times of ${t.choices.length} versions of ${t.program}, with 90 % ` +
        "intervals, from the fastest to the slowest.", t.choices),
      table(`The versions of ${t.program} to run first on ${t.target}.`,
        ["#Predicted", "90 % interval", ...parameters.map((name) => "#" + name)],
        first.map((v) => [...timeOf(v), ...parameters.map((name) => String(v.parameters[name]))])),
      table("What each parameter does: the share of the variance of log time that its values " +
        "alone explain; the geometric mean and the best of the times of versions that have the " +
        "value.", ["Parameter", "#Explains", "#Value", "#Mean", "#Best"],
      t.effects.flatMap((e) => e.values.map((v) => [e.name, format.percent(e.share),
        String(v.value), format.time(v.mean_s), format.time(v.best_s)])))];
  }

  // ---- the kernels and units -----------------------------------------------------------------

  // Kernels of the original source and of the candidate.
  function kernels(c) {
    const versions = [...new Set([c.base, c.candidate])].map((variant) => find(c, variant));
    const row = (v, k) => [k.kernel, v.variant, timeOf(k),
      v.predicted_s > 0 ? format.percent(k.predicted_s / v.predicted_s) : "", k.bound || "",
      timeIfKnown(k.measured_s)];
    return table(`Predicted time of each kernel of ${c.program} on ${c.target}, of all its ` +
      "launches, with 90 % intervals.",
    ["Kernel", "Version", "#Time", "#Of the version", "Bound by", "#Measured"],
    versions.flatMap((v) => v.kernels.map((k) => row(v, k))));
  }

  function units(c) {
    const added = (v, unit) => (v.terms.find((t) => t.unit === unit) || { added_s: null }).added_s;
    const matters = (v, unit) =>
      known(added(v, unit)) && added(v, unit) >= LEAST_SHARE * v.predicted_s;
    const shown = Object.keys(UNITS).filter((unit) => c.choices.some((v) => matters(v, unit)));
    if (shown.length === 0)
      return paragraph("Nothing is known of what each unit of the GPU adds: the model that " +
        "predicted does not know the GPU's units.");
    const drawn = c.choices.slice(0, MOST_BARS);
    return [
      charts.stack(`What each unit of ${c.target} adds to the predicted time of ${c.program}. ` +
        "Units that add less than a thousandth are left out.", drawn.map((v) => v.variant),
      shown.map((unit) => (
        { name: unit, colour: UNITS[unit], values: drawn.map((v) => added(v, unit)) }))),
      fold("The same as a table",
        table(`What each unit of ${c.target} adds to the predicted time.`,
          ["Version", ...shown.map((unit) => "#" + unit)],
          c.choices.map((v) => [v.variant, ...shown.map((unit) => timeIfKnown(added(v, unit)))])))];
  }

  // ---- counters and accesses -----------------------------------------------------------------

  const kernelOf = (trace, name) => trace && trace.kernels.find((k) => k.kernel === name);

  // other: the kernel of the same name in the candidate, or undefined.
  function counters(c, trace, kernel, other) {
    const rows = Object.entries(kernel.counters).flatMap(([name, { value, unit }]) => {
      const after = other && other.counters[name] ? other.counters[name].value : null;
      if (!value && !after)
        return [];
      const ratio = value > 0 ? format.gain(after === null ? NaN : after / value) : "";
      const more = other ? [format.number(after), ratio] : [];
      return [[name, unit, format.number(value), ...more]];
    });
    return table(`Kernel ${kernel.kernel}: ${kernel.launches} launches, ` +
      `${format.general(100 * kernel.sampled, 3)} % of the ${trace.groups} traced.`,
    ["Counter", "Unit", "#" + c.base, ...(other ? ["#" + c.candidate, "#Ratio"] : [])], rows);
  }

  function traces(c) {
    const [before, after] = c.traces;
    if (!before)
      return [];
    const added = (after ? after.kernels : []).filter(({ kernel }) => !kernelOf(before, kernel));
    return fold("Counters of each kernel",
      before.kernels.map((kernel) => counters(c, before, kernel, kernelOf(after, kernel.kernel))),
      added.map(({ kernel }) => paragraph(`Kernel ${kernel} is in ${after.variant} alone.`)));
  }

  function access(kernel, a) {
    const member = [a.structure, a.field].filter(Boolean).join(".");
    const digits = (value) => (known(value) ? format.general(value, 3) : "");
    return [kernel, a.line ? `${a.line}:${a.column}` : "", `${a.space} ${a.kind}`,
      a.buffer + (member ? " " + member : ""), String(a.bytes), a.loop ? String(a.loop) : "",
      format.number(a.executions),
      digits(a.executions > 0 ? a.transactions / a.executions : NaN), digits(a.coalesced_threads),
      a.class];
  }

  const accesses = (c, trace) => fold(`Memory accesses of ${trace.variant}`,
    table(`Memory instructions of ${c.program}, ${trace.variant}: executions by warps; ` +
      `transactions by the rules of ${c.target}; ${trace.items} of a warp that are coalesced; ` +
      "class by Nakai and Ohno (2017).",
    ["Kernel", "Line", "Access", "Of", "#Bytes", "#Loop", "#Executions", "#Transactions each",
      "#Coalesced", "Class"],
    trace.kernels.flatMap((k) => k.accesses.map((a) => access(k.kernel, a)))));

  // ---- the section ---------------------------------------------------------------------------

  function onTarget(report, c) {
    const { gpu } = report.targets.find((target) => target.target === c.target);
    return [heading(3, `${gpu} (${c.target})`), check(c), c.tuning ? tuning(c.tuning) : [],
      kernels(c), units(c), traces(c),
      c.traces.filter((trace) => trace !== null).map((trace) => accesses(c, trace))];
  }

  // cases: the JSON of the program on each target that has it.
  const section = (report, name, number, cases) => [
    heading(2, name, "program" + number),
    cases.map((c) => ranking(c, report.cost_options !== null)),
    gains(cases),
    cases.map((c) => onTarget(report, c))];

  return { section, find, gainOf, timeOf };
})();
