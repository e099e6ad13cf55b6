import { isJsonObject, type JsonValue } from "../model/json.js";
import type { FunctionName, Selection } from "../model/selection.js";

/**
 * A small answer that has each part that a selection selects. Parts with a name have their name as text. Whether the
 * selection finds something in it is not certain, as filters may exclude each other.
 */
export function madeAnswer(selection: Selection): JsonValue {
  return needed(selection, undefined) ?? {};
}

/** What is needed of a value; undefined if anything will do. */
type Need = JsonValue | undefined;

/** What the current value needs so that a selection finds something there, such as the wanted value. */
function needed(selection: Selection, wanted: Need): Need {
  switch (selection.kind) {
    case "current":
      return wanted;
    case "literal":
      return undefined;
    case "member":
      return { [selection.name]: wanted ?? selection.name };
    case "item":
      return [...Array<null>(Math.max(0, selection.index)).fill(null), wanted ?? "item"];
    case "slice":
      return listOf(wanted, Math.max(1, (selection.start ?? 0) + 1));
    case "then":
      return needed(selection.first, needed(selection.next, wanted));
    case "flat":
      return needed(selection.of, listOf(wanted, 1));
    case "members":
      return needed(selection.of, { key: firstOf(wanted) ?? "value" });
    case "where": {
      const item = merged(firstOf(wanted), needed(selection.test, true));
      return needed(selection.of, [item ?? "item"]);
    }
    case "each":
      return needed(selection.of, [needed(selection.select, firstOf(wanted)) ?? "item"]);
    case "object":
      return allNeeded(selection.members.map(([, value]) => value));
    case "list":
      return allNeeded(selection.items);
    case "either":
      return needed(selection.first, wanted);
    case "both":
      return merged(needed(selection.first, true), needed(selection.other, wanted));
    case "not":
      return needed(selection.of, false);
    case "compare":
      return comparable(selection);
    case "call":
      return merged(
        ...selection.given.map((argument, index) =>
          needed(argument, argumentOf(selection.name, index, selection.given)),
        ),
      );
  }
}

function allNeeded(selections: readonly Selection[]): Need {
  return merged(...selections.map((selection) => needed(selection, undefined)));
}

/** A value for which a comparison with a literal is true. */
function comparable({ operator, left, right }: Extract<Selection, { kind: "compare" }>): Need {
  const [subject, other] = right.kind === "literal" ? [left, right] : [right, left];
  if (other.kind !== "literal") return allNeeded([left, right]);
  const { value } = other;
  if (operator === "==" || typeof value !== "number") {
    return needed(subject, operator === "!=" ? undefined : value);
  }
  const isGreater = operator.startsWith(">") === (subject === left);
  if (operator.endsWith("=") && operator !== "!=") return needed(subject, value);
  return needed(subject, isGreater ? value + 1 : value - 1);
}

/** An argument that a function takes. */
function argumentOf(name: FunctionName, index: number, given: readonly Selection[]): Need {
  switch (name) {
    case "join":
      return index === 1 ? ["one", "two"] : undefined;
    case "length":
      return ["one", "two"];
    case "sum":
      return [1, 2];
    case "keys":
    case "values":
      return { key: "value" };
    case "contains":
    case "starts_with":
    case "ends_with": {
      const searched = given[1];
      return index === 0 && searched?.kind === "literal" ? searched.value : undefined;
    }
    default:
      return undefined;
  }
}

function listOf(wanted: Need, length: number): JsonValue[] {
  const items = Array.isArray(wanted) ? wanted : [wanted ?? "item"];
  return [...Array<JsonValue>(length - 1).fill("item"), ...items];
}

function firstOf(wanted: Need): Need {
  return Array.isArray(wanted) ? wanted[0] : wanted;
}

/** A value that has the members and items of several ones. Of different scalars, the first one stays. */
export function merged(...needs: readonly Need[]): Need {
  return needs.reduce<Need>((one, other) => {
    if (one === undefined || other === undefined) return one ?? other;
    if (isJsonObject(one) && isJsonObject(other)) {
      const names = new Set([...Object.keys(one), ...Object.keys(other)]);
      return Object.fromEntries(
        [...names].map((name) => [name, merged(one[name], other[name]) ?? null]),
      );
    }
    if (Array.isArray(one) && Array.isArray(other)) {
      const length = Math.max(one.length, other.length);
      return Array.from({ length }, (_item, index) => merged(one[index], other[index]) ?? null);
    }
    return typeof one === "object" || typeof other !== "object" ? one : other;
  }, undefined);
}
