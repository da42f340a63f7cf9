// The roofline of a GPU: peaks, and a point for each kernel of each version.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const roofline = (() => {
  const { paragraph, heading, fold, table } = elements;
  const LEVELS = ["dram", "l2", "l1", "shared"], SERIES = 8, MOST_LINES = 16;
  const known = format.isFinite, rate = format.rate;

  // ---- points --------------------------------------------------------------------------------

  const intensitiesOf = (point) => LEVELS.map((level) => point.levels[level].intensity)
    .filter((value) => known(value) && value > 0);

  // Operations per byte at the level whose roof over the point is the lowest. NaN: no level has
  // bytes.
  function intensityOf(roofs, point) {
    let lowest = Infinity, found = NaN;
    for (const level of LEVELS) {
      const { intensity } = point.levels[level], bandwidth = roofs.bytes_per_s[level];
      if (known(intensity) && known(bandwidth) && bandwidth * intensity < lowest) {
        lowest = bandwidth * intensity;
        found = intensity;
      }
    }
    return found;
  }

  // All points of a target.
  const pointsOf = (target) => target.programs.flatMap((p) => p.choices.flatMap((v) =>
    v.kernels.map((k) => (
      { program: p.program, variant: v.variant, kernel: k.kernel, point: k.roofline }))));

  // Gives each mark the number of its series, which is its program, or its version if the report
  // has one program. All further names share the last series. Returns the names of the series.
  function nameSeries(marks, byProgram) {
    const series = [];
    for (const mark of marks) {
      const name = byProgram ? mark.program : mark.variant;
      if (!series.includes(name) && series.length < SERIES)
        series.push(series.length < SERIES - 1 ? name : "others");
      mark.series = series.includes(name) ? series.indexOf(name) : SERIES - 1;
    }
    return series;
  }

  // ---- the figure ----------------------------------------------------------------------------

  // Limits of the axes: they include the points, the roof of FP32, and where it meets that of DRAM.
  // peak: the highest roof of operations that is drawn.
  function frameOf(roofs, marks) {
    const dram = roofs.bytes_per_s.dram;
    const fp64 = marks.some((m) => (m.point.operations || "").includes("fp64"));
    const integer = marks.some((m) => m.point.operations === "int");
    const peak = Math.max(roofs.fp32_per_s, fp64 ? roofs.fp64_per_s : 0,
      integer ? roofs.int_per_s : 0);
    const xs = [0.25, 4, roofs.fp32_per_s / dram, ...marks.flatMap((m) => intensitiesOf(m.point))];
    const x = [Math.min(...xs) / 2, Math.max(...xs) * 6];
    const ys = [peak, dram * x[0] * 2, ...marks.map((m) => m.point.flops_per_s)];
    return { x, y: [Math.min(...ys) / 2, Math.max(...ys) * 2.5], peak, fp64, integer };
  }

  const line = (from, to, more) => ({
    type: "line", data: [from, to], order: 2, pointRadius: 0, pointHitRadius: 0, borderWidth: 1.5,
    borderColor: figures.css("--ink"), ...more,
  });

  // A roof of memory, up to where it meets the highest roof of operations. Without a name it is
  // dashed.
  function slope(f, name, bandwidth) {
    const from = Math.max(f.x[0], f.y[0] / bandwidth), to = f.peak / bandwidth;
    const style = name ? { along: `${name} ${rate(bandwidth)}B/s` }
                       : { borderWidth: 1, borderDash: [5, 4] };
    return known(bandwidth) && bandwidth > 0 && to > from
      ? [line({ x: from, y: bandwidth * from }, { x: to, y: f.peak }, style)] : [];
  }

  // A roof of operations, from where the fastest memory reaches it.
  function ceiling(f, roofs, name, peak) {
    const fastest = Math.max(...LEVELS.map((level) => roofs.bytes_per_s[level] || 0));
    const from = Math.max(f.x[0], peak / fastest);
    return known(peak) && peak > 0 && fastest > 0
      ? [line({ x: from, y: peak }, { x: f.x[1], y: peak }, { along: `${name} ${rate(peak)}/s` })]
      : [];
  }

  const linesOf = (f, roofs) => [
    slope(f, "DRAM", roofs.bytes_per_s.dram),
    slope(f, "", roofs.dram_in_practice),
    slope(f, "L2", roofs.bytes_per_s.l2),
    slope(f, "L1, shared", roofs.bytes_per_s.l1),
    ceiling(f, roofs, "FP32", roofs.fp32_per_s),
    f.fp64 && roofs.fp64_per_s !== roofs.fp32_per_s
      ? ceiling(f, roofs, "FP64", roofs.fp64_per_s) : [],
    f.integer && roofs.int_per_s !== roofs.fp32_per_s
      ? ceiling(f, roofs, "integer", roofs.int_per_s) : [],
  ].flat();

  // A thin line from the lowest to the highest intensity of a point's levels.
  function levelsOf({ point }) {
    const all = intensitiesOf(point), y = point.flops_per_s;
    return line({ x: Math.min(...all), y }, { x: Math.max(...all), y },
      { borderWidth: 1, borderColor: "#888888" });
  }

  function dataset(roofs, marks, label, s) {
    const mine = marks.filter((m) => m.series === s), colour = figures.colour(s);
    return {
      label, marks: mine, order: 1, pointRadius: 4, borderWidth: 1.6, borderColor: colour,
      pointBackgroundColor: mine.map((m) => (m.point.measured ? colour : "transparent")),
      data: mine.map((m) => ({ x: intensityOf(roofs, m.point), y: m.point.flops_per_s })),
    };
  }

  function figure(target, byProgram) {
    const { roofs } = target.programs[0];
    const marks = pointsOf(target)
      .filter(({ point }) => intensityOf(roofs, point) > 0 && point.flops_per_s > 0);
    const series = nameSeries(marks, byProgram), f = frameOf(roofs, marks);
    const text = `Roofline of ${target.target}: a point for each kernel of each version, filled ` +
      "where its time was measured, hollow where it is predicted. It stands at its operations a " +
      "byte of the memory whose roof above it is the lowest; a thin line goes to its operations " +
      "a byte of the other levels. Dashed: what a large copy reaches of DRAM. The table below " +
      "has the same numbers.";
    const log = (title, [lo, hi], write) =>
      figures.logAxis(title, lo, hi, figures.decades(lo, hi, [1]), write);
    const scales = () => ({
      x: log("operations a byte", f.x, (value) => format.general(value, 3)),
      y: log("operations a second", f.y, rate),
    });
    const tip = ({ dataset: { marks: mine }, dataIndex: i }) => {
      const { program: name, variant, kernel, point } = mine[i];
      return `${name} ${variant} ${kernel}: ${rate(point.flops_per_s)}/s, bound ${point.bound}`;
    };
    const datasets = () => [
      ...series.map((name, s) => dataset(roofs, marks, name, s)),
      ...linesOf(f, roofs),
      ...(marks.length <= MOST_LINES ? marks.map(levelsOf) : []),
    ];
    return figures.figure(text, 420, series, figures.numbers(series.length),
      () => figures.chart("scatter", null, datasets(), scales(), tip));
  }

  // ---- the table -----------------------------------------------------------------------------

  const COLUMNS = ["Program", "Version", "Kernel", "Operations", "#A DRAM byte", "#An L2 byte",
    "#An L1 byte", "#A shared byte", "#A second", "Lowest roof", "#It allows a second", "#Reached",
    "Time"];

  function row({ program: name, variant, kernel, point }) {
    const intensity = (level) => {
      const { bytes, intensity: value } = point.levels[level];
      return known(value) ? format.general(value, 3) : bytes === 0 ? "no bytes" : "";
    };
    return [name, variant, kernel, point.operations || "unknown", ...LEVELS.map(intensity),
      rate(point.flops_per_s), point.bound || "unknown",
      known(point.roof_per_s) ? rate(point.roof_per_s) : "",
      known(point.share) ? format.percent(point.share) : "",
      point.measured ? "measured" : "predicted"];
  }

  // ---- the section ---------------------------------------------------------------------------

  function targetOf(target, byProgram) {
    const { roofs } = target.programs[0], bytes = roofs.bytes_per_s;
    const head = heading(3, `${target.gpu} (${target.target})`);
    if (!(roofs.fp32_per_s > 0) || !(bytes.dram > 0))
      return [head,
        paragraph("Its peaks are not known: devices.csv has no whole row of it.")];
    return [head,
      paragraph(`Peaks a second: FP32 ${rate(roofs.fp32_per_s)}, FP64 ${rate(roofs.fp64_per_s)}, ` +
        `integers ${rate(roofs.int_per_s)}; bytes of DRAM ${rate(bytes.dram)}, of which a large ` +
        `copy reaches ${rate(roofs.dram_in_practice)}, of L2 ${rate(bytes.l2)}, of L1 and shared ` +
        `memory ${rate(bytes.l1)}.`),
      figure(target, byProgram),
      fold("The points as a table",
        table(`Operations of each kernel on ${target.target}, by bytes and by time, and the ` +
          "lowest roof above it.", COLUMNS, pointsOf(target).map(row)))];
  }

  // byProgram: true if colours are programs, false if they are versions.
  const section = (report, byProgram) => [
    heading(2, "Roofline", "roofline"),
    paragraph("The most operations a second that a GPU's peaks allow for what a kernel does: its " +
      "peak of arithmetic, or for each level of memory its bandwidth times the operations for a " +
      "byte of it (Williams, Waterman and Patterson 2009; Yang, Kurth and Williams 2020). A sum " +
      "or a product is an operation, a fused multiply-add two; of kernels without floating " +
      "point, integer instructions count. Operations and bytes are traced; peaks are those of " +
      "devices.csv."),
    report.targets.filter((t) => t.programs.length).map((t) => targetOf(t, byProgram))];

  return { section };
})();
