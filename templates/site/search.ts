import MiniSearch from "minisearch";

/** A page of the site, as `documents.js` lists it. */
interface FoundPage {
  /** Its path from the beginning of the site. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

declare global {
  /** Set by `documents.js`. */
  var sitePages: readonly FoundPage[] | undefined;
}

const root = document.body.dataset["root"] ?? "";
const input = document.querySelector<HTMLInputElement>("#search");
const list = document.querySelector<HTMLElement>("#found");
let index: Promise<MiniSearch<FoundPage>> | undefined;

/** Most pages that are shown. */
const MOST_SHOWN = 12;

/** Reads the texts of all pages. A script is read from a disk, too, where a request is refused. */
function readPages(): Promise<MiniSearch<FoundPage>> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}documents.js`;
    script.addEventListener("error", () => reject(new Error("documents.js cannot be read")));
    script.addEventListener("load", () => {
      const search = new MiniSearch<FoundPage>({
        fields: ["title", "text"],
        storeFields: ["title"],
        searchOptions: { boost: { title: 4 }, prefix: true, combineWith: "AND" },
      });
      search.addAll(globalThis.sitePages ?? []);
      resolve(search);
    });
    document.head.append(script);
  });
}

async function show(): Promise<void> {
  if (input === null || list === null) return;
  const words = input.value.trim();
  const search = await (index ??= readPages());
  if (words !== input.value.trim()) return;
  const found = words === "" ? [] : search.search(words).slice(0, MOST_SHOWN);
  list.hidden = words === "";
  list.replaceChildren(...(found.length > 0 ? found.map(linkTo) : [item("Nothing was found.")]));
}

function linkTo({ id, title }: { readonly id: string; readonly title?: string }): HTMLElement {
  const link = document.createElement("a");
  link.href = root + id;
  link.textContent = title ?? id;
  return item(link);
}

function item(content: string | HTMLElement): HTMLElement {
  const entry = document.createElement("li");
  entry.append(content);
  return entry;
}

input?.addEventListener("input", () => void show());
