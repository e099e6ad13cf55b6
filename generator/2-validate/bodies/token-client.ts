import { TOKEN_GRANTS } from "../../model/bodies.js";
import { meaninglessKey } from "../../model/catalogue/mcp-bodies.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, mappingIn, type Mapping } from "../manifest-view.js";
import { meansOneOf } from "../unknown-keys.js";

/** What can show a token endpoint which client asks, with the keys that only say something of it. */
const PROOFS: Readonly<Record<string, readonly string[]>> = {
  clientSecret: ["sendIn"],
  clientKey: ["keyId", "assertionAudience"],
};

/** Checks that a client of a token endpoint has one proof of who it is, and no settings of another one. */
export function tokenClientProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  const auth = mappingIn(upstream, "auth");
  return TOKEN_GRANTS.flatMap((grant) => {
    const client = auth && mappingIn(auth, grant);
    return client === undefined ? [] : proofProblems(manifest, client, grant);
  });
}

function proofProblems(manifest: LoadedManifest, client: Mapping, grant: string): Diagnostic[] {
  const keys = Object.keys(PROOFS);
  const [proof, other] = keys.filter((key) => has(client.value, key));
  if (proof === undefined && meansOneOf(manifest, client, keys)) return [];
  if (proof === undefined || other !== undefined) {
    return [contentConflict(manifest.locate(client.path, "key"), { what: grant, keys })];
  }
  const meaningless = Object.entries(PROOFS).flatMap(([key, ofKey]) =>
    key === proof ? [] : ofKey,
  );
  return meaningless
    .filter((key) => has(client.value, key))
    .map((key) => {
      const place = manifest.locate([...client.path, key], "key");
      return meaninglessKey(place, { key, what: `a client with ${proof}` });
    });
}
