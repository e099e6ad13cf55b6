import "../without-eval.js";
import { render } from "preact";
import type { AppView } from "../../runtime/apps/app-view.js";
import { ResultPage } from "./result-page.js";

const root = document.getElementById("page");
const view = JSON.parse(document.getElementById("data")?.textContent ?? "") as AppView;
if (root !== null) {
  root.replaceChildren();
  document.title = view.title;
  render(<ResultPage view={view} />, root);
}
