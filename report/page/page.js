// Writes the report into the page: the summary, the sections of the other scripts, and costs and
// savings that follow the reader's rates.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
(() => {
  const { make, paragraph, heading, live, liveRange, tableOf } = elements;
  const { find, gainOf, gainRange } = program;
  const known = format.isFinite;
  const MOST_SENTENCES = 3, LONGEST_NAME = 32, MOST_CURVES = 8;
  const report = JSON.parse(document.getElementById("data").textContent);
  const prices = report.cost_options, currency = (prices && prices.currency) || "";

  // ---- the cases: a program on a target ------------------------------------------------------------

  // The number of a case is that of its live texts.
  const cases = report.targets.flatMap((target) => target.programs.map((json) => ({ json, target })));
  cases.forEach((c, number) => {
    c.number = number;
    c.best = find(c.json, c.json.best);
    c.candidate = find(c.json, c.json.candidate);
    c.isBase = c.json.candidate === c.json.base;
    c.gains = c.json.best !== c.json.base;
  });
  const programs = [...new Set(cases.map((c) => c.json.program))];
  const byProgram = programs.flatMap((name) => cases.filter((c) => c.json.program === name));
  const others = cases.filter((c) => !c.isBase);

  // ---- the summary ---------------------------------------------------------------------------------

  // Cuts a name that is too long for a sentence. The tables show it in full.
  function shortName(name) {
    const bytes = new TextEncoder().encode(name);
    if (bytes.length <= LONGEST_NAME)
      return name;
    return new TextDecoder().decode(bytes.slice(0, LONGEST_NAME)).replace(/\ufffd+$/, "") + "\u2026";
  }

  function sentence(c) {
    const v = c.candidate, { base, program: name, size } = c.json, g = gainOf(v), gain = format.gain(g.gain);
    const start = ` For ${name} at size ${size}`;
    if (c.isBase)
      return `${start} there is no other version than ${base}.`;
    return [start + (c.gains ? `, ${shortName(v.variant)}: ${gain} the speed of ${base}`
      : `, ${base} as it is; the fastest other version, ${shortName(v.variant)}, has ${gain} its speed`),
    known(g.lo) && known(g.hi) ? ` (${g.measured ? "measured; " : ""}90 % interval ${gainRange(g)})` : "",
    known(v.chance) && !g.measured ? `, chance to be faster ${format.chance(v.chance)}` : "",
    v.missed ? ", which the prediction misses" : "",
    c.gains && prices ? ["; work of ", live("cost", c.number), ", paid back ", live("payback", c.number)] : "", "."];
  }

  function summaryOf(target) {
    const mine = cases.filter((c) => c.target === target), faster = mine.filter((c) => c.gains).length;
    const order = [...mine].sort((a, b) => b.candidate.gain - a.candidate.gain);
    return paragraph(`On ${target.gpu} (${target.target}), ` + (mine.length > 1
      ? `${faster} of ${mine.length} programs ${faster === 1 ? "has" : "have"} a version that is worth proposing.`
      : `${faster ? "a" : "no other"} version is worth proposing.`), order.slice(0, MOST_SENTENCES).map(sentence));
  }

  function bestGain(c) {
    const g = gainOf(c.best), range = c.gains && known(g.lo) && known(g.hi);
    return [format.gain(g.gain), range ? gainRange(g) + (g.measured ? ", measured" : "") : ""];
  }

  const summary = () => [
    heading(2, "Summary", "summary"),
    report.targets.filter((t) => t.programs.length).map(summaryOf),
    tableOf("The best version of each program. Gain is the time of the source as it is over that of the version, with its 90 % interval.", [
      { name: "Program", cell: (c) => c.json.program },
      { name: "Size", cell: (c) => c.json.size },
      { name: "GPU", cell: (c) => c.json.target },
      { name: "Best version", cell: (c) => c.json.best },
      { name: "#Time", cell: (c) => format.timeInterval(c.best.predicted_s, c.best.lo_s, c.best.hi_s) },
      { name: "#Gain", cell: bestGain },
      { name: "#Chance faster", cell: (c) => (c.gains ? format.chance(c.best.chance) : "") },
      prices && { name: "#Has paid after", cell: (c) => (c.gains ? live("days", c.number) : "nothing to write") },
      prices && { name: "#Chance in a year", cell: (c) => (c.gains ? live("chance", c.number) : "") },
    ], byProgram),
    report.left_out.length ? paragraph(`${report.left_out.length} left out; the end of this report says what and why.`) : []];

  const gains = () => [
    heading(2, "Gains", "gains"),
    figures.gains("What the proposed version of each program gains over the source as it is, and where none is proposed the " +
      "fastest other one. Lines are 90 % intervals.", programs, report.targets.map((t) => t.target),
    report.targets.map((target) => programs.map((name) => {
      const c = others.find((other) => other.target === target && other.json.program === name);
      return c ? c.candidate : null;
    })), "gain of the fastest other version, %")];

  // ---- costs and savings ---------------------------------------------------------------------------

  const candidateName = (c) => c.json.candidate + (c.gains ? "" : " (not proposed)");
  const liveCell = (key) => ({ cell: (c) => live(key, c.number) });
  const liveInterval = (key) => ({ cell: (c) => [live(key, c.number), liveRange(key, c.number)] });

  // Fields for the rates: [key, label, unit, least value, whether it must be above that, largest
  // value], as in pm_cost_check.
  const rates = [["hourly_rate", "An hour of work", currency || "money", 0, false, 1e9],
    ["hours", "Hours for each version", "hours", 0, false, 1e6],
    ["gpu_hour", "An hour of a GPU", currency || "money", 0, false, 1e9],
    ["runs_per_month", "Runs", "a month", 0, true, 1e15], ["passes", "Passes", "a run", 1, false, 1e12],
    ["gpus", "GPUs", "of a run", 1, false, 1e6]];

  const form = () => make("form", { id: "rates", autocomplete: "off" },
    make("fieldset", null, make("legend", null, "Rates and runs"), rates.map(([key, label, unit, least]) =>
      make("label", { for: "in-" + key }, label + " ", make("span", { class: "unit" }, unit),
        make("input", { id: "in-" + key, name: key, type: "number", inputmode: "decimal", min: least, step: "any",
          value: prices[key], placeholder: prices[key] === null ? "estimated" : null }))),
    make("button", { type: "reset" }, "Reset")),
    make("p", { id: "rates-note", role: "status", "aria-live": "polite" }));

  const breakEven = () => tableOf(`Break-even of the best version${currency ? ", in " + currency : ""}, with 90 % intervals.`, [
    { name: "Program", cell: (c) => c.json.program }, { name: "GPU", cell: (c) => c.json.target },
    { name: "Version", cell: candidateName }, { name: "#Hours of work", ...liveInterval("hours") },
    { name: "#Cost", ...liveCell("cost") }, { name: "#Saves a month", ...liveInterval("saving") },
    { name: "#Break-even runs", ...liveCell("runs") }, { name: "#Has paid after", ...liveInterval("days") },
    { name: "#Net after a year", ...liveInterval("net") }, { name: "#Chance in a year", ...liveCell("chance") },
  ], others);

  function energy() {
    const e = report.energy_options, number = (value) => (known(value) ? format.general(value, 4) : "");
    const how = ({ basis, watts }) => ({ measured: "measured", power: `by ${format.fixed(watts || 0, 0)} W`,
      "at most": `at most ${format.fixed(watts || 0, 0)} W` }[basis] || "unknown");
    const cell = (key) => (c) => number(c.candidate.cost.energy[key]);
    if (!e)
      return [];
    return tableOf(`Energy of the board that the best version saves, for ${format.number(e.runs_per_month)} runs a month` +
      (known(e.price) ? `, at ${format.general(e.price, 6)} a kWh${e.currency ? " in " + e.currency : ""}` : "") +
      (known(e.co2_g_a_kwh) ? `, ${format.general(e.co2_g_a_kwh, 6)} g of CO2 a kWh` : "") +
      ". Measured of both versions; or the time saved by the base's mean power as measured; or at most by the board's limit." +
      (prices ? " It is no part of the money above." : ""), [
      { name: "Program", cell: (c) => c.json.program }, { name: "GPU", cell: (c) => c.json.target },
      { name: "Version", cell: candidateName }, { name: "#Joules a pass", cell: cell("joules") },
      { name: "#kWh a month", cell: cell("kwh_a_month") }, { name: "#Money a month", cell: cell("money_a_month") },
      { name: "#kg CO2 a month", cell: cell("co2_kg_a_month") },
      { name: "How it is known", cell: (c) => how(c.candidate.cost.energy) }], others);
  }

  // The cases whose net money is drawn: proposed versions first, then by net money.
  const net = (c) => c.candidate.cost.net_a_year.mid;
  const drawn = !prices ? [] : [...others].sort((a, b) => b.gains - a.gains || net(b) - net(a)).slice(0, MOST_CURVES);
  let curves = null;

  function moneySection() {
    curves = figures.curves("Net money over twelve months: what a version has saved less what it cost, by the middle estimates" +
      (cases.length > drawn.length ? ", of those that save most." : "."), "net money" + (currency ? ", " + currency : ""),
    drawn.map((c) => `${c.json.program}, ${c.json.target}: ${c.json.candidate}`), []);
    return [heading(2, "Does it pay?", "money"),
      paragraph("Cost is hours of work times their rate. A month saves runs \u00d7 passes \u00d7 GPUs \u00d7 (time of the source as it " +
        "is \u2212 time of the version) \u00d7 the price of a GPU's hour. Hours are estimated from what a version rewrites, unless " +
        "they are given; rates and runs that were not given are examples. Intervals and chances are over the uncertainty of the " +
        "time, the gain and the hours."),
      paragraph("Change a rate, and everything about money on this page follows."),
      form(), breakEven(), energy(), drawn.length ? curves.element : []];
  }

  // ---- live numbers --------------------------------------------------------------------------------

  // The reader's rates; null if one is wrong, which the note then tells.
  function readRates() {
    const options = {}, note = document.getElementById("rates-note");
    let wrong = "";
    for (const [key, label, , least, open, most] of rates) {
      const input = document.getElementById("in-" + key);
      const empty = input.value.trim() === "" && !input.validity.badInput;
      const value = empty && key === "hours" ? NaN : empty ? Infinity : input.valueAsNumber;
      const fine = (empty && key === "hours") || (value >= least && value <= most &&
        !(open && value === least) && !(key === "gpus" && !Number.isInteger(value)));
      input.setAttribute("aria-invalid", String(!fine));
      if (!fine && !wrong)
        wrong = `${label}: give a ${key === "gpus" ? "whole number" : "number"} ${open ? "above" : "from"} ${least}. ` +
          "The numbers below are for the rates before.";
      options[key] = value;
    }
    note.textContent = wrong;
    return wrong ? null : options;
  }

  function startMoney() {
    const prepared = cases.map((c) => money.prepare(c.json.money));
    const shown = Array.from(document.querySelectorAll("[data-live]"));
    const update = () => {
      const options = readRates();
      if (!options)
        return;
      const results = prepared.map((one) => money.solve(one, options));
      for (const element of shown)
        element.textContent = money.textOf(element.dataset.live, results[element.dataset.of],
          element.closest("td") ? "" : elements.clean(currency));
      curves.update(drawn.map((c) => ({ cost: results[c.number].cost.mid, saving: results[c.number].saving.mid })));
    };
    const rateForm = document.getElementById("rates");
    rateForm.addEventListener("input", update);
    rateForm.addEventListener("submit", (event) => event.preventDefault());
    rateForm.addEventListener("reset", () => setTimeout(update));
    update();
  }

  // ---- the page ------------------------------------------------------------------------------------

  const sections = [[summary(), prices ? [] : energy()], prices ? moneySection() : [], programs.length > 1 ? gains() : [],
    ...programs.map((name, number) => program.section(report, name, number,
      byProgram.map((c) => c.json).filter((json) => json.program === name))),
    roofline.section(report, programs), evidence.validation(report), evidence.trust(report), evidence.provenance(report)];
  const gpus = elements.clean(report.targets.map((t) => t.gpu).join(", "));
  const main = document.querySelector("main");

  document.title = `${gpus}: what it is worth`;
  document.querySelector("header p").textContent = gpus;
  main.append(...sections.map((section) => section.flat(Infinity)).filter((nodes) => nodes.length)
    .map((nodes) => make("section", null, nodes)));
  document.querySelector("nav ul").append(...Array.from(main.querySelectorAll("h2"), (h2) =>
    make("li", null, make("a", { href: "#" + h2.id }, h2.textContent))));
  if (prices)
    startMoney();
  figures.start();
})();
