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

  window.weftViews = {};
  function draw(element) {
    var target = element.dataset.for;
    return window.vegaEmbed("#" + target, JSON.parse(element.textContent), {
      renderer: "svg",
      downloadFileName: target,
      actions: { export: { svg: true, png: true }, source: false, compiled: false, editor: false }
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
  Promise.all(specs.map(draw)).then(function () {
    Array.prototype.forEach.call(document.querySelectorAll("figure"), share);
    root.dataset.drawn = specs.length;
  });
})();
