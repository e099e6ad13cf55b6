import { CREDENTIALS } from "../../model/auth.js";
import { CALLER_GRANTS } from "../../model/bodies.js";
import { nothingToExchange, sharedConnection } from "../../model/catalogue/acting.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, mappingIn, rootOf, type Mapping } from "../manifest-view.js";

/** Checks that an upstream that is asked in the name of callers can have a token of each. */
export function actingProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  const auth = mappingIn(upstream, "auth");
  const grant = auth && CALLER_GRANTS.find((kind) => has(auth.value, kind));
  if (auth === undefined || grant === undefined) return [];
  const place = manifest.locate([...auth.path, grant], "key");
  if (has(upstream.value, "mcp")) return [sharedConnection(place, { grant })];
  const ofCallers = mappingIn(rootOf(manifest), "auth")?.value ?? {};
  const hasTokens = Object.entries(CREDENTIALS).some(
    ([key, { isToken }]) => isToken && has(ofCallers, key),
  );
  return hasTokens ? [] : [nothingToExchange(place, { grant })];
}
