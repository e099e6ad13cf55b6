import { TOKEN_KEYS } from "../../credentials/index.js";
import { CALLER_GRANTS } from "../../model/bodies.js";
import { accountsWithoutPage } from "../../model/catalogue/linked-accounts.js";
import { nothingToExchange, sharedConnection } from "../../model/catalogue/acting.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { ACCOUNT_GRANT } from "../../model/linked-accounts.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { Place } from "../../model/place.js";
import { has, itemsOf, mappingIn, rootOf, textIn, type Mapping } from "../manifest-view.js";

/** Checks that an upstream that is asked in the name of callers can have a token of each. */
export function actingProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  const auth = mappingIn(upstream, "auth");
  const grant = auth && CALLER_GRANTS.find((kind) => has(auth.value, kind));
  if (auth === undefined || grant === undefined) return [];
  const place = manifest.locate([...auth.path, grant], "key");
  if (has(upstream.value, "mcp")) return [sharedConnection(place, { grant })];
  const ofCallers = mappingIn(rootOf(manifest), "auth")?.value ?? {};
  const hasTokens = TOKEN_KEYS.some((key) => has(ofCallers, key));
  if (!hasTokens) return [nothingToExchange(place, { grant })];
  return grant === ACCOUNT_GRANT ? accountProblems(manifest, place) : [];
}

/** Checks that there is a page on which callers sign in, and a name for each of the tools that are added. */
function accountProblems(manifest: LoadedManifest, place: Place): Diagnostic[] {
  const hasPages = itemsOf(manifest, "transports").some(
    ({ value }) => textIn(value, "type") === "http",
  );
  return hasPages ? [] : [accountsWithoutPage(place, {})];
}
