// Numbers as texts, with the same digits as the library's tables (report/table/format.c). Unknown
// numbers are null in the report's JSON.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const format = (() => {
  const DAYS_A_MONTH = 365.25 / 12;
  const TIME_UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];

  const isUnknown = (value) => value === null || value === undefined || Number.isNaN(value);
  const isFinite = (value) => !isUnknown(value) && Number.isFinite(value);

  // 10 ** n is not exact in all browsers.
  const power10 = (n) => Number("1e" + n);

  // Rounds to `decimals` decimals. A value halfway between two decimals becomes the even one, as in
  // C's printf.
  function fixed(value, decimals) {
    const scaled = value * power10(decimals), below = Math.floor(scaled);
    if (scaled - below === 0.5 && Number.isInteger(value * 2 ** (decimals + 1)))
      return ((below % 2 ? below + 1 : below) / power10(decimals)).toFixed(decimals);
    return value.toFixed(decimals);
  }

  // As toExponential, but a value halfway between two numbers becomes the even one.
  function exponential(value, decimals) {
    const text = value.toExponential(decimals);
    const unit = power10(Number(value.toExponential().split("e")[1]) - decimals);
    if (unit < 1 || value % unit !== unit / 2)
      return text;
    const below = Math.floor(value / unit);
    return ((below % 2 ? below + 1 : below) * unit).toExponential(decimals);
  }

  // A number with commas between thousands and `decimals` decimals.
  function digits(value, decimals) {
    if (Math.abs(value) >= 1e15)
      return (value < 0 ? "\u2212" : "") + exponential(Math.abs(value), 2);
    const text = fixed(Math.abs(value), decimals), [whole, rest] = text.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return (value < 0 && Number(text) !== 0 ? "\u2212" : "") + grouped + (rest ? "." + rest : "");
  }

  // `count` significant digits without trailing zeros, as %g of C's printf.
  function general(value, count) {
    if (value === 0)
      return "0";
    const [number, exponent] = exponential(value, count - 1).split("e"), power = Number(exponent);
    if (power >= -4 && power < count) {
      const text = fixed(value, count - 1 - power);
      return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
    }
    return (number.includes(".") ? number.replace(/\.?0+$/, "") : number) + "e" + exponent[0] +
      exponent.slice(1).padStart(2, "0");
  }

  function money(value, currency) {
    if (isUnknown(value))
      return "unknown";
    return digits(value, Math.abs(value) < 99.995 ? 2 : 0) + (currency ? " " + currency : "");
  }
  function days(value) {
    const units = [[1, 1 / 24, 1, "hours"], [10, 1, 1, "days"], [60, 1, 0, "days"],
      [730.5, DAYS_A_MONTH, 1, "months"], [36525, 365.25, 1, "years"]];
    if (isUnknown(value))
      return "unknown";
    if (value === Infinity)
      return "never";
    if (value === 0)
      return "at once";
    const unit = units.find((u) => value < u[0]);
    return unit ? digits(value / unit[1], unit[2]) + " " + unit[3] : "over 100 years";
  }
  function payback(value) {
    return (value > 0 && value < Infinity ? "in " : "") + days(value);
  }
  function count(value) {
    if (isUnknown(value))
      return "unknown";
    return value === Infinity ? "never" : digits(Math.ceil(value), 0);
  }
  function hours(value) {
    return isUnknown(value) ? "unknown" : digits(value, value < 10 ? 1 : 0);
  }
  function percent(fraction) {
    return fixed(100 * fraction, 0) + " %";
  }
  function chance(value) {
    if (isUnknown(value))
      return "unknown";
    if (value > 0 && value < 0.01)
      return "under 1 %";
    if (value < 1 && value > 0.99)
      return "over 99 %";
    return percent(value);
  }
  function gain(value) {
    if (!isFinite(value))
      return "unknown";
    return (value < 10 ? fixed(value, 2) : general(value, 3)) + "\u00d7";
  }
  const gainRange = ({ lo, hi }) => `${gain(lo)} to ${gain(hi)}`;
  function rate(value) {
    const prefixes = ["", " k", " M", " G", " T", " P"];
    let prefix = 0;
    if (!isFinite(value))
      return "unknown";
    while (Math.abs(value) >= 999.5 && prefix + 1 < prefixes.length) {
      value /= 1000;
      prefix++;
    }
    return general(value, 3) + prefixes[prefix];
  }
  // Value of a counter or of a property.
  function number(value) {
    if (isUnknown(value))
      return "unknown";
    const whole = Number.isInteger(value) || Math.abs(value) >= 1000;
    return whole ? digits(value, 0) : general(value, 4);
  }

  function unitOf(seconds) {
    return TIME_UNITS.find(([scale]) => seconds >= 0.9995 * scale) || TIME_UNITS[3];
  }
  // Four significant digits.
  function time(seconds) {
    if (!isFinite(seconds))
      return "unknown";
    const [scale, unit] = unitOf(seconds);
    return general(seconds / scale, 4) + " " + unit;
  }
  // A time in a unit. Digits before the decimal point beyond `count` are zeros.
  function digitsIn(seconds, scale, count) {
    const value = seconds / scale;
    if (!Number.isFinite(value))
      return "-";
    if (value === 0)
      return "0";
    let power = Math.floor(Math.log10(Math.abs(value)));
    const step = power10(power - count + 1);
    if (Math.abs(Math.round(value / step) * step) >= 0.999999 * power10(power + 1))
      power++;
    return fixed(Math.round(value / step) * step, power < count - 1 ? count - 1 - power : 0);
  }
  // A time and its interval as [text, interval]: three significant digits if both ends are within
  // 10 % of the time, else two. The interval is "" if it is unknown.
  function timeInterval(seconds, lo, hi) {
    if (!isFinite(seconds))
      return ["unknown", ""];
    const known = isFinite(lo) && isFinite(hi) && lo > 0, [scale, unit] = unitOf(seconds);
    const count = !known || (lo >= 0.9 * seconds && hi <= 1.1 * seconds) ? 3 : 2;
    return [digitsIn(seconds, scale, count) + " " + unit,
      known ? `${digitsIn(lo, scale, count)} to ${digitsIn(hi, scale, count)} ${unit}` : ""];
  }

  // Both ends of an interval, or one number if they are equal after rounding.
  function interval(range, one) {
    if (isUnknown(range.lo) || isUnknown(range.hi))
      return "unknown";
    const [low, high] = [one(range.lo), one(range.hi)];
    return low === high ? low : low + " to " + high;
  }

  return { DAYS_A_MONTH, isFinite, isUnknown, fixed, digits, general, money, days, payback, count,
    hours, percent, chance, gain, gainRange, rate, number, time, timeInterval, interval };
})();
