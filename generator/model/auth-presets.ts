import type { ManifestJwtIssuer } from "./manifest.js";

/** The keys of an issuer that only its preset reads. */
export const PRESET_KEYS = [
  "domain",
  "tenant",
  "realm",
  "region",
  "userPool",
  "server",
  "client",
] as const;

type PresetKey = (typeof PRESET_KEYS)[number];
type PresetName = NonNullable<ManifestJwtIssuer["preset"]>;

/** What is known of the tokens of a provider, from its documentation. */
interface Preset {
  /** The keys that must be there. */
  readonly needs: readonly PresetKey[];
  /** Keys that may be there, with their defaults. */
  readonly defaults?: Partial<Record<PresetKey, string>>;
  /** The settings of the issuer. What the manifest states itself goes before them. */
  fill(values: Readonly<Record<PresetKey, string>>): Partial<ManifestJwtIssuer>;
  /** What of dynamic registration (RFC 7591) and of client metadata documents it takes, and what is done by hand. */
  readonly registration: string;
  readonly metadataDocuments: string;
  readonly byHand: string;
}

/** All of them sign with this unless their owner says otherwise. */
const algorithms = ["RS256"];

const scope = { claim: "scope" };

/** The presets of `auth.jwt`, by their names. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  entra: {
    needs: ["tenant", "client"],
    fill: ({ tenant, client }) => ({
      issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
      audience: [client],
      algorithms,
      scopes: { claim: "scp", advertise: `api://${client}/` },
    }),
    registration: "no",
    metadataDocuments: "no",
    byHand:
      "An app registration for the server with `requestedAccessTokenVersion: 2`, the application ID URI `api://CLIENT` and its scopes; one for each client, with its redirect URIs.",
  },
  auth0: {
    needs: ["domain"],
    fill: ({ domain }) => ({ issuer: `https://${domain}/`, algorithms, scopes: scope }),
    registration: "yes, once the tenant allows it",
    metadataDocuments: "yes: imported by hand, or dynamic as an early feature",
    byHand: "An API whose identifier is `auth.resource`, with its permissions as scopes.",
  },
  keycloak: {
    needs: ["domain", "realm"],
    fill: ({ domain, realm }) => ({
      issuer: `https://${domain}/realms/${realm}`,
      algorithms,
      scopes: scope,
    }),
    registration: "yes, as far as the policies of the realm let strangers register",
    metadataDocuments: "as a preview since 26.6",
    byHand:
      "A client scope with an audience mapper to `auth.resource`, since Keycloak knows no resource indicators.",
  },
  okta: {
    needs: ["domain"],
    defaults: { server: "default" },
    fill: ({ domain, server }) => ({
      issuer: `https://${domain}/oauth2/${server}`,
      algorithms,
      scopes: { claim: "scp" },
    }),
    registration: "only with a token of an administrator",
    metadataDocuments: "not documented",
    byHand:
      "A custom authorization server (the one of the organization has tokens for Okta alone) whose audience is `auth.resource`, or is stated as `audience`; an application for each client.",
  },
  cognito: {
    needs: ["region", "userPool"],
    fill: ({ region, userPool }) => ({
      issuer: `https://cognito-idp.${region}.amazonaws.com/${userPool}`,
      algorithms,
      scopes: scope,
      require: { token_use: "access" },
    }),
    registration: "no",
    metadataDocuments: "no",
    byHand:
      "A resource server whose identifier is `auth.resource`: only tokens for which clients ask with `resource` have an audience. An app client for each client.",
  },
  google: {
    needs: ["client"],
    fill: ({ client }) => ({
      issuer: "https://accounts.google.com",
      audience: [client],
      algorithms,
    }),
    registration: "no",
    metadataDocuments: "no",
    byHand:
      "An OAuth client. Access tokens of Google are no JWTs: these are its ID tokens, which have no scopes.",
  },
  workos: {
    needs: ["domain"],
    fill: ({ domain }) => ({ issuer: `https://${domain}`, algorithms, scopes: scope }),
    registration: "yes, once it is switched on",
    metadataDocuments: "yes, once it is switched on",
    byHand: "`auth.resource` as a resource of AuthKit.",
  },
  zitadel: {
    needs: ["domain", "client"],
    fill: ({ domain, client }) => ({
      issuer: `https://${domain}`,
      audience: [client],
      algorithms,
    }),
    registration: "yes, once the instance allows it",
    metadataDocuments: "not documented",
    byHand:
      "A project, whose id is `client` (clients ask for the scope `urn:zitadel:iam:org:project:id:ID:aud`), and an application for each client with JWTs as access tokens.",
  },
};

/** The preset with a name; undefined if there is none. */
export function presetOf(name: string): Preset | undefined {
  return Object.hasOwn(PRESETS, name) ? PRESETS[name as PresetName] : undefined;
}

type ExpandedIssuer = Omit<ManifestJwtIssuer, "preset" | PresetKey>;

/** An issuer without its preset: with what the preset fills in. What the manifest states goes before it. */
export function expandedIssuer(settings: ManifestJwtIssuer): ExpandedIssuer {
  const { preset, domain, tenant, realm, region, userPool, server, client, ...stated } = settings;
  const definition = preset === undefined ? undefined : presetOf(preset);
  if (definition === undefined) return stated;
  const { defaults, fill } = definition;
  const given = { domain, tenant, realm, region, userPool, server, client };
  const values = Object.entries(given).filter(([, value]) => value !== undefined);
  // 2-validate has made sure that what the preset needs is there.
  const filled = fill({ ...defaults, ...Object.fromEntries(values) } as Record<PresetKey, string>);
  const [scopes, require] = [
    { ...filled.scopes, ...stated.scopes },
    { ...filled.require, ...stated.require },
  ];
  return {
    ...filled,
    ...stated,
    ...(Object.keys(scopes).length > 0 && { scopes }),
    ...(Object.keys(require).length > 0 && { require }),
  };
}
