// The section on costs and savings, whose numbers follow the reader's rates, and the table of saved
// energy.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

const candidateName = (c) => c.json.candidate + (c.gains ? "" : " (not proposed)");
const candidateColumns = [
  { name: "Program", cell: (c) => c.json.program }, { name: "GPU", cell: (c) => c.json.target },
  { name: "Version", cell: candidateName }];

// The energy that the candidate of each case saves. Empty if the user gave no price of energy.
function energy(report, cases) {
  const e = report.energy_options, known = format.isFinite;
  if (e === null)
    return [];
  const number = (value) => (known(value) ? format.general(value, 4) : "");
  const cell = (key) => (c) => number(c.candidate.cost.energy[key]);
  const how = ({ basis, watts }) => {
    const power = known(watts) ? `${format.fixed(watts, 0)} W` : "";
    return { measured: "measured", power: `by ${power}`, "at most": `at most ${power}` }[basis] ||
      "unknown";
  };
  const price = known(e.price) ? `, at ${format.general(e.price, 6)} a kWh` : "";
  const currency = price && e.currency ? ` in ${e.currency}` : "";
  const co2 = known(e.co2_g_a_kwh) ? `, ${format.general(e.co2_g_a_kwh, 6)} g of CO2 a kWh` : "";
  return elements.tableOf("Energy of the board that the best version saves, for " +
    `${format.number(e.runs_per_month)} runs a month${price}${currency}${co2}. Measured of both ` +
    "versions; or the time saved by the base's mean power as measured; or at most by the board's " +
    "limit." + (report.cost_options ? " It is no part of the money above." : ""), [
    ...candidateColumns, { name: "#Joules a pass", cell: cell("joules") },
    { name: "#kWh a month", cell: cell("kwh_a_month") },
    { name: "#Money a month", cell: cell("money_a_month") },
    { name: "#kg CO2 a month", cell: cell("co2_kg_a_month") },
    { name: "How it is known", cell: (c) => how(c.candidate.cost.energy) },
  ], cases.filter((c) => !c.isBase));
}

// Costs and savings of the cases: a section for the page, and a function that fills in the live
// texts of the page and follows the reader's rates. null if the user gave no rate.
function payback(report, cases) {
  const { make, paragraph, heading, live, liveRange, tableOf } = elements;
  const MOST_CURVES = 8;
  const prices = report.cost_options;
  if (prices === null)
    return null;
  const currency = prices.currency || "", unit = currency || "money";
  const others = cases.filter((c) => !c.isBase);

  // ---- rates ---------------------------------------------------------------------------------

  // Input fields with the bounds of pm_cost_check. above: the value must be above `least`.
  const rates = [
    { key: "hourly_rate", label: "An hour of work", unit, least: 0, most: 1e9 },
    { key: "hours", label: "Hours for each version", unit: "hours", least: 0, most: 1e6 },
    { key: "gpu_hour", label: "An hour of a GPU", unit, least: 0, most: 1e9 },
    { key: "runs_per_month", label: "Runs", unit: "a month", least: 0, above: true, most: 1e15 },
    { key: "passes", label: "Passes", unit: "a run", least: 1, most: 1e12 },
    { key: "gpus", label: "GPUs", unit: "of a run", least: 1, most: 1e6 }];

  const field = ({ key, label, unit: of, least }) => make("label", { for: "in-" + key },
    label + " ", make("span", { class: "unit" }, of),
    make("input", { id: "in-" + key, name: key, type: "number", inputmode: "decimal", min: least,
      step: "any", value: prices[key], placeholder: prices[key] === null ? "estimated" : null }));
  const form = () => make("form", { id: "rates", autocomplete: "off" },
    make("fieldset", null, make("legend", null, "Rates and runs"), rates.map(field),
      make("button", { type: "reset" }, "Reset")),
    make("p", { id: "rates-note", role: "status", "aria-live": "polite" }));

  // Value of a field. NaN: hours are estimated. undefined: the value is wrong.
  function read({ key, least, above, most }) {
    const input = document.getElementById("in-" + key), value = input.valueAsNumber;
    const empty = input.value.trim() === "" && !input.validity.badInput;
    const fine = key === "hours" && empty ? true
      : value >= least && value <= most && !(above && value === least) &&
        !(key === "gpus" && !Number.isInteger(value));
    input.setAttribute("aria-invalid", String(!fine));
    return fine ? value : undefined;
  }

  // The reader's rates. null if one is wrong, and the note says which.
  function readRates() {
    const values = rates.map(read), wrong = rates[values.indexOf(undefined)];
    document.getElementById("rates-note").textContent = !wrong ? ""
      : `${wrong.label}: give a ${wrong.key === "gpus" ? "whole number" : "number"} ` +
        `${wrong.above ? "above" : "from"} ${wrong.least}. ` +
        "The numbers below are for the rates before.";
    return wrong ? null : Object.fromEntries(rates.map(({ key }, i) => [key, values[i]]));
  }

  // ---- the section ---------------------------------------------------------------------------

  const single = (name, key) => ({ name, cell: (c) => live(key, c.number) });
  const withRange = (name, key) =>
    ({ name, cell: (c) => [live(key, c.number), liveRange(key, c.number)] });
  const breakEven = () => tableOf(
    `Break-even of the best version${currency ? ", in " + currency : ""}, with 90 % intervals.`, [
      ...candidateColumns, withRange("#Hours of work", "hours"), single("#Cost", "cost"),
      withRange("#Saves a month", "saving"), single("#Break-even runs", "runs"),
      withRange("#Has paid after", "days"), withRange("#Net after a year", "net"),
      single("#Chance in a year", "chance"),
    ], others);

  // The cases whose net money is drawn: proposed versions first, then by net money.
  const net = (c) => c.candidate.cost.net_a_year.mid;
  const drawn = [...others].sort((a, b) => b.gains - a.gains || net(b) - net(a))
    .slice(0, MOST_CURVES);
  let results = [], curves = null;

  function drawCurves() {
    if (drawn.length === 0)
      return [];
    const few = cases.length > drawn.length ? ", of those that save most" : "";
    curves = charts.curves("Net money over twelve months: what a version has saved less what it " +
      `cost, by the middle estimates${few}.`, "net money" + (currency ? ", " + currency : ""),
    drawn.map((c) => `${c.json.program}, ${c.json.target}: ${c.json.candidate}`),
    () => drawn.map((c) => results[c.number])
      .map((r) => ({ cost: r.cost.mid, saving: r.saving.mid })));
    return curves;
  }

  const section = () => [
    heading(2, "Does it pay?", "money"),
    paragraph("Cost is hours of work times their rate. A month saves runs \u00d7 passes \u00d7 " +
      "GPUs \u00d7 (time of the source as it is \u2212 time of the version) \u00d7 the price of " +
      "a GPU's hour. Hours are estimated from what a version rewrites, unless they are given; " +
      "rates and runs that were not given are examples. Intervals and chances are over the " +
      "uncertainty of the time, the gain and the hours."),
    paragraph("Change a rate, and everything about money on this page follows."),
    form(), breakEven(), energy(report, cases), drawCurves()];

  // ---- live numbers --------------------------------------------------------------------------

  function start() {
    const prepared = cases.map((c) => money.prepare(c.json.money));
    const shown = Array.from(document.querySelectorAll("[data-live]"));
    const update = () => {
      const options = readRates();
      if (!options)
        return;
      results = prepared.map((one) => money.solve(one, options));
      for (const element of shown) {
        const after = element.closest("td") ? "" : elements.clean(currency);
        element.textContent =
          money.textOf(element.dataset.live, results[element.dataset.of], after);
      }
      if (curves && curves.redraw)
        curves.redraw();
    };
    const rateForm = document.getElementById("rates");
    rateForm.addEventListener("input", update);
    rateForm.addEventListener("submit", (event) => event.preventDefault());
    rateForm.addEventListener("reset", () => setTimeout(update));
    update();
  }

  return { section, start };
}
