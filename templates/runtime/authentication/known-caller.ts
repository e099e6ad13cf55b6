import { ProtocolError, RequestRefused } from "../engine/errors.js";
import { isKnownByToken, type Authentication } from "./authentication.js";
import { anybody } from "./public-methods.js";

/** The types that a claim can have, by their names in the manifest. */
interface ClaimValues {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
}

/** The types of claims, by the names of the claims. */
export type ClaimTypes = Readonly<Record<string, keyof ClaimValues>>;

/** What is known of a caller. */
export interface KnownCaller<Claims extends ClaimTypes> {
  /** The name of the caller: the `sub` of a token, or else the principal. It is unique within one issuer of tokens. */
  readonly subject: string;
  /** The claims of the caller's token that were asked for. */
  readonly claims: { readonly [Name in keyof Claims]: ClaimValues[Claims[Name]] };
}

const CHECKS: { readonly [Type in keyof ClaimValues]: (value: unknown) => boolean } = {
  // An empty name of a tenant would ask for what belongs to none, or to all.
  string: (value) => typeof value === "string" && value !== "",
  number: Number.isFinite,
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === "boolean",
};

/**
 * What is known of the caller of a handler.
 *
 * @param ctx the context of the handler
 * @param types the claims that are needed, with their types
 * @throws RequestRefused with 403 if nobody is known, or a claim is missing or has another type
 */
export function callerOf<const Claims extends ClaimTypes = Record<never, never>>(
  ctx: object,
  types?: Claims,
): KnownCaller<Claims> {
  const { auth } = ctx as { readonly auth?: Authentication | undefined };
  if (auth === undefined || auth === anybody) {
    throw refused("This needs to know who calls, and the caller has shown no credentials");
  }
  const { claims = {} } = auth;
  const values = Object.entries(types ?? {}).map(([name, type]) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (CHECKS[type](value)) return [name, value] as const;
    throw refused(
      `This needs the claim ${name} of the type ${type}, which the caller does not have`,
    );
  });
  return {
    subject: subjectOf(auth),
    claims: Object.fromEntries(values) as KnownCaller<Claims>["claims"],
  };
}

/** A token without a subject is of a program that calls for itself; nobody must be taken for a person of the same name. */
function subjectOf(caller: Authentication): string {
  if (!isKnownByToken(caller)) return caller.principal;
  const { sub } = caller.claims ?? {};
  if (typeof sub === "string" && sub !== "") return sub;
  throw refused("This needs a token with a subject (sub), which the caller does not have");
}

function refused(message: string): RequestRefused {
  return new RequestRefused(new ProtocolError(403, message));
}
