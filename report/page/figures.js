// Figures of the page, drawn by Chart.js on canvases. Each has a text that says what it shows, and
// a table beside it has the same numbers. Without Chart.js only the texts are shown.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const figures = (() => {
  const { make } = elements;
  const SERIES_COLOURS = 8, PALE = "73", NARROW = 480, ROW = 14, GAP = 14, AXIS = 62;
  const drawings = []; // {box, canvas, config(), chart}

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // Colour i of a series. From SERIES_COLOURS on, the colours are pale.
  const colour = (i) => css("--s" + (i % SERIES_COLOURS)) + (i < SERIES_COLOURS ? "" : PALE);

  // ---- plugins of Chart.js -----------------------------------------------------------------------

  // Draws dataset.whiskers, a [lo, hi] or null for each bar or point, along the axis of values.
  const whiskers = {
    id: "whiskers",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area } = chart, lying = chart.options.indexAxis === "y";
      const axis = chart.scales[lying ? "x" : "y"];
      ctx.save();
      ctx.beginPath();
      ctx.rect(area.left, area.top, area.width, area.height);
      ctx.clip();
      ctx.beginPath();
      chart.data.datasets.forEach((dataset, d) => (dataset.whiskers || []).forEach((ends, i) => {
        const at = ends && chart.getDatasetMeta(d).data[i];
        if (!at)
          return;
        const [from, to] = ends.map((value) => axis.getPixelForValue(value));
        ctx.moveTo(lying ? from : at.x, lying ? at.y : from);
        ctx.lineTo(lying ? to : at.x, lying ? at.y : to);
      }));
      ctx.lineWidth = 1.2;
      ctx.strokeStyle = chart.options.whiskerColour;
      ctx.stroke();
      ctx.restore();
    },
  };

  // Writes dataset.label along each line of a roofline that has one.
  const lineLabels = {
    id: "lineLabels",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area } = chart;
      ctx.save();
      ctx.fillStyle = css("--ink");
      ctx.font = `11px ${chart.options.font.family}`;
      for (const [d, dataset] of chart.data.datasets.entries()) {
        const [from, to] = chart.getDatasetMeta(d).data;
        if (!dataset.along || !from || !to)
          continue;
        const flat = from.y === to.y;
        ctx.save();
        ctx.translate(flat ? area.right - 4 : from.x, flat ? to.y : from.y);
        ctx.rotate(flat ? 0 : Math.atan2(to.y - from.y, to.x - from.x));
        ctx.translate(flat ? 0 : 12, -5);
        ctx.textAlign = flat ? "right" : "left";
        ctx.fillText(dataset.along, 0, 0);
        ctx.restore();
      }
      ctx.restore();
    },
  };

  // ---- options of all charts -----------------------------------------------------------------------

  const axis = (title, more) => ({
    title: { display: Boolean(title), text: title, color: css("--ink") },
    grid: { color: css("--grid"), borderColor: css("--ink") },
    ...more,
    ticks: { color: css("--ink"), ...(more && more.ticks) },
  });
  // An axis without lines, for names. Long names are cut in their middle on narrow screens.
  const names = (list) => axis("", {
    grid: { display: false, borderColor: css("--ink") },
    ticks: { autoSkip: false, callback: (value) => shorten(list[value], innerWidth < NARROW ? 16 : 36) },
  });
  function shorten(name, most) {
    const text = elements.clean(name), half = Math.floor((most - 1) / 2);
    return text.length <= most ? text : text.slice(0, half) + "\u2026" + text.slice(-half);
  }
  // Marks powers of 10 alone, with SI prefixes.
  const decades = (write) => (value) =>
    Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9 ? write(value) : "";

  // tips: text of the tooltip of an item.
  function chart(type, datasets, labels, scales, tips, more) {
    const font = { family: getComputedStyle(document.body).fontFamily, size: 12 };
    return { type, data: { labels, datasets }, plugins: [whiskers, lineLabels],
      options: { animation: false, responsive: true, maintainAspectRatio: false, font, scales,
        whiskerColour: css("--ink"), layout: { padding: { right: 8, top: 4 } },
        plugins: { legend: { display: false },
          tooltip: { filter: (item) => item.dataset.type !== "line", callbacks: { title: (items) => (labels ? elements.clean(labels[items[0].dataIndex]) : ""),
            label: (item) => elements.clean(tips(item)) } } }, ...more } };
  }

  // ---- drawing -------------------------------------------------------------------------------------

  function draw(drawing) {
    if (drawing.chart)
      drawing.chart.destroy();
    drawing.chart = new Chart(drawing.canvas, drawing.config());
  }
  const redraw = () => drawings.filter((d) => d.chart).forEach(draw);

  // Charts are drawn when they come near the window, because a report may have hundreds. For paper
  // all are drawn, in its colours.
  function start() {
    if (typeof Chart === "undefined")
      return;
    const watch = new IntersectionObserver((entries) => entries.filter((e) => e.isIntersecting)
      .forEach((entry) => {
        watch.unobserve(entry.target);
        draw(drawings.find((d) => d.box === entry.target));
      }), { rootMargin: "1500px" });
    drawings.forEach((d) => watch.observe(d.box));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    addEventListener("beforeprint", () => {
      document.documentElement.classList.add("paper");
      drawings.forEach(draw);
    });
    addEventListener("afterprint", () => {
      document.documentElement.classList.remove("paper");
      redraw();
    });
  }

  // series: names of the colours; fewer than two have no legend. config: makes the chart from the
  // colours of the moment.
  function figure(text, height, series, colours, config) {
    if (typeof Chart === "undefined")
      return make("figure", null, make("figcaption", null, text,
        " Not drawn: Chart.js was not installed where this report was written."));
    const canvas = make("canvas", { role: "img", "aria-label": text });
    const box = make("div", { class: "chart", style: `height: ${height}px` }, canvas);
    drawings.push({ box, canvas, config, chart: null });
    return make("figure", null,
      series.length < 2 ? null : make("ul", { class: "legend" }, series.map((name, i) =>
        make("li", { class: `s${colours[i] % SERIES_COLOURS}` +
          (colours[i] < SERIES_COLOURS ? "" : " faint") }, name))),
      box, make("figcaption", null, text));
  }

  // ---- the figures ---------------------------------------------------------------------------------

  const numbers = (count) => [...Array(count).keys()];

  // Gains in percent, lying, with intervals. values[s][g]: {gain, lo, hi} of series s in group g, or
  // null.
  function gains(text, groups, series, values, title) {
    const percent = (gain) => (format.isFinite(gain) ? 100 * (gain - 1) : null);
    return figure(text, AXIS + groups.length * (GAP + series.length * ROW), series, numbers(series.length),
      () => chart("bar", series.map((label, s) => ({ label, backgroundColor: colour(s),
        data: values[s].map((v) => v && percent(v.gain)), barPercentage: 0.9, categoryPercentage: 0.8,
        whiskers: values[s].map((v) => v && format.isFinite(v.lo) && format.isFinite(v.hi) &&
          [percent(v.lo), percent(v.hi)]) })), groups,
      { x: axis(title, { suggestedMin: Math.min(0, ...values.flat().map((v) => (v && percent(v.lo)) || 0)),
        suggestedMax: Math.max(0, ...values.flat().map((v) => (v && percent(v.hi)) || 0)) }), y: names(groups) },
      (item) => { const v = values[item.datasetIndex][item.dataIndex];
        return `${series[item.datasetIndex]}: ${format.gain(v.gain)} (${format.gain(v.lo)} to ${format.gain(v.hi)})`; },
      { indexAxis: "y" }));
  }

  // Time of each version, lying, in parts. parts: [{name, colour, values}] in seconds.
  function stack(text, groups, parts) {
    const totals = groups.map((_, g) => parts.reduce((sum, part) => sum + (part.values[g] || 0), 0));
    const most = Math.max(...totals), scale = most < 1e-3 ? 1e6 : most < 1 ? 1e3 : 1;
    const unit = { 1e6: "microseconds", 1e3: "milliseconds", 1: "seconds" }[scale];
    return figure(text, AXIS + groups.length * (GAP + ROW), parts.map((p) => p.name), parts.map((p) => p.colour),
      () => chart("bar", parts.map((part) => ({ label: part.name, backgroundColor: colour(part.colour),
        data: part.values.map((value) => value && value * scale), barPercentage: 0.9, categoryPercentage: 0.8 })),
      groups, { x: axis("predicted time, " + unit, { stacked: true }), y: { ...names(groups), stacked: true } },
      (item) => `${item.dataset.label}: ${format.time(item.raw / scale)}`, { indexAxis: "y" }));
  }

  // Predicted over measured time. programs: [{program, ratio, lo, hi}]
  function errors(text, programs) {
    const lo = Math.min(0.8, ...programs.map((p) => p.lo / 1.05)), hi = Math.max(1.25, ...programs.map((p) => p.hi * 1.05));
    const wide = Math.max(hi, 1 / lo) > 10;
    const ticks = wide ? numbers(81).map((i) => 2 ** ((i - 40) * (1 + Math.floor(Math.log2(hi / lo) / 12))))
                       : [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10];
    return figure(text, 340, [], [], () => chart("bar", [{ data: programs.map((p) => [Math.min(p.ratio, 1), Math.max(p.ratio, 1)]),
      backgroundColor: colour(4), whiskers: programs.map((p) => [p.lo, p.hi]), barPercentage: 0.9, categoryPercentage: 0.8 }],
    programs.map((p) => p.program),
    { x: axis("", { grid: { display: false, borderColor: css("--ink") }, ticks: { maxRotation: 60,
      callback: (value) => shorten(programs[value].program, 24) } }),
    y: axis("predicted / measured time", { type: "logarithmic", min: lo, max: hi,
      afterBuildTicks: (scale) => { scale.ticks = ticks.filter((t) => t >= lo && t <= hi).map((value) => ({ value })); },
      ticks: { callback: (value) => format.general(value, 4) } }) },
    (item) => { const p = programs[item.dataIndex];
      return `${format.fixed(p.ratio, 2)} (${format.fixed(p.lo, 2)} to ${format.fixed(p.hi, 2)})`; }));
  }

  // Predicted times over the rank of each version of a [tune] section. Of many versions, every n-th
  // is drawn.
  function ranks(text, choices) {
    const step = 1 + Math.floor(choices.length / 4000);
    const points = choices.map((c, i) => ({ ...c, rank: i + 1 })).filter((_, i) => i % step === 0);
    const set = (examined) => points.filter((p) => p.examined === examined);
    const series = ["traced, or of the same code", "guessed by a surrogate"];
    return figure(text, 340, set(false).length ? series : [], [0, 1], () => chart("scatter",
      [true, false].map((examined, s) => ({ data: set(examined).map((p) => ({ x: p.rank, y: p.predicted_s })),
        whiskers: points.length > 400 ? [] : set(examined).map((p) => [p.lo_s, p.hi_s]),
        backgroundColor: colour(s), borderColor: colour(s), pointRadius: examined ? 3 : 2 })), null,
      { x: axis("rank of the version", { min: 0, max: choices.length + 1 }),
        y: axis("predicted time", { type: "logarithmic", min: Math.min(...points.map((p) => p.lo_s)) / 1.1,
          max: Math.max(...points.map((p) => p.hi_s)) * 1.1, ticks: { callback: (value, i, all) =>
            (all.length < 12 || /^[125]/.test(value.toExponential()) ? format.time(value) : "") } }) },
      (item) => { const p = set(item.datasetIndex === 0)[item.dataIndex];
        return `${Object.entries(p.parameters).map(([name, value]) => `${name} ${value}`).join(", ")}: ` +
          `${format.time(p.predicted_s)} (${format.time(p.lo_s)} to ${format.time(p.hi_s)})`; }));
  }

  // Net money over the months of a year. lines: [{name, cost, saving}]. Returns the figure, and a
  // function that draws other lines in it.
  function curves(text, title, names_, lines) {
    let shown = lines;
    const months = numbers(money.MONTHS + 1);
    const element = figure(text, 300, names_, numbers(names_.length), () => chart("line",
      shown.map((line, i) => ({ label: names_[i], borderColor: colour(i), backgroundColor: colour(i),
        data: months.map((month) => line.saving * month - line.cost), pointRadius: 0, pointHitRadius: 8, borderWidth: 2.5 })),
      months, { x: axis("months from now"), y: axis(title, { suggestedMin: 0, suggestedMax: 0 }) },
      (item) => `${item.dataset.label}: ${format.money(item.raw)}`));
    const drawing = drawings[drawings.length - 1];
    return { element, update(other) {
      shown = other;
      if (drawing && drawing.chart)
        draw(drawing);
    } };
  }

  return { gains, stack, errors, ranks, curves, figure, chart, axis, colour, css, decades, numbers, start };
})();
