// Writes the report into the page: the summary, costs and savings, and the sections of the other
// scripts.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
(() => {
  const { paragraph, heading, live, tableOf } = elements;
  const { find, gainOf, timeOf } = program;
  const known = format.isFinite, gainRange = format.gainRange;
  const MOST_SENTENCES = 3, LONGEST_NAME = 32;
  const report = JSON.parse(document.getElementById("data").textContent);

  // ---- the cases: a program on a target ------------------------------------------------------

  // number: that of the case's live texts. candidate: the version that money is about.
  const cases = report.targets.flatMap((target) => target.programs.map((json) => ({
    json, target, best: find(json, json.best), candidate: find(json, json.candidate),
    isBase: json.candidate === json.base, gains: json.best !== json.base })));
  cases.forEach((c, number) => { c.number = number; });
  const programs = [...new Set(cases.map((c) => c.json.program))];
  const casesOf = (name) => cases.filter((c) => c.json.program === name);
  const pays = payback(report, cases);

  // ---- the summary ---------------------------------------------------------------------------

  // Cuts a name that is too long for a sentence. The tables show it in full.
  function shortName(name) {
    const bytes = new TextEncoder().encode(name);
    if (bytes.length <= LONGEST_NAME)
      return name;
    const start = new TextDecoder().decode(bytes.slice(0, LONGEST_NAME)).replace(/\ufffd+$/, "");
    return start + "\u2026";
  }

  function sentence(c) {
    const v = c.candidate, { base, program: name, size } = c.json;
    const g = gainOf(v), gain = format.gain(g.gain), short = shortName(v.variant);
    const start = ` For ${name} at size ${size}`;
    if (c.isBase)
      return `${start} there is no other version than ${base}.`;
    return [
      start, c.gains ? `, ${short}: ${gain} the speed of ${base}`
        : `, ${base} as it is; the fastest other version, ${short}, has ${gain} its speed`,
      known(g.lo) && known(g.hi)
        ? ` (${g.measured ? "measured; " : ""}90 % interval ${gainRange(g)})` : "",
      known(v.chance) && !g.measured ? `, chance to be faster ${format.chance(v.chance)}` : "",
      v.missed ? ", which the prediction misses" : "",
      c.gains && pays
        ? ["; work of ", live("cost", c.number), ", paid back ", live("payback", c.number)] : "",
      "."];
  }

  function summaryOf(target) {
    const mine = cases.filter((c) => c.target === target), faster = mine.filter((c) => c.gains);
    const order = [...mine].sort((a, b) => b.candidate.gain - a.candidate.gain);
    const count = mine.length > 1
      ? `${faster.length} of ${mine.length} programs ${faster.length === 1 ? "has" : "have"} a`
      : faster.length ? "a" : "no other";
    return paragraph(`On ${target.gpu} (${target.target}), ${count} version ` +
      `${mine.length > 1 ? "that " : ""}is worth proposing.`,
    order.slice(0, MOST_SENTENCES).map(sentence));
  }

  function bestGain(c) {
    const g = gainOf(c.best), range = c.gains && known(g.lo) && known(g.hi);
    return [format.gain(g.gain), range ? gainRange(g) + (g.measured ? ", measured" : "") : ""];
  }

  const summary = () => [
    heading(2, "Summary", "summary"),
    report.targets.filter((target) => target.programs.length).map(summaryOf),
    tableOf("The best version of each program. Gain is the time of the source as it is over that " +
      "of the version, with its 90 % interval.", [
      { name: "Program", cell: (c) => c.json.program },
      { name: "Size", cell: (c) => c.json.size },
      { name: "GPU", cell: (c) => c.json.target },
      { name: "Best version", cell: (c) => c.json.best },
      { name: "#Time", cell: (c) => timeOf(c.best) },
      { name: "#Gain", cell: bestGain },
      { name: "#Chance faster", cell: (c) => (c.gains ? format.chance(c.best.chance) : "") },
      pays && { name: "#Has paid after",
        cell: (c) => (c.gains ? live("days", c.number) : "nothing to write") },
      pays && { name: "#Chance in a year", cell: (c) => (c.gains ? live("chance", c.number) : "") },
    ], programs.flatMap(casesOf)),
    report.left_out.length === 0 ? [] : paragraph(`${report.left_out.length} left out; the end ` +
      "of this report says what and why.")];

  const gains = () => [
    heading(2, "Gains", "gains"),
    charts.gains("What the proposed version of each program gains over the source as it is, and " +
      "where none is proposed the fastest other one. Lines are 90 % intervals.",
    "gain of the fastest other version, %", programs, report.targets.map((t) => t.target),
    report.targets.map((target) => programs.map((name) => {
      const c = casesOf(name).find((one) => one.target === target && !one.isBase);
      return c ? c.candidate : null;
    })))];

  // ---- the page ------------------------------------------------------------------------------

  const sections = [
    [summary(), pays ? [] : energy(report, cases)],
    pays ? pays.section() : [],
    programs.length > 1 ? gains() : [],
    ...programs.map((name, number) =>
      program.section(report, name, number, casesOf(name).map((c) => c.json))),
    roofline.section(report, programs.length > 1),
    evidence.validation(report), evidence.trust(report), evidence.provenance(report)];
  const gpus = elements.clean(report.targets.map((target) => target.gpu).join(", "));
  const main = document.querySelector("main");

  document.title = `${gpus}: what it is worth`;
  document.querySelector("header p").textContent = gpus;
  main.append(...sections.map((section) => section.flat(Infinity)).filter((nodes) => nodes.length)
    .map((nodes) => elements.make("section", null, nodes)));
  document.querySelector("nav ul").append(...Array.from(main.querySelectorAll("h2"), (h2) =>
    elements.make("li", null, elements.make("a", { href: "#" + h2.id }, h2.textContent))));
  if (pays)
    pays.start();
  figures.start();
})();
