// The kinds of figures except the roofline.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const charts = (() => {
  const { axis, logAxis, decades, chart, colour, figure, numbers, shorten } = figures;
  const NARROW = 480, ROW = 14, GAP = 14, AXIS = 62; // pixels
  const BARS = { barPercentage: 0.9, categoryPercentage: 0.8 };
  const known = format.isFinite;

  // Options of an axis of names, without lines.
  const names = (list, most, ticks) => axis("", {
    grid: { display: false },
    ticks: { callback: (value) => shorten(list[value], most), ...ticks },
  });
  const lyingNames = (list) => names(list, innerWidth < NARROW ? 16 : 36, { autoSkip: false });

  // ---- bars ----------------------------------------------------------------------------------

  // Gains in percent with intervals, as lying bars. values[s][g]: {gain, lo, hi} of series s in
  // group g, or null.
  function gains(text, title, groups, series, values) {
    const percent = (gain) => (known(gain) ? 100 * (gain - 1) : null);
    const all = values.flat().filter((v) => v !== null);
    const ends = (name) => all.map((v) => percent(v[name]) || 0);
    const dataset = (label, s) => ({
      ...BARS, label, backgroundColor: colour(s),
      data: values[s].map((v) => v && percent(v.gain)),
      whiskers: values[s].map((v) =>
        v && known(v.lo) && known(v.hi) && [percent(v.lo), percent(v.hi)]),
    });
    const tip = ({ datasetIndex: s, dataIndex: g }) =>
      `${series[s]}: ${format.gain(values[s][g].gain)} (${format.gainRange(values[s][g])})`;
    const scales = () => ({
      x: axis(title, { scale: {
        suggestedMin: Math.min(0, ...ends("lo")), suggestedMax: Math.max(0, ...ends("hi")),
      } }),
      y: lyingNames(groups),
    });
    return figure(text, AXIS + groups.length * (GAP + series.length * ROW), series,
      numbers(series.length),
      () => chart("bar", groups, series.map(dataset), scales(), tip, { indexAxis: "y" }));
  }

  // The time of each group in parts, as lying bars. parts: [{name, colour, values}] in seconds.
  function stack(text, groups, parts) {
    const total = (g) => parts.reduce((sum, part) => sum + (part.values[g] || 0), 0);
    const most = Math.max(...numbers(groups.length).map(total));
    const [scale, unit] = most < 1e-3 ? [1e6, "microseconds"] : most < 1 ? [1e3, "milliseconds"]
                                                                         : [1, "seconds"];
    const dataset = (part) => ({
      ...BARS, label: part.name, backgroundColor: colour(part.colour),
      data: part.values.map((value) => value && value * scale),
    });
    const scales = () => ({
      x: axis(`predicted time, ${unit}`, { scale: { stacked: true } }),
      y: { ...lyingNames(groups), stacked: true },
    });
    const tip = (item) => `${item.dataset.label}: ${format.time(item.raw / scale)}`;
    return figure(text, AXIS + groups.length * (GAP + ROW), parts.map((part) => part.name),
      parts.map((part) => part.colour),
      () => chart("bar", groups, parts.map(dataset), scales(), tip, { indexAxis: "y" }));
  }

  // Predicted over measured time, as bars from 1. programs: [{program, ratio, lo, hi}]
  function errors(text, programs) {
    const lo = Math.min(0.8, ...programs.map((p) => p.lo / 1.05));
    const hi = Math.max(1.25, ...programs.map((p) => p.hi * 1.05));
    const list = programs.map((p) => p.program);
    const ticks = hi / lo > 10 ? decades(lo, hi, [1, 2, 5])
                               : [...numbers(10).map((i) => (i + 1) / 10), 1.1, 1.25, 1.5, 2, 3, 5];
    const dataset = () => ({
      ...BARS, backgroundColor: colour(4),
      data: programs.map((p) => [Math.min(p.ratio, 1), Math.max(p.ratio, 1)]),
      whiskers: programs.map((p) => [p.lo, p.hi]),
    });
    const scales = () => ({
      x: names(list, 24, { maxRotation: 60 }),
      y: logAxis("predicted / measured time", lo, hi, ticks, (value) => format.general(value, 4)),
    });
    const tip = ({ dataIndex: i }) =>
      [programs[i].ratio, programs[i].lo, programs[i].hi].map((x) => format.fixed(x, 2)).join(", ");
    return figure(text, 340, [], [], () => chart("bar", list, [dataset()], scales(), tip));
  }

  // ---- points and lines ----------------------------------------------------------------------

  const MOST_POINTS = 4000, MOST_INTERVALS = 400;

  // Predicted times over the rank of each version of a [tune] section. Of many versions, every n-th
  // is drawn.
  function ranks(text, choices) {
    const step = 1 + Math.floor(choices.length / MOST_POINTS);
    const points = choices.map((c, i) => ({ ...c, rank: i + 1 })).filter((_, i) => i % step === 0);
    const sets = [true, false].map((examined) => points.filter((p) => p.examined === examined));
    const series = ["traced, or of the same code", "guessed by a surrogate"];
    const lo = Math.min(...points.map((p) => p.lo_s)) / 1.1;
    const hi = Math.max(...points.map((p) => p.hi_s)) * 1.1;
    const ticks = decades(lo, hi, hi / lo < 20 ? [1, 1.5, 2, 3, 5, 7] : [1]);
    const dataset = (set, s) => ({
      data: set.map((p) => ({ x: p.rank, y: p.predicted_s })), pointRadius: s ? 2.5 : 3,
      backgroundColor: colour(s), borderColor: colour(s),
      whiskers: points.length > MOST_INTERVALS ? [] : set.map((p) => [p.lo_s, p.hi_s]),
    });
    const scales = () => ({
      x: axis("rank of the version", { scale: { min: 0, max: choices.length + 1 } }),
      y: logAxis("predicted time", lo, hi, ticks, format.time),
    });
    const tip = ({ datasetIndex: s, dataIndex: i }) => {
      const p = sets[s][i], [time, interval] = format.timeInterval(p.predicted_s, p.lo_s, p.hi_s);
      const values = Object.entries(p.parameters).map((pair) => pair.join(" "));
      return `${values.join(", ")}: ${time} (${interval})`;
    };
    return figure(text, 340, sets[1].length ? series : [], [0, 1],
      () => chart("scatter", null, sets.map(dataset), scales(), tip));
  }

  // Net money over the months of a year. lines(): [{cost, saving}], one for each name.
  function curves(text, title, list, lines) {
    const months = numbers(money.MONTHS + 1);
    const dataset = (line, i) => ({
      label: list[i], borderColor: colour(i), backgroundColor: colour(i), borderWidth: 2.5,
      data: months.map((month) => line.saving * month - line.cost), pointRadius: 0,
    });
    const scales = () => ({
      x: axis("months from now"),
      y: axis(title, { scale: { suggestedMin: 0, suggestedMax: 0 } }),
    });
    const tip = (item) => `${item.dataset.label}: ${format.money(item.raw)}`;
    return figure(text, 300, list, numbers(list.length), () => chart("line", months,
      lines().map(dataset), scales(), tip, { interaction: { mode: "nearest", intersect: false } }));
  }

  return { gains, stack, errors, ranks, curves };
})();
