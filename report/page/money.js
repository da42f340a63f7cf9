// Costs and savings at the reader's rates. The formulas are those of answer/cost/cost.c and
// answer/cost/chance.c: uncertain times, gains and hours are integrated over equally likely
// combinations of their values. A range is from the 5 % to the 95 % quantile of the results.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const money = (() => {
  const MONTHS = 12, SECONDS_AN_HOUR = 3600;

  // ---- distributions of logarithms: two half normal distributions [center, sigma below, above] --

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
  const combinations =
    { seconds: sobol([], []), gain: sobol([1], [1]), hours: sobol([1, 1], [1, 1]) };

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
  // saved, hours of work. `money` is the JSON of a program on a target.
  function prepare(money) {
    const one = { ...money };
    one.known = one.seconds_chance[0] !== null && one.gain_chance[0] !== null;
    one.seconds_at = values("seconds", one.seconds_chance);
    const gain_at = values("gain", one.gain_chance);
    one.saved_at = one.seconds_at.map((seconds, i) => seconds * (1 - 1 / gain_at[i]));
    one.hours_at = one.hours.mid > 0 ? values("hours", one.hours_chance)
                                     : new Float64Array(COMBINATIONS);
    return one;
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

  // Cost and savings of a prepared case at the reader's rates. options.hours is NaN if hours are
  // estimated.
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
      r.days[end] = (r.runs[end] * format.DAYS_A_MONTH) / options.runs_per_month;
    return r;
  }

  // The text of a live element of the page. Amounts in a table have no currency.
  function textOf(key, r, currency) {
    switch (key) {
    case "hours": return format.hours(r.hours.mid);
    case "hours-range": return format.interval(r.hours, format.hours);
    case "cost": return format.money(r.cost.mid, currency);
    case "saving": return format.money(r.saving.mid, currency);
    case "saving-range": return format.interval(r.saving, format.money);
    case "runs": return format.count(r.runs.mid);
    case "days": return format.days(r.days.mid);
    case "payback": return format.payback(r.days.mid);
    case "days-range": return format.interval(r.days, format.days);
    case "net": return format.money(r.net.mid);
    case "net-range": return format.interval(r.net, format.money);
    case "chance": return format.chance(r.chance);
    default: return "";
    }
  }

  return { MONTHS, prepare, solve, textOf };
})();
