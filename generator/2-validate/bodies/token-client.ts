import { CREDENTIALS, TOKEN_KEYS } from "../../credentials/index.js";
import { subjectOfSeveralIssuers } from "../../model/catalogue/acting.js";
import { TOKEN_GRANTS } from "../../model/bodies.js";
import { halfCertificate } from "../../model/catalogue/bodies.js";
import { meaninglessKey } from "../../model/catalogue/mcp-bodies.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, listIn, mappingIn, rootOf, type Mapping } from "../manifest-view.js";
import { meansOneOf } from "../unknown-keys.js";
import { claimProblems } from "./caller-values.js";

/** What can show a token endpoint which client asks, with the keys that only say something of it. */
const PROOFS: Readonly<Record<string, readonly string[]>> = {
  clientSecret: ["sendIn"],
  clientKey: ["keyId", "assertionAudience"],
  clientCertificate: [],
};

/** Checks that a client of a token endpoint has one proof of who it is, and no settings of another one. */
export function tokenClientProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  const auth = mappingIn(upstream, "auth");
  return TOKEN_GRANTS.flatMap((grant) => {
    const client = auth && mappingIn(auth, grant);
    if (client === undefined) return [];
    return grant === "jwtBearer"
      ? signedGrantProblems(manifest, client, String(upstream.path.at(-1)))
      : proofProblems(manifest, client, grant);
  });
}

/** The certificates that an upstream's clients show to token endpoints. */
export function clientCertificates(upstream: Mapping): Mapping[] {
  const auth = mappingIn(upstream, "auth");
  return TOKEN_GRANTS.flatMap((grant) => {
    const client = auth && mappingIn(auth, grant);
    return (client && mappingIn(client, "clientCertificate")) ?? [];
  });
}

/** How many authorization servers say who a caller is. */
function issuersIn(auth: JsonObject): number {
  const counts = TOKEN_KEYS.map((key) =>
    CREDENTIALS[key].isList ? listIn(auth, key).length : Number(has(auth, key)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** What a server signs about its caller says enough of the server for most authorization servers. */
function signedGrantProblems(
  manifest: LoadedManifest,
  client: Mapping,
  upstream: string,
): Diagnostic[] {
  const [given, other] = ["clientId", "clientSecret"].filter((key) => has(client.value, key));
  const subject = mappingIn(client, "subject");
  const auth = mappingIn(rootOf(manifest), "auth");
  const claims = (auth && mappingIn(auth, "claims")?.value) ?? {};
  const missing = given === "clientId" ? "clientSecret" : "clientId";
  const count = auth === undefined ? 0 : issuersIn(auth.value);
  return [
    ...(given === undefined || other !== undefined
      ? []
      : [halfCertificate(manifest.locate([...client.path, given], "key"), { given, missing })]),
    ...(subject === undefined ? [] : claimProblems(manifest, subject, claims, "a subject")),
    ...(subject === undefined || count < 2
      ? []
      : [subjectOfSeveralIssuers(manifest.locate(subject.path, "key"), { count, upstream })]),
  ];
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
