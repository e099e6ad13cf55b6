import type { HttpBodyModel, SqlBodyModel } from "../../model/bodies.js";
import { CALLER_SUBJECT, claimIn, isOfCaller } from "../../text/caller-placeholders.js";
import { callOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import type { Entry } from "../modules/item-settings.js";
import { memberOf } from "../modules/structures.js";
import type { BodyArgument } from "./arguments.js";
import { placeholdersOfBody } from "./http-placeholders.js";
import type { ValueWriter } from "./value-writer.js";

/** What a body uses of its caller, by the names of the placeholders, with the code that reads it. */
export function callerArguments(body: HttpBodyModel): Map<string, BodyArgument> {
  return new Map(
    callerPlaceholdersOf(body).map((name) => {
      const claim = claimIn(name);
      const identifier = claim === undefined ? CALLER_SUBJECT : memberOf("caller.claims", claim);
      return [name, { name, identifier, isPlainText: true, isRequired: true }];
    }),
  );
}

/** The statement that reads what a body uses of its caller, and refuses callers who lack it. Nothing if it uses nothing. */
export function callerStatements(body: HttpBodyModel, writer: ValueWriter): Code[] {
  const names = callerPlaceholdersOf(body);
  if (names.length === 0) return [];
  const { claims = {} } = body;
  const types = names.flatMap((name) => {
    const claim = claimIn(name);
    return claim === undefined ? [] : [[claim, claims[claim] ?? "string"] as const];
  });
  const settings = types.length === 0 ? [] : [literalOf(Object.fromEntries(types))];
  return [
    sequenceOf(["const caller = ", callOf(writer.imported("callerOf"), ["ctx", ...settings]), ";"]),
  ];
}

/** True if the code of a body asks who calls. */
export function usesCaller(body: HttpBodyModel | SqlBodyModel): boolean {
  return body.kind === "sql" ? body.caller !== undefined : callerPlaceholdersOf(body).length > 0;
}

/** The statement that reads what an `sql` body takes of its caller, and refuses callers who lack it. */
export function statementCallerCode({ caller }: SqlBodyModel): Code[] {
  if (caller === undefined) return [];
  const { claims } = caller;
  const settings = Object.keys(claims).length === 0 ? [] : [literalOf({ ...claims })];
  return [sequenceOf(["const caller = ", callOf("callerOf", ["ctx", ...settings]), ";"])];
}

/** The options of a query that hand over to the database what it may know of the caller. */
export function statementCallerOptions({ caller }: SqlBodyModel): Entry[] {
  if (caller === undefined) return [];
  const { role, set } = caller;
  const valueOf = (claim: string | undefined): Code =>
    claim === undefined ? CALLER_SUBJECT : memberOf("caller.claims", claim);
  const settings = set.map(([name, { claim }]): Entry => [name, valueOf(claim)]);
  return [
    ...(role === undefined ? [] : [["role", roleCode(role, valueOf(role.claim))] as const]),
    ...(settings.length === 0 ? [] : [["set", objectOf(settings)] as const]),
  ];
}

function roleCode({ oneOf }: { readonly oneOf: readonly string[] }, name: Code): Code {
  return objectOf([
    ["name", name],
    ["oneOf", literalOf([...oneOf])],
  ]);
}

function callerPlaceholdersOf(body: HttpBodyModel): string[] {
  return [...new Set(placeholdersOfBody(body).filter(isOfCaller))];
}
