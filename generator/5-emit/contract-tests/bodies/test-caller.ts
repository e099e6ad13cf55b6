import type { Authentication } from "../../../../templates/runtime/authentication/authentication.js";
import type { ClaimTypes } from "../../../model/auth.js";
import { CALLER_GRANTS, type HttpBodyModel, type SqlBodyModel } from "../../../model/bodies.js";
import type { ServerModel } from "../../../model/server-model.js";
import type { JsonObject } from "../../../model/json.js";
import { CALLER_SUBJECT, claimPlaceholder } from "../../../text/caller-placeholders.js";

/** The name of the caller in tests. It would change the request if it were not encoded. */
const SUBJECT = "ada&a=b/c?d#e%";

const CLAIMS = { string: "x&y=z/w?v#u%", number: 1.5, integer: 7, boolean: true } as const;

/** The caller of tests, who has all scopes, and all claims that bodies may use; undefined if neither a body nor its upstream needs one. */
export function testCaller(
  model: ServerModel,
  body?: HttpBodyModel | SqlBodyModel,
): Authentication | undefined {
  const { upstreams = [], auth } = model;
  const exchanges = upstreams.some(({ settings }) => {
    const { kind } = (settings["auth"] ?? {}) as { readonly kind?: string };
    return kind !== undefined && CALLER_GRANTS.includes(kind);
  });
  const usesCaller = body?.kind === "sql" ? body.caller : body?.claims;
  if (usesCaller === undefined && !exchanges) return undefined;
  const { claims = {} } = auth ?? {};
  const values = Object.entries(claims).map(([name, type]) => [name, CLAIMS[type]] as const);
  const role = body?.kind === "sql" ? body.caller?.role : undefined;
  const all = {
    ...{ sub: SUBJECT, ...Object.fromEntries(values) },
    ...(role && { [role.claim]: role.oneOf[0] }),
  };
  return { principal: `tests|${SUBJECT}`, scopes: allScopes(model), via: "jwt", claims: all };
}

/** The scopes that items need. */
function allScopes({ tools, resources, resourceTemplates, prompts }: ServerModel): string[] {
  const items = [...tools, ...resources, ...resourceTemplates, ...prompts];
  return [...new Set(items.flatMap(({ scopes = [] }) => scopes))];
}

/** The arguments of a call, with what the code of a body reads of the tests' caller, by the names of placeholders. */
export function withTestCaller(body: HttpBodyModel, values: JsonObject): JsonObject {
  const { claims = {} } = body;
  if (body.claims === undefined) return values;
  return {
    ...values,
    [CALLER_SUBJECT]: SUBJECT,
    ...Object.fromEntries(typedClaims(claims)),
  };
}

function typedClaims(claims: ClaimTypes): [string, string | number | boolean][] {
  return Object.entries(claims).map(([name, type]) => [claimPlaceholder(name), CLAIMS[type]]);
}
