import "./without-eval.js";
import { render } from "preact";
import { App } from "./app.js";
import type { PageData } from "./connection/page-data.js";

function embeddedData(): PageData {
  const text = document.getElementById("data")?.textContent ?? "";
  return text === "" ? {} : (JSON.parse(text) as PageData);
}

const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<App {...embeddedData()} />, root);
}
