import { stepsOf } from "../../../templates/runtime/upstreams/pointer.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import { changingValueAbsent, changingValueMisfit } from "../../model/catalogue/tool-examples.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { dialectOf, ownValue } from "../../schema/json-schema.js";
import { quoted } from "../../text/value-words.js";
import { entriesIn, type Mapping } from "../manifest-view.js";
import { checkPatterns } from "./check-patterns.js";
import { describeFindings } from "./describe-findings.js";
import type { CheckRun } from "./schema-document.js";
import type { ValueChecker } from "./value-checker.js";

const OUTCOMES = ["result", "text", "error"];
const KINDS = ["type", "pattern", "any"];

/** Checks the `matches` of an example: what holds for the values of its answer that differ from call to call. */
export function* checkMatchers(
  example: Mapping,
  run: CheckRun,
  checker: ValueChecker,
): Generator<Diagnostic> {
  const outcome = OUTCOMES.find((key) => Object.hasOwn(example.value, key));
  for (const [pointer, matcher, path] of entriesIn(example, "matches")) {
    if (!isJsonObject(matcher)) continue;
    const [kind, other] = KINDS.filter((key) => Object.hasOwn(matcher, key));
    if (kind === undefined || other !== undefined) {
      const place = run.manifest.locate(path, "value");
      yield contentConflict(place, { what: "a matcher", keys: KINDS });
      continue;
    }
    const faults = [...checkSchemaOf(matcher, path, run)];
    yield* faults;
    if (outcome === undefined) continue;
    const values = valuesAt(ownValue(example.value, outcome), stepsOf(pointer));
    if (values.length === 0) {
      const place = run.manifest.locate(path, "key");
      yield changingValueAbsent(place, { pointer: quoted(pointer), outcome });
    } else if (faults.every(({ severity }) => severity !== "error")) {
      const findings = values.flatMap((value) =>
        checker.findings(value, schemaOf(matcher), schemaOf(matcher)),
      );
      const [first] = describeFindings(findings);
      if (first === undefined) continue;
      const place = run.manifest.locate([...path, kind], "value");
      yield changingValueMisfit(place, { problem: first.problem });
    }
  }
}

function checkSchemaOf(matcher: JsonObject, at: ManifestPath, run: CheckRun): Iterable<Diagnostic> {
  const root = schemaOf(matcher);
  const document = { run, at, role: "output" as const, root, dialect: dialectOf(root) };
  return checkPatterns({ schema: root, path: [] }, document);
}

/** The JSON Schema of what a matcher accepts. */
function schemaOf({ type, pattern }: JsonObject): JsonObject {
  if (typeof pattern === "string") return { type: "string", pattern };
  return typeof type === "string" ? { type } : {};
}

/** The values to which the steps of a pointer lead. A step `*` leads to every item of a list. */
function valuesAt(
  value: JsonValue | undefined,
  [step, ...inner]: readonly string[],
): readonly JsonValue[] {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  if (Array.isArray(value)) {
    const items = step === "*" ? value : /^\d+$/.test(step) ? value.slice(+step, +step + 1) : [];
    return items.flatMap((item) => valuesAt(item, inner));
  }
  return isJsonObject(value) ? valuesAt(ownValue(value, step), inner) : [];
}
