import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { jwtIssuer } from "../../templates/runtime/access/jwt.js";
import { createLog } from "../../templates/runtime/observe/log.js";
import type { ManifestJwtIssuer } from "../model/manifest.js";
import { normalizeAuth } from "./auth.js";

const RESOURCE = "https://books.example/mcp";
const TENANT = "11111111-2222-3333-4444-555555555555";
const CLIENT = "66666666-7777-8888-9999-000000000000";

interface Provider {
  readonly settings: ManifestJwtIssuer;
  /** The header and the payload of an access token, as the provider documents them. */
  readonly header: object;
  readonly claims: JWTPayload;
  readonly scopes: readonly string[];
  /** What the caller's name begins with: the issuer. */
  readonly issuer: string;
}

const JWT = { typ: "JWT", kid: "one" };

/** The tokens of each provider, with the members that its documentation shows. */
const PROVIDERS: readonly Provider[] = [
  {
    settings: { preset: "entra", tenant: TENANT, client: CLIENT },
    header: JWT,
    claims: {
      ...{
        aud: CLIENT,
        iss: `https://login.microsoftonline.com/${TENANT}/v2.0`,
        azp: "c",
        azpacr: "1",
      },
      ...{ name: "Ada", oid: "o", preferred_username: "ada@acme.example", rh: "0.A", sub: "AAAA" },
      ...{ scp: "books.read books.write", tid: TENANT, uti: "u", ver: "2.0" },
    },
    scopes: ["books.read", "books.write"],
    issuer: `https://login.microsoftonline.com/${TENANT}/v2.0`,
  },
  {
    settings: { preset: "auth0", domain: "acme.eu.auth0.com" },
    header: { typ: "at+jwt", kid: "one" },
    claims: {
      ...{ iss: "https://acme.eu.auth0.com/", sub: "auth0|6", azp: "c", gty: "password" },
      ...{ aud: [RESOURCE, "https://acme.eu.auth0.com/userinfo"], scope: "openid books.read" },
      permissions: ["books.write"],
    },
    scopes: ["openid", "books.read"],
    issuer: "https://acme.eu.auth0.com/",
  },
  {
    settings: { preset: "keycloak", domain: "login.acme.example:8443", realm: "acme" },
    header: JWT,
    claims: {
      ...{
        iss: "https://login.acme.example:8443/realms/acme",
        aud: [RESOURCE, "account"],
        sub: "f:1",
      },
      ...{ typ: "Bearer", azp: "c", sid: "s", acr: "1", realm_access: { roles: ["admin"] } },
      ...{ resource_access: { account: { roles: ["view"] } }, scope: "openid books.read" },
    },
    scopes: ["openid", "books.read"],
    issuer: "https://login.acme.example:8443/realms/acme",
  },
  {
    settings: { preset: "okta", domain: "acme.okta.com" },
    header: { kid: "one" },
    claims: {
      ...{ ver: 1, jti: "AT.0", iss: "https://acme.okta.com/oauth2/default", aud: RESOURCE },
      ...{ cid: "0oa", uid: "00u", scp: ["openid", "books.read"], sub: "ada@acme.example" },
    },
    scopes: ["openid", "books.read"],
    issuer: "https://acme.okta.com/oauth2/default",
  },
  {
    settings: { preset: "cognito", region: "eu-west-1", userPool: "eu-west-1_Ab12" },
    header: { kid: "one" },
    claims: {
      ...{
        iss: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab12",
        sub: "aaaa",
        version: 2,
      },
      ...{ "cognito:groups": ["staff"], client_id: "c", origin_jti: "o", token_use: "access" },
      ...{ aud: RESOURCE, scope: `openid ${RESOURCE}/read`, auth_time: 1, username: "ada" },
    },
    scopes: ["openid", `${RESOURCE}/read`],
    issuer: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab12",
  },
  {
    settings: { preset: "google", client: "1-a.apps.googleusercontent.com" },
    header: JWT,
    claims: {
      ...{ iss: "https://accounts.google.com", azp: "1-a.apps.googleusercontent.com", sub: "110" },
      ...{ aud: "1-a.apps.googleusercontent.com", hd: "acme.example", email: "ada@acme.example" },
      ...{ email_verified: true, at_hash: "h" },
    },
    scopes: [],
    issuer: "https://accounts.google.com",
  },
  {
    settings: { preset: "workos", domain: "acme.authkit.app" },
    header: { kid: "one" },
    claims: {
      ...{ iss: "https://acme.authkit.app", aud: RESOURCE, sub: "user_01", sid: "session_01" },
      ...{ jti: "01", scope: "openid books.read" },
    },
    scopes: ["openid", "books.read"],
    issuer: "https://acme.authkit.app",
  },
  {
    settings: { preset: "zitadel", domain: "acme.zitadel.cloud", client: "2700" },
    header: JWT,
    claims: {
      ...{ iss: "https://acme.zitadel.cloud", sub: "163840776835432705", client_id: "2701@acme" },
      ...{ aud: ["2701@acme", "2700"], jti: "2702" },
      "urn:zitadel:iam:org:project:roles": { reader: { "1638": "acme.zitadel.cloud" } },
    },
    scopes: [],
    issuer: "https://acme.zitadel.cloud",
  },
];

const folder = mkdtempSync(join(tmpdir(), "mcpwright-presets-"));
test.after(() => rmSync(folder, { recursive: true }));

const rsa = await generateKeyPair("RS256");
const elliptic = await generateKeyPair("ES256");
const keys = await Promise.all(
  [rsa, elliptic].map(async ({ publicKey }) => ({ ...(await exportJWK(publicKey)), kid: "one" })),
);
writeFileSync(join(folder, "keys.json"), JSON.stringify({ keys }));

/** The caller of a token, or why it is refused. */
async function callerOf(
  settings: ManifestJwtIssuer,
  header: object,
  claims: JWTPayload,
  alg = "RS256",
): Promise<unknown> {
  const { credentials } = normalizeAuth({ resource: RESOURCE, jwt: [settings] });
  const [credential] = credentials;
  if (credential?.kind !== "jwt" || typeof credential.issuer !== "string") throw new Error("jwt");
  const { kind: _kind, ...model } = credential;
  const { issuer } = credential;
  const audience = model.audience.map(String);
  const verifier = jwtIssuer(
    { ...model, issuer, audience, jwks: "keys.json" },
    { root: folder, log: createLog() },
  );
  const token = await new SignJWT(claims)
    .setProtectedHeader({ ...header, alg })
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(alg === "RS256" ? rsa.privateKey : elliptic.privateKey);
  try {
    return await verifier.verify(token);
  } catch (error) {
    return (error as Error).name;
  }
}

test("the documented token of each provider is accepted, with its scopes", async () => {
  for (const { settings, header, claims, scopes, issuer } of PROVIDERS) {
    const caller = (await callerOf(settings, header, claims)) as Record<string, unknown>;
    assert.equal(caller["scopes"], scopes, settings.preset);
    assert.is(caller["principal"], `${issuer}|${claims.sub}`);
  }
});

test("a token for another audience, of another issuer or of another algorithm is refused", async () => {
  for (const { settings, header, claims } of PROVIDERS) {
    const { preset = "" } = settings;
    const { aud: _aud, ...without } = claims;
    const refused = "TokenRefused";
    const other = { ...claims, aud: "https://other.example" };
    assert.is(await callerOf(settings, header, other), refused, preset);
    assert.is(await callerOf(settings, header, without), refused, preset);
    assert.is(await callerOf(settings, header, claims, "ES256"), refused, preset);
    const iss = claims.iss?.replace(/acme|1111|eu-west-1_Ab12|accounts/, "evil") ?? "";
    assert.is(await callerOf(settings, header, { ...claims, iss }), undefined, preset);
  }
});

test("an id token of Cognito is refused", async () => {
  const cognito = PROVIDERS.find(({ settings }) => settings.preset === "cognito");
  const { settings, header, claims } = cognito as Provider;
  assert.is(await callerOf(settings, header, { ...claims, token_use: "id" }), "TokenRefused");
});

test("a setting of the manifest has priority over that of the preset", () => {
  const stated = {
    ...{ preset: "auth0", domain: "acme.eu.auth0.com", issuer: "https://login.acme.example/" },
    ...{ algorithms: ["PS256"], audience: ["urn:books"], scopes: { advertise: "books:" } },
    require: { org_id: "acme" },
  } as const;
  const { credentials } = normalizeAuth({ resource: RESOURCE, jwt: [stated as never] });
  assert.equal(credentials, [
    {
      ...{ kind: "jwt", issuer: "https://login.acme.example/", audience: ["urn:books"] },
      ...{ algorithms: ["PS256"], scopes: { claim: "scope", prefix: "books:" } },
      require: { org_id: "acme" },
    },
  ]);
});

test("auth in which there are no credentials becomes no model, since its server would answer everybody", () => {
  assert.throws(() => normalizeAuth({ resource: RESOURCE }), /without credentials/);
});

test.run();
