import { quoted } from "../text/value-words.js";
import type { JsonValue } from "../model/json.js";
import type { Excess } from "../schema/comparison/finding.js";
import { typeWords } from "../schema/comparison/value-types.js";
import { jsonExcerpt, jsonList } from "./wording.js";

/** What a finding means to callers. */
export interface Meaning {
  readonly role: "input" | "output";
  /** True if the old schema accepts what the new one refuses, false if it is the other way round. */
  readonly narrowed: boolean;
}

/** Says what one of the two schemas accepts and the other does not. */
export function excessWords(excess: Excess, meaning: Meaning): string {
  switch (excess.kind) {
    case "type":
      return valueWords(`${typeWords(excess.types)}${formWords(excess, meaning)}`, meaning);
    case "enum":
      return excess.values === undefined
        ? openWords(meaning)
        : valueWords(jsonList(excess.values), meaning);
    case "range":
    case "text":
      return meaning.narrowed
        ? limitWords(excess.keyword, excess.narrow, excess.wide)
        : limitWords(excess.keyword, excess.wide, excess.narrow);
    case "absent property":
      return absenceWords(quoted(excess.property), meaning);
    case "described property":
    case "refused property":
      return propertyWords(quoted(excess.property), excess.kind, meaning);
    case "other properties":
      return valueWords(`${excess.isAll ? "" : "some "}properties that are not described`, meaning);
    case "value":
      return valueWords(`values such as ${jsonExcerpt(excess.value)}`, meaning);
    case "undecided":
      return undecidedWords(excess.keyword, meaning);
  }
}

function valueWords(values: string, { role, narrowed }: Meaning): string {
  const verb = role === "input" ? "accepted" : "returned";
  return `${narrowed ? "no longer" : "now"} ${verb}: ${values}`;
}

function formWords({ acceptsOthers = false }: Excess & { kind: "type" }, { narrowed }: Meaning) {
  if (!acceptsOthers) return "";
  return narrowed ? " of the former form" : " of a new form";
}

function openWords({ role, narrowed }: Meaning): string {
  const verb = role === "input" ? "accepted" : "returned";
  return narrowed ? `only a few values are ${verb} now` : `more than a few values are ${verb} now`;
}

function limitWords(keyword: string, before: JsonValue | undefined, after: JsonValue | undefined) {
  if (before === undefined) return `${keyword} is new: ${jsonExcerpt(after ?? null)}`;
  if (after === undefined) return `${keyword} was ${jsonExcerpt(before)}, is gone`;
  return `${keyword} was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`;
}

function absenceWords(property: string, { role, narrowed }: Meaning): string {
  if (role === "input") {
    return narrowed ? `callers must give ${property} now` : `callers may leave ${property} out now`;
  }
  return narrowed ? `${property} is always there now` : `${property} may be missing now`;
}

/** A property is gone if the new schema refuses it or does not describe it. */
function propertyWords(property: string, kind: Excess["kind"], meaning: Meaning): string {
  const isGone = (kind === "refused property") === meaning.narrowed;
  if (meaning.role === "output") {
    if (isGone) return `${property} is not returned any more`;
    const isSurprise = kind === "refused property";
    return `${property} is returned now${isSurprise ? ", which the schema had ruled out" : ""}`;
  }
  if (!isGone) return `callers may give ${property} now`;
  return meaning.narrowed
    ? `${property} is not accepted any more`
    : `${property} is not described any more, and probably ignored`;
}

function undecidedWords(keyword: string, { role }: Meaning): string {
  const reason = keyword === "" ? "the schemas are too large" : `\`${keyword}\` was not understood`;
  return role === "input"
    ? `cannot tell whether all that was accepted still is: ${reason}`
    : `cannot tell whether all that is returned was promised: ${reason}`;
}
