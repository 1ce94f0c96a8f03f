// Fields of another topology or workload than the chosen one are not shown, and not sent. Without
// this script all of them are there, and say for which they are.
"use strict";
for (const field of document.querySelectorAll("[data-only-with]")) {
  const chooser = document.getElementById(field.dataset.decides);
  if (!chooser) continue;
  const names = field.dataset.onlyWith.split(" ");
  const show = () => {
    const there = names.includes(chooser.value);
    field.hidden = !there;
    for (const input of field.querySelectorAll("input, select")) input.disabled = !there;
  };
  chooser.addEventListener("change", show);
  show();
}
// On a wide screen there is room for all groups. Without this script they open by their headings.
if (matchMedia("(min-width: 601px)").matches)
  for (const group of document.querySelectorAll("details.group")) group.open = true;
