// Money follows the reader's rates. The formulas are those of model/cost.c: equally likely values of
// time, gain and hours stand for what is not known, and a range is from the 5 % to the 95 % quantile
// of all their combinations.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("rates");
  const note = document.getElementById("rates-note");
  const DAYS_A_MONTH = 365.25 / 12, MONTHS = 12, SECONDS_AN_HOUR = 3600;
  // As pm_cost_check has them; the first is where "above" begins if open.
  const bounds = {
    hourly_rate: [0, 1e9, false], hours: [0, 1e6, false], gpu_hour: [0, 1e9, false],
    runs_per_month: [0, 1e15, true], passes: [1, 1e12, false], gpus: [1, 1e6, false],
  };

  // ---- numbers for people, as report/format.c writes them ----

  // As C's printf: what lies in the middle goes to the even digit.
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
    if (range.lo === range.hi)
      return format(range.lo);
    return format(range.lo) + " to " + format(range.hi);
  }

  // ---- distributions ----

  const number = (value) => (value === null ? NaN : value);

  // The upper tail of the normal distribution: a series for the middle, a continued fraction beyond.
  function tail(z) {
    const x = Math.abs(z) / Math.SQRT2;
    let half;
    if (x < 2.5) {
      let term = x, sum = x;
      for (let n = 1; n < 80; n++) {
        term *= (2 * x * x) / (2 * n + 1);
        sum += term;
      }
      half = 0.5 - (Math.exp(-x * x) * sum) / Math.sqrt(Math.PI);
    } else {
      let f = 0;
      for (let n = 80; n > 0; n--)
        f = n / 2 / (x + f);
      half = Math.exp(-x * x) / (x + f) / Math.sqrt(Math.PI) / 2;
    }
    return z < 0 ? 1 - half : half;
  }
  // P(gain > threshold), as pm_chance_above; threshold is 1 or more.
  function above(distribution, threshold) {
    const [center, lower, upper] = distribution.map(number);
    const away = Math.log(threshold) - center, sigma = away < 0 ? lower : upper;
    if (Number.isNaN(center))
      return NaN;
    return sigma > 0 ? tail(away / sigma) : away < 0 ? 1 : 0;
  }
  // How many of ascending values are below the limit, or up to it.
  function rank(values, limit, including) {
    let low = 0, high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] < limit || (including && values[middle] === limit))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  // The least x from low to high of which at least `wanted` values are no greater.
  function select(counted, wanted, low, high) {
    if (counted(low) >= wanted)
      return low;
    for (let i = 0; i < 200 && low < high; i++) {
      const middle = low > 0 && high / low > 4 ? Math.sqrt(low) * Math.sqrt(high)
                                               : low + (high - low) / 2;
      if (middle <= low || middle >= high)
        break;
      if (counted(middle) >= wanted)
        high = middle;
      else
        low = middle;
    }
    return high;
  }
  function ends(n, find) {
    const skipped = Math.floor(n / 20);
    return { lo: find(skipped + 1), hi: find(n - skipped) };
  }

  // ---- a case ----

  // What does not depend on rates: seconds that a pass saves, for all pairs of time and gain.
  for (const one of data.cases) {
    const at = [];
    for (const time of one.seconds_at)
      for (const gain of one.gain_at)
        at.push(number(time) * (1 - 1 / number(gain)));
    one.known = !at.some(Number.isNaN);
    one.saved_at = Float64Array.from(at).sort();
  }

  function break_even(saving, costs, options) {
    const all = saving.length * costs.length, plus = rank(saving, 0, true);
    const counted = (runs) => {
      let n = 0;
      for (const cost of costs)
        n += saving.length - Math.max(plus, runs === 0 ? (cost > 0 ? saving.length : plus)
          : rank(saving, (cost * options.runs_per_month) / runs, false));
      return n;
    };
    return ends(all, (wanted) => {
      if (counted(Number.MAX_VALUE) < wanted)
        return Infinity;
      if (counted(0) >= wanted)
        return 0;
      return select(counted, wanted, Number.MIN_VALUE, Number.MAX_VALUE);
    });
  }

  function net_of(saving, costs) {
    const last = saving.length - 1;
    const counted = (net) =>
      costs.reduce((n, cost) => n + rank(saving, (net + cost) / MONTHS, true), 0);
    return ends(saving.length * costs.length, (wanted) =>
      select(counted, wanted, MONTHS * saving[0] - Math.max(...costs),
        MONTHS * saving[last] - Math.min(...costs)));
  }

  function chance_a_year(one, hours_at, second, options) {
    let sum = 0;
    for (const time of one.seconds_at)
      for (const work of hours_at) {
        const year = MONTHS * second * time;
        const share = year > 0 ? (work * options.hourly_rate) / year : 1;
        if (share < 1)
          sum += above(one.gain_chance, 1 / (1 - share));
      }
    return sum / (one.seconds_at.length * hours_at.length);
  }

  function solve(one, options) {
    const second = (options.runs_per_month * options.passes * options.gpus * options.gpu_hour) /
      SECONDS_AN_HOUR;
    const estimated = Number.isNaN(options.hours);
    const given = { lo: options.hours, mid: options.hours, hi: options.hours };
    const work = estimated ? one.hours : given;
    const hours_at = estimated ? one.hours_at : one.hours_at.map(() => options.hours);
    const r = { hours: work, cost: { mid: work.mid * options.hourly_rate } };
    const unknown = { lo: NaN, hi: NaN };
    r.saving = { ...unknown };
    r.runs = { ...unknown };
    r.net = { ...unknown };
    r.chance = NaN;
    if (one.known) {
      const saving = one.saved_at.map((seconds) => second * seconds);
      const costs = hours_at.map((work) => work * options.hourly_rate);
      r.saving = ends(saving.length, (wanted) => saving[wanted - 1]);
      r.runs = break_even(saving, costs, options);
      r.net = net_of(saving, costs);
      r.chance = chance_a_year(one, hours_at, second, options);
    }
    r.saving.mid = second * one.seconds * (1 - 1 / one.gain);
    r.net.mid = MONTHS * r.saving.mid - r.cost.mid;
    r.runs.mid = r.saving.mid > 0 ? (r.cost.mid / r.saving.mid) * options.runs_per_month : Infinity;
    r.days = {};
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

  // Round steps of which some five cover the range.
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
