import { bodyAsks } from "../../model/catalogue/bodies.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has } from "../manifest-view.js";
import type { BodyTool } from "./body-tool.js";

/** What answers instead of a body; of two bodies, the first in this order is told of the second. */
const OTHER_ANSWERS = ["http", "sql", "content", "structuredContent"];
const ASKING = ["uses", "elicitations"];

/** A tool has one thing that answers, and a body asks nothing. @param kind the key of the body */
export function otherAnswers(
  manifest: LoadedManifest,
  { tool }: BodyTool,
  kind: string,
): Diagnostic[] {
  const others = OTHER_ANSWERS.slice(OTHER_ANSWERS.indexOf(kind) + 1);
  const other = others.find((key) => has(tool.value, key));
  const asking = ASKING.filter((key) => has(tool.value, key));
  return [
    ...(other === undefined
      ? []
      : [
          contentConflict(manifest.locate([...tool.path, other], "key"), {
            what: "the tool",
            keys: [kind, other],
          }),
        ]),
    ...asking.map((key) => bodyAsks(manifest.locate([...tool.path, key], "key"), { key })),
  ];
}
