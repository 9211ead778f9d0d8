// Every figure that has data gets a chart in its picture's place when it comes into view. Tables with filters get their
// controls.

import css from "./page.css";
import { mount } from "./figure.js";
import { enhance } from "./tables.js";

const style = document.createElement("style");
style.textContent = css;
document.head.append(style);

const samples = JSON.parse(document.getElementById("samples")?.textContent ?? "{}");
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    mount(target, samples);
  }
}, { rootMargin: "300px" });

for (const data of document.querySelectorAll("figure.chart > script")) {
  observer.observe(data.parentElement);
}

for (const box of document.querySelectorAll("div.table[data-filters]")) enhance(box);
