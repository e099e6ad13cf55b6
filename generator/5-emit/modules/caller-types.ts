import { CREDENTIALS } from "../../credentials/index.js";
import type { ServerModel } from "../../model/server-model.js";
import type { Declaration } from "../declaration.js";
import { identifiesCallers, verifiesCallers } from "../model-facts.js";
import type { FileStatement } from "../typescript-printer.js";
import { importTypes, typeAlias } from "./structures.js";

/** The type of `ctx.auth`. If the manifest authenticates callers, it is the union of their types. */
function authType(model: ServerModel): string {
  return verifiesCallers(model) ? "Auth" : "Authentication";
}

/** The type of the context's member `auth`; empty if no caller is authenticated. */
export function authMember(model: ServerModel): string[] {
  return identifiesCallers(model) ? [`{ readonly auth: ${authType(model)} | undefined }`] : [];
}

/** The import of the runtime's type of `ctx.auth`, if that type is used. */
export function authImport(model: ServerModel): ReturnType<typeof importTypes>[] {
  return identifiesCallers(model) && !verifiesCallers(model)
    ? [importTypes("@mcpwright/runtime", ["Authentication"])]
    : [];
}

/** The import of the types of callers, if the manifest authenticates them. */
export function callerImport(model: ServerModel): FileStatement[] {
  const names = verifiesCallers(model) ? callerTypes(model) : [];
  return names.length === 0 ? [] : [importTypes("@mcpwright/runtime/auth", names)];
}

/** The type `Auth`, if the manifest authenticates callers. */
export function callerType(model: ServerModel): Declaration[] {
  if (!verifiesCallers(model)) return [];
  const docs = "The caller of a request over the network; `via` tells how it is authenticated.";
  return [typeAlias("Auth", callerTypes(model).join(" | "), docs)];
}

/** The types of callers, one for each kind of credentials in the manifest. `via` tells them apart. */
function callerTypes({ auth }: ServerModel): string[] {
  if (auth === undefined) return [];
  const types = auth.credentials.map(({ kind }) => CREDENTIALS[kind].callerType).sort();
  return [...new Set(types), "OtherCaller"];
}
