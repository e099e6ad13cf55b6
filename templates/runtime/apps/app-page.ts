import type { AppView } from "./app-view.js";

/** The handler of a resource that is the page of a tool: `handler: appPage({ … })` in `defineResource`. */
export function appPage(view: AppView): () => Promise<() => string> {
  return async () => {
    const { html } = await import("./app-document.js");
    const page = appDocument(html, view);
    return () => page;
  };
}

/** The page with what it shows. Nothing of the view can end the element that has it. */
export function appDocument(html: string, view: AppView): string {
  const data = JSON.stringify(view).replaceAll("<", "\\u003c");
  return html.replace(/(<script [^>]*id="data">)/, (tag) => tag + data);
}
