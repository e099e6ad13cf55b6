import { pageParameterTwice, pagesOfWrites } from "../../model/catalogue/bodies.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, mappingIn, textIn, type Mapping, methodOf } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

const PAGING_KEYS = ["cursor", "page", "link"];
const READING_METHODS = ["GET", "HEAD", "QUERY"];

/** Checks `paginate`: it says in one way how pages follow each other, and the request only reads. */
export function pageProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { body } = item;
  const pages = mappingIn(body, "paginate");
  if (pages === undefined) return [];
  const place = manifest.locate(pages.path, "key");
  const keys = PAGING_KEYS.filter((key) => has(pages.value, key));
  if (keys.length !== 1) return [contentConflict(place, { what: "paginate", keys: PAGING_KEYS })];
  const method = methodOf(body.value);
  return [
    ...parameterProblems(manifest, item, pages),
    ...(READING_METHODS.includes(method) ? [] : [pagesOfWrites(place, { method })]),
  ];
}

/** Reports a parameter for pages to which the request also gives a value. */
function parameterProblems(
  manifest: LoadedManifest,
  { body, names }: BodyItem,
  pages: Mapping,
): Diagnostic[] {
  return ["cursor", "page"].flatMap((key) => {
    const parameter = mappingIn(pages, key);
    const name = parameter && textIn(parameter.value, "query");
    if (name === undefined) return [];
    const query = mappingIn(body, "query");
    if (query !== undefined && has(query.value, name)) {
      return [pageParameterTwice(manifest.locate([...query.path, name], "key"), { name })];
    }
    const isArgument = !has(body.value, "query") && !has(body.value, "body") && names.has(name);
    if (!isArgument || isInPath(body, name)) return [];
    return [pageParameterTwice(manifest.locate([...pages.path, key], "key"), { name })];
  });
}

/** True if the path uses an argument. Such an argument does not go to the query by itself. */
function isInPath(body: Mapping, name: string): boolean {
  const path = textIn(body.value, "path") ?? JSON.stringify(body.value["path"] ?? "");
  return path.includes(`{{${name}}}`) || path.includes(`"from":"${name}"`);
}
