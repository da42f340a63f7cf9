// Money follows the reader's rates. The formulas are those of answer/cost/cost.c and answer/cost/chance.c: uncertain
// times, gains and hours are integrated over equally likely combinations of their values. A range is
// from the 5 % to the 95 % quantile of the results.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("rates");
  const note = document.getElementById("rates-note");
  const DAYS_A_MONTH = 365.25 / 12, MONTHS = 12, SECONDS_AN_HOUR = 3600;
  // Lower and upper bound of each option, as in pm_cost_check. true: the lower bound itself is not
  // allowed.
  const bounds = {
    hourly_rate: [0, 1e9, false], hours: [0, 1e6, false], gpu_hour: [0, 1e9, false],
    runs_per_month: [0, 1e15, true], passes: [1, 1e12, false], gpus: [1, 1e6, false],
  };

  // ---- formats of numbers, as in report/table/format.c ----

  // Rounds to `decimals` decimals. A value halfway between two decimals becomes the even one, as in
  // C's printf.
  function fixed(value, decimals) {
    const scaled = value * 10 ** decimals, below = Math.floor(scaled);
    if (scaled - below === 0.5 && Number.isInteger(value * 2 ** (decimals + 1)))
      return ((below % 2 ? below + 1 : below) / 10 ** decimals).toFixed(decimals);
    return value.toFixed(decimals);
  }
  function digits(value, decimals) {
    if (Math.abs(value) >= 1e15)
      return (value < 0 ? "\u2212" : "") + Math.abs(value).toExponential(2);
    const text = fixed(Math.abs(value), decimals), [whole, rest] = text.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return (value < 0 && Number(text) !== 0 ? "\u2212" : "") + grouped + (rest ? "." + rest : "");
  }
  function money(value, currency) {
    if (Number.isNaN(value))
      return "unknown";
    return digits(value, Math.abs(value) < 99.995 ? 2 : 0) + (currency ? " " + currency : "");
  }
  function days(value) {
    const units = [[1, 1 / 24, 1, "hours"], [10, 1, 1, "days"], [60, 1, 0, "days"],
      [730.5, DAYS_A_MONTH, 1, "months"], [36525, 365.25, 1, "years"]];
    if (Number.isNaN(value))
      return "unknown";
    if (value === Infinity)
      return "never";
    if (value === 0)
      return "at once";
    const unit = units.find((u) => value < u[0]);
    return unit ? digits(value / unit[1], unit[2]) + " " + unit[3] : "over 100 years";
  }
  function count(value) {
    if (Number.isNaN(value))
      return "unknown";
    return value === Infinity ? "never" : digits(Math.ceil(value), 0);
  }
  function hours(value) {
    return Number.isNaN(value) ? "unknown" : digits(value, value < 10 ? 1 : 0);
  }
  function chance(value) {
    if (Number.isNaN(value))
      return "unknown";
    if (value > 0 && value < 0.01)
      return "under 1 %";
    if (value < 1 && value > 0.99)
      return "over 99 %";
    return fixed(100 * value, 0) + " %";
  }
  function interval(range, format) {
    if (Number.isNaN(range.lo) || Number.isNaN(range.hi))
      return "unknown";
    const [low, high] = [format(range.lo), format(range.hi)];
    return low === high ? low : low + " to " + high;
  }

  // ---- distributions: logarithms with two half normal distributions [center, sigma below, above] ----

  const BITS = 14, COMBINATIONS = 2 ** BITS - 1;

  // Upper tail probability of the standard normal distribution. It is a series for small |z|, and a
  // continued fraction for large |z|.
  function tail(z) {
    const x = Math.abs(z) / Math.SQRT2;
    let half;
    if (x < 2.5) {
      let term = x, sum = x;
      for (let n = 1; term > 1e-18; n++) {
        term *= (2 * x * x) / (2 * n + 1);
        sum += term;
      }
      half = 0.5 - (Math.exp(-x * x) * sum) / Math.sqrt(Math.PI);
    } else {
      let f = 0;
      for (let n = 60; n > 0; n--)
        f = n / 2 / (x + f);
      half = Math.exp(-x * x) / (x + f) / Math.sqrt(Math.PI) / 2;
    }
    return z < 0 ? 1 - half : half;
  }

  // Quantiles of the normal distribution at k / 2^BITS. Newton's method starts at the quantile
  // before.
  function normal_quantiles() {
    const z = new Float64Array(2 ** BITS), middle = 2 ** (BITS - 1);
    for (let k = middle - 1; k > 0; k--) {
      let at = -z[k + 1];
      for (let i = 0; i < 5; i++)
        at += (tail(at) - k / 2 ** BITS) * Math.sqrt(2 * Math.PI) * Math.exp((at * at) / 2);
      z[k] = -at;
      z[2 ** BITS - k] = at;
    }
    return z;
  }

  // Numbers of a Sobol sequence in Gray code order, in units of 2^-BITS (Bratley and Fox, ACM
  // Algorithm 659). first: the first direction numbers. coefficients: those of the sequence's
  // polynomial.
  function sobol(first, coefficients) {
    const directions = first.slice(), points = new Uint16Array(COMBINATIONS);
    while (directions.length < BITS) {
      const n = directions.length, degree = coefficients.length;
      let next = degree ? directions[n - degree] : 1;
      coefficients.forEach((there, k) => {
        if (there)
          next ^= directions[n - 1 - k] << (k + 1);
      });
      directions.push(next);
    }
    for (let i = 0, point = 0; i < COMBINATIONS; i++) {
      let bit = 0;
      while ((i >> bit) & 1)
        bit++;
      point ^= directions[bit] << (BITS - 1 - bit);
      points[i] = point;
    }
    return points;
  }

  const quantiles = normal_quantiles();
  const combinations = { seconds: sobol([], []), gain: sobol([1], [1]), hours: sobol([1, 1], [1, 1]) };

  const number = (value) => (value === null ? NaN : value);

  // Values of one distribution (a member of `combinations`), one value for each combination.
  function values(which, chance) {
    const [center, below, above] = chance.map(number), at = combinations[which];
    return Float64Array.from(at, (k) =>
      Math.exp(center + quantiles[k] * (k < 2 ** (BITS - 1) ? below : above)));
  }
  // Probability that the gain is above a threshold of 1 or more, as in pm_chance_above.
  function above(chance, threshold) {
    const away = Math.log(threshold) - chance[0], sigma = away < 0 ? chance[1] : chance[2];
    return sigma > 0 ? tail(away / sigma) : away < 0 ? 1 : 0;
  }
  function ends(outcomes) {
    const rank = Math.round(0.05 * (COMBINATIONS + 1)) - 1;
    outcomes.sort();
    return { lo: outcomes[rank], hi: outcomes[COMBINATIONS - 1 - rank] };
  }

  // ---- a case ----

  // Computes the numbers that do not depend on the reader's rates: seconds of a pass, seconds
  // saved, hours of work.
  for (const one of data.cases) {
    one.known = one.seconds_chance[0] !== null && one.gain_chance[0] !== null;
    one.seconds_at = values("seconds", one.seconds_chance);
    const gain_at = values("gain", one.gain_chance);
    one.saved_at = one.seconds_at.map((seconds, i) => seconds * (1 - 1 / gain_at[i]));
    one.hours_at = one.hours.mid > 0 ? values("hours", one.hours_chance)
                                     : new Float64Array(COMBINATIONS);
  }

  function chance_a_year(one, hours_at, second, options) {
    let sum = 0;
    one.seconds_at.forEach((seconds, i) => {
      const year = MONTHS * second * seconds;
      const share = year > 0 ? (hours_at[i] * options.hourly_rate) / year : 1;
      if (share < 1)
        sum += above(one.gain_chance, 1 / (1 - share));
    });
    return sum / COMBINATIONS;
  }

  function solve(one, options) {
    const second = (options.runs_per_month * options.passes * options.gpus * options.gpu_hour) /
      SECONDS_AN_HOUR;
    const estimated = Number.isNaN(options.hours);
    const given = { lo: options.hours, mid: options.hours, hi: options.hours };
    const work = estimated ? one.hours : given;
    const hours_at = estimated ? one.hours_at : new Float64Array(COMBINATIONS).fill(options.hours);
    const runs_of = (cost, saving) =>
      saving > 0 ? (cost / saving) * options.runs_per_month : Infinity;
    const unknown = { lo: NaN, hi: NaN };
    const r = { hours: work, cost: { mid: work.mid * options.hourly_rate }, saving: { ...unknown },
      runs: { ...unknown }, net: { ...unknown }, days: {}, chance: NaN };
    if (one.known) {
      const saving = one.saved_at.map((seconds) => second * seconds);
      const cost = hours_at.map((hours) => hours * options.hourly_rate);
      r.runs = ends(saving.map((s, i) => runs_of(cost[i], s)));
      r.net = ends(saving.map((s, i) => MONTHS * s - cost[i]));
      r.saving = ends(saving);
      r.chance = chance_a_year(one, hours_at, second, options);
    }
    r.saving.mid = second * one.seconds * (1 - 1 / one.gain);
    r.net.mid = MONTHS * r.saving.mid - r.cost.mid;
    r.runs.mid = runs_of(r.cost.mid, r.saving.mid);
    for (const end of ["lo", "mid", "hi"])
      r.days[end] = (r.runs[end] * DAYS_A_MONTH) / options.runs_per_month;
    return r;
  }

  // ---- the page ----

  function text_of(key, r, currency) {
    switch (key) {
    case "hours": return hours(r.hours.mid);
    case "hours-range": return interval(r.hours, hours);
    case "cost": return money(r.cost.mid, currency);
    case "saving": return money(r.saving.mid, currency);
    case "saving-range": return interval(r.saving, money);
    case "runs": return count(r.runs.mid);
    case "days": return days(r.days.mid);
    case "payback": return (r.days.mid > 0 && r.days.mid < Infinity ? "in " : "") + days(r.days.mid);
    case "days-range": return interval(r.days, days);
    case "net": return money(r.net.mid);
    case "net-range": return interval(r.net, money);
    case "chance": return chance(r.chance);
    default: return "";
    }
  }

  function read_options() {
    const options = {};
    let wrong = null;
    for (const [key, [least, most, open]] of Object.entries(bounds)) {
      const input = document.getElementById("in-" + key);
      const empty = input.value.trim() === "" && !input.validity.badInput;
      const value = empty && key === "hours" ? NaN : empty ? Infinity : input.valueAsNumber;
      const fine = (empty && key === "hours") || (value >= least && value <= most &&
        !(open && value === least) && !(key === "gpus" && !Number.isInteger(value)));
      input.setAttribute("aria-invalid", String(!fine));
      if (!fine && !wrong)
        wrong = input.labels[0].firstChild.textContent.trim() + ": give a " +
          (key === "gpus" ? "whole number" : "number") + (open ? " above " : " from ") + least +
          ". The numbers below are for the rates before.";
      options[key] = value;
    }
    note.textContent = wrong || "";
    return wrong ? null : options;
  }

  function svg(name, attributes, parent, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes))
      element.setAttribute(key, value);
    if (text !== undefined)
      element.textContent = text;
    if (parent)
      parent.append(element);
    return element;
  }

  // Distance of the axis ticks: a round number that divides the range into about five steps.
  function step_of(range) {
    const power = 10 ** Math.floor(Math.log10(range / 5)), times = range / 5 / power;
    return power * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
  }

  function draw_curve(results) {
    const box = document.getElementById("curve");
    const shown = data.curves.map((i) => results[i]);
    if (!box || !shown.length)
      return;
    const ends = shown.flatMap((r) => [-r.cost.mid, r.net.mid]).concat(0);
    let low = Math.min(...ends), high = Math.max(...ends);
    if (high === low)
      high = low + 1;
    const step = step_of(high - low);
    low = Math.floor(low / step) * step;
    high = Math.ceil(high / step) * step;
    const left = 84, right = 700, top = 14, bottom = 244;
    const x = (month) => left + ((right - left) * month) / 12;
    const y = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
    const drawing = svg("svg", { viewBox: `0 0 720 ${bottom + 48}`, "font-size": 13 });
    for (let value = low; value <= high + step / 2; value += step) {
      svg("path", { d: `M${left} ${y(value)}H${right}`, stroke: "var(--grid)" }, drawing);
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end", fill: "var(--ink)" }, drawing,
        digits(Math.abs(value) < step / 2 ? 0 : value, step < 1 ? 2 : 0));
    }
    svg("path", { d: `M${left} ${y(0)}H${right}M${left} ${top}V${bottom}`, stroke: "var(--ink)",
      fill: "none" }, drawing);
    for (let month = 0; month <= 12; month++)
      svg("text", { x: x(month), y: bottom + 18, "text-anchor": "middle", fill: "var(--ink)" },
        drawing, month);
    svg("text", { x: (left + right) / 2, y: bottom + 40, "text-anchor": "middle",
      fill: "var(--ink)" }, drawing, "months from now");
    shown.forEach((r, i) =>
      svg("path", { d: `M${x(0)} ${y(-r.cost.mid)}L${x(12)} ${y(r.net.mid)}`, fill: "none",
        stroke: `var(--s${i})`, "stroke-width": 2.5 }, drawing));
    box.replaceChildren(drawing);
  }

  function update() {
    const options = read_options();
    if (!options)
      return;
    const results = data.cases.map((one) => solve(one, options));
    for (const element of document.querySelectorAll("[data-live]"))
      element.textContent = text_of(element.dataset.live, results[element.dataset.of],
        element.closest("td") ? "" : data.options.currency);
    draw_curve(results);
  }

  document.documentElement.classList.add("js");
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(update));
})();
