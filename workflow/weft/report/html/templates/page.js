(function () {
  "use strict";
  var root = document.documentElement;
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var chosen = null;
  try { chosen = window.localStorage.getItem("weft-theme"); } catch (error) { chosen = null; }

  function show() { root.dataset.theme = chosen || (dark.matches ? "dark" : "light"); }
  show();
  dark.addEventListener("change", show);
  document.getElementById("theme").addEventListener("click", function () {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    try { window.localStorage.setItem("weft-theme", chosen); } catch (error) { /* stays for now */ }
    show();
  });

  // On a phone the contents would fill the first screen; on paper nothing can be unfolded.
  if (window.matchMedia("(max-width: 860px)").matches) {
    document.querySelector(".contents details").open = false;
  }
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("main details.caveat").forEach(function (each) { each.open = true; });
  });

  // The index: only the experiments that have what is chosen.
  var filters = document.getElementById("filters");
  function choose() {
    var entries = Array.prototype.slice.call(document.querySelectorAll(".entry"));
    var shown = entries.filter(function (entry) {
      var fits = Array.prototype.every.call(filters.querySelectorAll("select"), function (select) {
        var has = entry.dataset[select.dataset.key].split(" ");
        return !select.value || has.indexOf(select.value) >= 0;
      });
      entry.hidden = !fits;
      return fits;
    });
    filters.querySelector("output").textContent = shown.length + " of " + entries.length;
  }
  if (filters) {
    filters.hidden = false;
    filters.addEventListener("change", choose);
    choose();
  }

  // What a page holds compressed: its drawing library, and the data of figures.
  function unpack(base64) {
    var bytes = Uint8Array.from(atob(base64), function (letter) { return letter.charCodeAt(0); });
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }
  var unpacks = typeof DecompressionStream === "function";
  function save(event) {
    var link = event.currentTarget;
    event.preventDefault();
    unpack(link.href.slice(link.href.indexOf(",") + 1)).then(function (text) {
      var file = document.createElement("a");
      file.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      file.download = link.download.replace(/\.gz$/, "");
      file.click();
      URL.revokeObjectURL(file.href);
    });
  }
  if (unpacks) {
    document.querySelectorAll("a.download").forEach(function (link) {
      link.addEventListener("click", save);
    });
  }

  window.weftViews = {};
  function draw(element) {
    var target = element.dataset.for;
    var packed = element.type === "application/gzip";
    var text = packed ? unpack(element.textContent) : Promise.resolve(element.textContent);
    return text.then(function (spec) {
      // The element itself: names with an @ are no selectors.
      return window.vegaEmbed(document.getElementById(target), JSON.parse(spec), {
        renderer: "svg",
        // As everywhere on the page: a space before the sign.
        formatLocale: { decimal: ".", thousands: ",", grouping: [3], currency: ["$", ""], percent: "\u00a0%" },
        downloadFileName: target,
        actions: { export: { svg: true, png: true }, source: false, compiled: false, editor: false }
      });
    }).then(function (result) { window.weftViews[target] = result.view; });
  }

  // Panels of a figure share the legend of the first: what it singles out holds for all of them.
  var picked = "series_filter_store";
  function share(figure) {
    var views = Array.prototype.map.call(figure.querySelectorAll(".chart"), function (chart) {
      return window.weftViews[chart.id];
    });
    if (views.length < 2) { return; }
    try { views.forEach(function (view) { view.data(picked); }); } catch (error) { return; }
    views[0].addDataListener(picked, function (name, chosen) {
      views.slice(1).forEach(function (view) { view.data(picked, chosen).runAsync(); });
    });
  }
  var specs = Array.prototype.slice.call(document.querySelectorAll("script.spec"));
  var bundle = document.getElementById("bundle");
  function load() {
    if (!bundle) { return Promise.resolve(); }
    return unpack(bundle.textContent).then(function (code) {
      var script = document.createElement("script");
      script.textContent = code;
      document.head.appendChild(script);
    });
  }
  if (!unpacks) {
    document.querySelectorAll(".chart").forEach(function (chart) {
      chart.textContent = "This browser is too old to draw the figure; its data can be saved below.";
    });
    return;
  }
  load().then(function () { return Promise.all(specs.map(draw)); }).then(function () {
    Array.prototype.forEach.call(document.querySelectorAll("figure"), share);
    root.dataset.drawn = specs.length;
  });
})();
