// Sections on what the report rests on: validation, the measured GPUs, and the origin of all data.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const evidence = (() => {
  const { paragraph, heading, fold, table } = elements;
  const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);
  const percent = (fraction) => format.fixed(100 * fraction, 1) + " %";

  // ---- predicted against measured ------------------------------------------------------------

  // Errors of each program over its samples with both times.
  function errorsOf(samples) {
    const programs = new Map(samples.map((s) => [s.program, []]));
    for (const s of samples) {
      const ratio = s.predicted_s / s.measured_s;
      if (ratio > 0 && Number.isFinite(ratio))
        programs.get(s.program).push(ratio);
    }
    const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
    return [...programs].filter(([, ratios]) => ratios.length).map(([name, ratios]) => ({
      program: name, n: ratios.length, ratio: Math.exp(mean(ratios.map(Math.log))),
      lo: Math.min(...ratios), hi: Math.max(...ratios),
      mean: mean(ratios.map((ratio) => Math.abs(ratio - 1))),
    }));
  }

  function validationOf(target) {
    const v = target.validation, fixed = (value) => format.fixed(value, 2);
    if (v.missing !== undefined)
      return paragraph(`${target.gpu}: not validated: ${v.missing || ""}.`);
    const programs = errorsOf(v.samples);
    return [
      paragraph(`${target.gpu}: mean error ${percent(v.mape)}, median ${percent(v.median_ape)}, ` +
        `over ${v.n} kernel runs; the 90 % intervals cover ${percent(v.coverage90)} of the ` +
        `measured times. Dataset ${baseName(v.dataset)}` +
        `${v.from ? " with counters of " + baseName(v.from) : ""}, method ${v.method}, code ` +
        `counters alone; each ${v.leave_out} was predicted by a model that has not seen it.`),
      programs.length === 0 ? [] : charts.errors(`Predicted over measured time on ` +
        `${target.target}: bars are the geometric mean of a program's samples, lines go from the ` +
        "smallest to the largest.", programs),
      fold(`The same as a table, on ${target.target}`,
        table(`Predicted over measured time on ${target.target}, each program left out.`,
          ["Program", "#Samples", "#Predicted / measured", "#Smallest to largest", "#Mean error"],
          programs.map((p) => [p.program, String(p.n), fixed(p.ratio),
            `${fixed(p.lo)} to ${fixed(p.hi)}`, percent(p.mean)])))];
  }

  const validation = (report) =>
    [heading(2, "Predicted against measured", "validation"), report.targets.map(validationOf)];

  // ---- how sure, and why ---------------------------------------------------------------------

  // Columns of devices.csv that say most of how fast programs are.
  const COMPARED = { architecture: "architecture", year: "introduced",
    compute_units: "compute units", clock_mhz: "clock, MHz",
    fma_per_cycle: "fused multiply-adds, warp instructions a cycle", l2_bytes: "L2 cache, bytes",
    dram_gb_s: "DRAM, GB/s" };

  const property = (gpu, column) => gpu.profile[column] || "";
  const numberOf = (gpu, column) =>
    (property(gpu, column).trim() === "" ? NaN : Number(property(gpu, column)));
  const peak = (gpu) => numberOf(gpu, "compute_units") * numberOf(gpu, "clock_mhz") *
    numberOf(gpu, "fma_per_cycle");

  const factor = (what, here, there) =>
    `${Number.isFinite(here / there) && here > 0 ? format.gain(here / there) : "unknown"} ${what}`;

  const LEFT_OUT = { class: ", without those of any program of the class that it predicts",
    program: ", without those of the program that it predicts",
    none: "; those of the program itself are among them, if it was measured" };

  // What the predictions on a target were learned from.
  function basis(report, target) {
    const head = `${target.gpu} (${target.target}): `;
    const measured = target.datasets.some((d) => d.name === target.target);
    if (measured && !target.programs.some((p) => p.basis === "profile"))
      return paragraph(head + "predicted by a model that has learned from times measured on this " +
        `GPU${LEFT_OUT[report.leave_out_unit || "none"]}.`);
    const beside = report.measured_gpus.map((gpu) => `eside ${gpu.gpu} (${gpu.target}): it has ` +
      factor("its arithmetic", peak(target), peak(gpu)) + " and " +
      factor("its memory bandwidth", numberOf(target, "dram_gb_s"), numberOf(gpu, "dram_gb_s")));
    return paragraph(head + "nobody measured times on this GPU; a model that has learned from " +
      "other GPUs was carried over by its row of devices.csv. " +
      (beside.length ? "B" + beside.join("; b") : "") + ".");
  }

  function value(gpu, column) {
    const text = property(gpu, column), number = numberOf(gpu, column);
    if (!text)
      return "unknown";
    return column === "year" || Number.isNaN(number) ? text : format.number(number);
  }

  // The targets, then the other GPUs that models are fitted to.
  const gpusOf = (report) => [...report.targets, ...report.measured_gpus.filter((gpu) =>
    !report.targets.some((target) => target.target === gpu.target))];

  const trust = (report) => [
    heading(2, "How sure, and why", "trust"),
    paragraph("Counters come from running each version on the CPU, warp by warp, and counting as " +
      "the target would; no version has been run on a GPU for this report. A 90 % interval is " +
      "meant to hold the truth nine times in ten; how often it did on programs left out is above."),
    report.targets.map((target) => basis(report, target)),
    table("The targets beside the GPUs that were measured.",
      ["Property", ...gpusOf(report).map((gpu) => "#" + gpu.target)],
      Object.entries(COMPARED).map(([column, what]) =>
        [what, ...gpusOf(report).map((gpu) => value(gpu, column))]))];

  // ---- where this comes from -----------------------------------------------------------------

  const runsOf = (dataset) => (dataset.provenance && dataset.provenance.runs) || [];
  const textOf = (run, key) => (run && typeof run[key] === "string" ? run[key] : "");

  // The distinct texts that the runs of collect recorded under a key.
  function texts(dataset, key) {
    let all = "";
    for (const text of runsOf(dataset).map((run) => textOf(run, key)))
      if (text && !all.includes(text))
        all += (all ? ", " : "") + text;
    return all;
  }

  function dataset(d) {
    const runs = runsOf(d), day = (run) => textOf(run, "date").slice(0, 10);
    const first = day(runs[0]), last = day(runs[runs.length - 1]);
    return [d.name, d.path, String(d.rows), first === last ? first : `${first} to ${last}`,
      ...["tool", "counter_source", "driver", "host_os"].map((key) => texts(d, key))];
  }

  const runs = (d) => runsOf(d).map((run) => [d.name, textOf(run, "date"), textOf(run, "command")]);

  function sources(target) {
    const properties = Object.entries(target.profile);
    if (properties.length === 0)
      return paragraph(`${target.target} has no row in devices.csv.`);
    return fold(`devices.csv on ${target.target}, and its sources`,
      table(`devices.csv on ${target.target}: ${target.gpu}.`, ["Property", "#Value"],
        properties.filter(([name]) => name !== "sources" && name !== "name")
          .map(([name, text]) => [name, text || "unknown"])),
      paragraph(property(target, "sources")));
  }

  function provenance(report) {
    const datasets = gpusOf(report).flatMap((gpu) => gpu.datasets);
    const command = report.command || "none (made through the library)";
    return [
      heading(2, "Where this comes from", "provenance"),
      paragraph(`${report.tool}, ${report.date}. Command: ${command}`),
      table("Datasets: of the targets, and of the other GPUs with times that are there to learn " +
        "from.", ["Dataset", "File", "#Rows", "Collected", "Tool", "Counters", "Driver", "System"],
      datasets.map(dataset)),
      fold("The commands that made them",
        table("Runs of collect, from the JSON files beside the datasets.",
          ["Dataset", "Date", "Command"], datasets.flatMap(runs))),
      report.targets.map(sources),
      fold("Rates that hours are estimated by",
        table("Rates of work.", ["Rate", "#Value", "What", "Source"],
          report.effort_rates.map((r) => [r.name, format.general(r.value, 4), r.what, r.source]))),
      report.assumed.length === 0 ? [] : paragraph("Assumed of sources that have no workload " +
        `file: ${report.assumed.join("; ")}.`),
      report.left_out.length === 0 ? [] : table("Left out.", ["Program", "GPU", "Why"],
        report.left_out.map((o) => [o.program, o.target || "all", o.reason]))];
  }

  return { validation, trust, provenance };
})();
