// The roofline of a GPU: peaks, and a point for each kernel of each version.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const roofline = (() => {
  const { make, paragraph, heading, fold, table } = elements;
  const LEVELS = ["dram", "l2", "l1", "shared"], SERIES = 8, MOST_LINES = 16;
  const known = format.isFinite;

  // Operations per byte at the level whose roof over the point is the lowest. NaN: no level has
  // bytes.
  function intensityOf(roofs, point) {
    let lowest = Infinity, found = NaN;
    for (const level of LEVELS) {
      const { intensity } = point.levels[level], roof = roofs.bytes_per_s[level] * intensity;
      if (known(intensity) && known(roofs.bytes_per_s[level]) && roof < lowest) {
        lowest = roof;
        found = intensity;
      }
    }
    return found;
  }

  // All points of a target: [{program, variant, kernel, point}]
  const pointsOf = (target) => target.programs.flatMap((p) => p.choices.flatMap((v) =>
    v.kernels.map((k) => ({ program: p.program, variant: v.variant, kernel: k.kernel, point: k.roofline }))));

  // Limits of the axes: they include the points, the roof of FP32, and where it meets that of DRAM.
  function frameOf(roofs, marks) {
    const dram = roofs.bytes_per_s.dram, has = (what) => marks.some((m) => m.point.operations.includes(what));
    const fp64 = has("fp64"), integer = marks.some((m) => m.point.operations === "int");
    const peak = Math.max(roofs.fp32_per_s, fp64 ? roofs.fp64_per_s : 0, integer ? roofs.int_per_s : 0);
    const xs = marks.flatMap((m) => LEVELS.map((level) => m.point.levels[level].intensity))
      .concat(0.25, 4, roofs.fp32_per_s / dram).filter((x) => known(x) && x > 0);
    const x = [Math.min(...xs) / 2, Math.max(...xs) * 6];
    const ys = marks.map((m) => m.point.flops_per_s).concat(peak, dram * x[0] * 2);
    return { x, y: [Math.min(...ys) / 2, Math.max(...ys) * 2.5], peak, fp64, integer };
  }

  const line = (from, to, along, dashed) => ({ type: "line", data: [from, to], along, pointRadius: 0,
    pointHitRadius: 0, borderWidth: dashed ? 1 : 1.5, borderDash: dashed ? [5, 4] : [],
    borderColor: figures.css("--ink"), order: 2 });

  // A roof of memory, up to where it meets the highest roof of operations.
  function slope(f, name, rate, dashed) {
    const from = Math.max(f.x[0], f.y[0] / rate), to = f.peak / rate;
    return known(rate) && rate > 0 && to > from
      ? [line({ x: from, y: rate * from }, { x: to, y: f.peak }, dashed ? "" : `${name} ${format.rate(rate)}B/s`, dashed)] : [];
  }
  // A roof of operations, from where the fastest memory reaches it.
  function ceiling(f, roofs, name, rate) {
    const fastest = Math.max(...LEVELS.map((level) => roofs.bytes_per_s[level] || 0));
    return known(rate) && rate > 0 && fastest > 0
      ? [line({ x: Math.max(f.x[0], rate / fastest), y: rate }, { x: f.x[1], y: rate }, `${name} ${format.rate(rate)}/s`)] : [];
  }

  function linesOf(f, roofs) {
    const bytes = roofs.bytes_per_s;
    return [slope(f, "DRAM", bytes.dram), slope(f, "", roofs.dram_in_practice, true), slope(f, "L2", bytes.l2),
      slope(f, "L1, shared", bytes.l1), ceiling(f, roofs, "FP32", roofs.fp32_per_s),
      f.fp64 && roofs.fp64_per_s !== roofs.fp32_per_s ? ceiling(f, roofs, "FP64", roofs.fp64_per_s) : [],
      f.integer && roofs.int_per_s !== roofs.fp32_per_s ? ceiling(f, roofs, "integer", roofs.int_per_s) : []].flat();
  }

  // A thin line from the lowest to the highest intensity of a point's levels.
  function levelsOf(mark) {
    const all = LEVELS.map((level) => mark.point.levels[level].intensity).filter((x) => known(x) && x > 0);
    return { ...line({ x: Math.min(...all), y: mark.point.flops_per_s }, { x: Math.max(...all), y: mark.point.flops_per_s }, ""),
      borderWidth: 1, borderColor: "#888888" };
  }

  function dataset(marks, series, s, roofs) {
    const mine = marks.filter((m) => m.series === s), colour = figures.colour(s);
    return { label: series[s], marks: mine, borderColor: colour, pointRadius: 4, borderWidth: 1.6, order: 1,
      pointBackgroundColor: mine.map((m) => (m.point.measured ? colour : "transparent")),
      data: mine.map((m) => ({ x: intensityOf(roofs, m.point), y: m.point.flops_per_s })) };
  }

  function figure(target, programs) {
    const roofs = target.programs[0].roofs, byProgram = programs > 1, series = [];
    const marks = pointsOf(target).filter((m) => intensityOf(roofs, m.point) > 0 && m.point.flops_per_s > 0);
    for (const m of marks) {
      const name = byProgram ? m.program : m.variant;
      if (!series.includes(name) && series.length < SERIES)
        series.push(series.length < SERIES - 1 ? name : "others");
      m.series = series.includes(name) ? series.indexOf(name) : SERIES - 1;
    }
    const f = frameOf(roofs, marks);
    const text = `Roofline of ${target.target}: a point for each kernel of each version, filled where its time ` +
      "was measured, hollow where it is predicted. It stands at its operations a byte of the memory whose roof " +
      "above it is the lowest; a thin line goes to its operations a byte of the other levels. Dashed: what a large " +
      "copy reaches of DRAM. The table below has the same numbers.";
    const log = (title, [min, max], write) => figures.axis(title, { type: "logarithmic", min, max,
      ticks: { maxRotation: 0, callback: figures.decades(write) } });
    return figures.figure(text, 420, series, figures.numbers(series.length), () => figures.chart("scatter",
      [...series.map((_, s) => dataset(marks, series, s, roofs)), ...linesOf(f, roofs),
        ...(marks.length <= MOST_LINES ? marks.map(levelsOf) : [])], null,
      { x: log("operations a byte", f.x, (v) => format.general(v, 3)), y: log("operations a second", f.y, format.rate) },
      (item) => { const m = item.dataset.marks[item.dataIndex];
        return `${m.program} ${m.variant} ${m.kernel}: ${format.rate(m.point.flops_per_s)}/s, bound ${m.point.bound}`; }));
  }

  // ---- the table -----------------------------------------------------------------------------------

  function row({ program, variant, kernel, point }) {
    const intensity = (level) => { const { bytes, intensity: value } = point.levels[level];
      return known(value) ? format.general(value, 3) : bytes === 0 ? "no bytes" : ""; };
    return [program, variant, kernel, point.operations || "unknown", ...LEVELS.map(intensity),
      format.rate(point.flops_per_s), point.bound || "unknown", known(point.roof_per_s) ? format.rate(point.roof_per_s) : "",
      known(point.share) ? format.percent(point.share) : "", point.measured ? "measured" : "predicted"];
  }

  function targetOf(target, programs) {
    const { roofs } = target.programs[0], bytes = roofs.bytes_per_s;
    const head = heading(3, `${target.gpu} (${target.target})`);
    if (!known(roofs.fp32_per_s) || !known(bytes.dram))
      return [head, paragraph("Its peaks are not known: devices.csv has no whole row of it.")];
    return [head, paragraph(`Peaks a second: FP32 ${format.rate(roofs.fp32_per_s)}, FP64 ${format.rate(roofs.fp64_per_s)}, ` +
      `integers ${format.rate(roofs.int_per_s)}; bytes of DRAM ${format.rate(bytes.dram)}, of which a large copy reaches ` +
      `${format.rate(roofs.dram_in_practice)}, of L2 ${format.rate(bytes.l2)}, of L1 and shared memory ${format.rate(bytes.l1)}.`),
    figure(target, programs),
    fold("The points as a table", table(`Operations of each kernel on ${target.target}, by bytes and by time, and the lowest roof above it.`,
      ["Program", "Version", "Kernel", "Operations", "#A DRAM byte", "#An L2 byte", "#An L1 byte", "#A shared byte",
        "#A second", "Lowest roof", "#It allows a second", "#Reached", "Time"], pointsOf(target).map(row)))];
  }

  const section = (report, programs) => [
    heading(2, "Roofline", "roofline"),
    paragraph("The most operations a second that a GPU's peaks allow for what a kernel does: its peak of arithmetic, or for " +
      "each level of memory its bandwidth times the operations for a byte of it (Williams, Waterman and Patterson 2009; Yang, " +
      "Kurth and Williams 2020). A sum or a product is an operation, a fused multiply-add two; of kernels without floating " +
      "point, integer instructions count. Operations and bytes are traced; peaks are those of devices.csv."),
    report.targets.filter((t) => t.programs.length).map((t) => targetOf(t, programs.length))];

  return { section };
})();
