// Draws figures by Chart.js on canvases. Each figure has a text that says what it shows, and a
// table beside it has the same numbers. Without Chart.js only the texts are shown.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const figures = (() => {
  const { make } = elements;
  const SERIES_COLOURS = 8, PALE = "73";
  const drawings = []; // {box, canvas, config(), chart}; chart is null until it is drawn

  const css = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // Colour i of a series. From SERIES_COLOURS on, the colours are pale.
  const colour = (i) => css("--s" + (i % SERIES_COLOURS)) + (i < SERIES_COLOURS ? "" : PALE);
  const numbers = (count) => [...Array(count).keys()];

  // Cuts a long name in its middle.
  function shorten(name, most) {
    const text = elements.clean(name), half = Math.floor((most - 1) / 2);
    return text.length <= most ? text : text.slice(0, half) + "\u2026" + text.slice(-half);
  }

  // ---- plugins of Chart.js -------------------------------------------------------------------

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
      ctx.strokeStyle = css("--ink");
      ctx.stroke();
      ctx.restore();
    },
  };

  // Writes dataset.along above a dataset that is a line: at the right end of a level line, else at
  // the left end.
  const lineLabels = {
    id: "lineLabels",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area } = chart;
      ctx.save();
      ctx.fillStyle = css("--ink");
      ctx.font = `11px ${chart.options.font.family}`;
      chart.data.datasets.forEach((dataset, d) => {
        const [from, to] = chart.getDatasetMeta(d).data;
        if (!dataset.along)
          return;
        const level = from.y === to.y;
        ctx.save();
        ctx.translate(level ? area.right - 4 : from.x, from.y);
        ctx.rotate(Math.atan2(to.y - from.y, to.x - from.x));
        ctx.textAlign = level ? "right" : "left";
        ctx.fillText(dataset.along, level ? 0 : 12, -5);
        ctx.restore();
      });
      ctx.restore();
    },
  };

  // ---- options of all charts -----------------------------------------------------------------

  // Options of an axis in the colours of the page.
  const axis = (title, more = {}) => ({
    title: { display: title !== "", text: title, color: css("--ink") },
    grid: { color: css("--grid"), borderColor: css("--ink"), ...more.grid },
    ...more.scale,
    ticks: { color: css("--ink"), ...more.ticks },
  });

  // A logarithmic axis from lo to hi, marked at `ticks`.
  const logAxis = (title, lo, hi, ticks, write) => axis(title, {
    scale: {
      type: "logarithmic", min: lo, max: hi,
      afterBuildTicks: (scale) => {
        scale.ticks = ticks.filter((tick) => tick >= lo && tick <= hi).map((value) => ({ value }));
      },
    },
    ticks: { maxRotation: 0, autoSkip: false, callback: write },
  });
  // Powers of ten from lo to hi, times each of `factors`.
  const decades = (lo, hi, factors) => {
    const first = Math.floor(Math.log10(lo)), last = Math.ceil(Math.log10(hi));
    return numbers(last - first + 1).flatMap((i) => factors.map((f) => f * 10 ** (first + i)));
  };

  // Makes the configuration of a chart. tip: function that returns the text of an item's tooltip.
  function chart(type, labels, datasets, scales, tip, more) {
    const title = (items) => (labels ? elements.clean(labels[items[0].dataIndex]) : "");
    return {
      type,
      data: { labels, datasets },
      plugins: [whiskers, lineLabels],
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        font: { family: getComputedStyle(document.body).fontFamily, size: 12 },
        layout: { padding: { right: 8, top: 4 } },
        scales,
        plugins: {
          legend: { display: false },
          tooltip: {
            filter: (item) => item.dataset.type !== "line",
            callbacks: { title, label: (item) => elements.clean(tip(item)) },
          },
        },
        ...more,
      },
    };
  }

  // ---- drawing -------------------------------------------------------------------------------

  function draw(drawing) {
    if (drawing.chart)
      drawing.chart.destroy();
    drawing.chart = new Chart(drawing.canvas, drawing.config());
  }
  const redraw = () => drawings.filter((d) => d.chart).forEach(draw);

  // Draws each chart when it comes near the window, because a report may have hundreds. Draws all
  // charts for a printer, in the colours of paper.
  function start() {
    if (typeof Chart === "undefined")
      return;
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((e) => e.isIntersecting)) {
        watch.unobserve(entry.target);
        draw(drawings.find((d) => d.box === entry.target));
      }
    }, { rootMargin: "1500px" });
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

  // The names of the series and their colours.
  const legend = (series, colours) => make("ul", { class: "legend" }, series.map((name, i) => {
    const pale = colours[i] < SERIES_COLOURS ? "" : " faint";
    return make("li", { class: `s${colours[i] % SERIES_COLOURS}${pale}` }, elements.breakable(name));
  }));

  // Makes a figure of `height` pixels. Fewer than two series have no legend. config: function that
  // makes the configuration of the chart, in the current colours of the page. The result's redraw()
  // draws the chart again after its data have changed.
  function figure(text, height, series, colours, config) {
    if (typeof Chart === "undefined") {
      const why = " Not drawn: Chart.js was not installed where this report was written.";
      return make("figure", null, make("figcaption", null, text + why));
    }
    const canvas = make("canvas", { role: "img", "aria-label": text });
    const box = make("div", { class: "chart", style: `height: ${height}px` }, canvas);
    const drawing = { box, canvas, config, chart: null };
    const element = make("figure", null, series.length < 2 ? null : legend(series, colours), box,
      make("figcaption", null, text));
    drawings.push(drawing);
    element.redraw = () => drawing.chart && draw(drawing);
    return element;
  }

  return { css, colour, numbers, shorten, axis, logAxis, decades, chart, figure, start };
})();
