import { ToolError } from "../engine/errors.js";
import { printable } from "../engine/printable.js";
import type { Values } from "./parameters.js";
import { decodedOrUnchanged } from "./path.js";
import { queryParts, StyledValue } from "./styles.js";

/** The maximum length of a name in an error, in characters. */
const MAX_NAME_LENGTH = 64;

/**
 * Refuses objects whose members become parameters of a query or fields of a form, and would be read as others of the
 * same request. Query and form are one to some readers, so the names of both are compared.
 *
 * @param groups the values of the query and of the form, by their names
 * @param fixedNames the names of further parameters, such as that of the credential
 * @throws ToolError that names the member
 */
export function refuseTakenNames(
  groups: readonly Values[],
  fixedNames: () => readonly string[],
): void {
  if (!groups.some((group) => Object.values(group).some(isObject))) return;
  const objects = groups.flatMap((group) =>
    Object.entries(group).filter(([, value]) => isObject(value)),
  );
  const names = [...groups.flatMap((group) => Object.keys(group)), ...fixedNames()];
  for (const [own, value] of objects) {
    const others = names.filter((name) => name !== own);
    const taken = addedNames(own, value).find((added) =>
      others.some((other) => isReadAs(added, other, own)),
    );
    if (taken === undefined) continue;
    const member = JSON.stringify(printable(taken, MAX_NAME_LENGTH));
    throw new ToolError(
      `The value of ${own} must not have the member ${member}, which would set another parameter of the request.`,
    );
  }
}

function isObject(value: unknown): boolean {
  const unstyled = value instanceof StyledValue ? value.value : value;
  return typeof unstyled === "object" && unstyled !== null;
}

/** The names, other than its own, under which a value is written. @throws ToolError for an unpaired surrogate */
function addedNames(own: string, value: unknown): string[] {
  try {
    const names = queryParts(own, value).map((part) =>
      decodeURIComponent(part.split("=", 1)[0] ?? ""),
    );
    return names.filter((name) => name !== own);
  } catch {
    throw new ToolError(`The value of ${own} is no well-formed text.`);
  }
}

/**
 * Whether some reader of the request takes an added name for another one. Below its own name, a value may add any
 * name but that of another parameter.
 */
function isReadAs(added: string, other: string, own: string): boolean {
  const [name, otherName] = [asRead(added), asRead(other)];
  return rootOf(name) === rootOf(asRead(own))
    ? name === otherName
    : rootOf(name) === rootOf(otherName);
}

/** A name as the most lenient readers take it: decoded again and again, without case, and as PHP changes names. */
function asRead(name: string): string {
  let decoded = name;
  for (let round = 0; round < 3; round++) decoded = decodedOrUnchanged(decoded);
  const [text = ""] = decoded.normalize("NFKC").split("\0", 1);
  return text.replaceAll("+", " ").trim().toLowerCase().replaceAll(/[ .]/g, "_");
}

/** The part of a name before the first bracket: some readers take `name[]` and `name[key]` for a list and an object. */
function rootOf(name: string): string {
  return name.split("[", 1)[0] ?? "";
}
