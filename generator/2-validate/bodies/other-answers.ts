import { bodyAsks } from "../../model/catalogue/bodies.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

/** What answers instead of a body; of two bodies, the first in this order is told of the second. */
const OTHER_ANSWERS = [
  "http",
  "sql",
  "exec",
  "directory",
  "mcp",
  "content",
  "structuredContent",
  "text",
  "blob",
  "file",
  "messages",
];
const ASKING = ["uses", "elicitations"];

/** An item has one thing that answers, and a body asks nothing. @param kind the key of the body */
export function otherAnswers(
  manifest: LoadedManifest,
  { item, what }: BodyItem,
  kind: string,
): Diagnostic[] {
  const others = OTHER_ANSWERS.slice(OTHER_ANSWERS.indexOf(kind) + 1);
  const other = others.find((key) => has(item.value, key));
  const asking = ASKING.filter((key) => has(item.value, key));
  return [
    ...(other === undefined
      ? []
      : [
          contentConflict(manifest.locate([...item.path, other], "key"), {
            what,
            keys: [kind, other],
          }),
        ]),
    ...asking.map((key) => bodyAsks(manifest.locate([...item.path, key], "key"), { key })),
  ];
}
