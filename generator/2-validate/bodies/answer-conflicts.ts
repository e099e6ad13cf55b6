import { BODY_KEYS } from "../../bodies/index.js";
import { bodyAsks } from "../../model/catalogue/bodies.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

/** The keys of items that answer requests. Of two, the key that is later in this list is reported. */
const ANSWER_KEYS: readonly string[] = [
  ...BODY_KEYS,
  "content",
  "structuredContent",
  "text",
  "blob",
  "file",
  "messages",
];
const ASKING = ["uses", "elicitations"];

/**
 * Reports another answer of an item beside its body, and questions to the client, which a body cannot ask.
 *
 * @param kind the key of the body
 */
export function answerConflicts(
  manifest: LoadedManifest,
  { item, what }: BodyItem,
  kind: string,
): Diagnostic[] {
  const others = ANSWER_KEYS.slice(ANSWER_KEYS.indexOf(kind) + 1);
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
