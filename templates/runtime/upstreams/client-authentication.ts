import type { Masking } from "../backends/masking.js";
import type { OpenKey, SignAssertion } from "./assertion.js";
import { basic } from "./credentials.js";
import type { Setting, TokenClient } from "./definition.js";
import type { Values } from "./parameters.js";
import { SettingError, type Settings } from "./settings.js";

/** What shows a token endpoint which client asks: headers and fields of the request. */
export interface ClientProof {
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Values;
}

/** Makes the proof for one request. @param shown masks what must not be seen of it */
export type ProveClient = (shown: Masking) => ClientProof | Promise<ClientProof>;

/** The settings of a client, and what reads them. */
export interface ClientSettings {
  /** The name of the upstream. */
  readonly name: string;
  readonly settings: Settings;
  readonly masking: Masking;
  /** Reads private keys; absent in servers that need none. */
  readonly openKey?: OpenKey | undefined;
}

/** How a client authenticates itself: by its secret, by what it signs, or by its certificate. @throws SettingError if it cannot */
export function clientAuthentication(auth: TokenClient, client: ClientSettings): ProveClient {
  const { settings, masking } = client;
  if (auth.clientId === undefined) return () => ({ headers: {}, fields: {} });
  const clientId = settings.text(auth.clientId) ?? "";
  // The connection has shown the certificate (RFC 8705, section 2).
  if (auth.clientCertificate !== undefined) {
    return () => ({ headers: {}, fields: { client_id: clientId } });
  }
  if (auth.clientKey !== undefined) return signed(auth, clientId, auth.clientKey, client);
  const secret = auth.clientSecret === undefined ? "" : (settings.text(auth.clientSecret) ?? "");
  masking.add(secret);
  if (auth.sendIn === "form") {
    const fields = { client_id: clientId, client_secret: secret };
    return () => ({ headers: {}, fields });
  }
  const [user, password] = [encodeURIComponent(clientId), encodeURIComponent(secret)];
  const headers = { authorization: basic(user, password, masking) };
  return () => ({ headers, fields: {} });
}

/** `private_key_jwt` (RFC 7523, section 2.2): each request has an assertion of its own. */
function signed(
  auth: TokenClient,
  clientId: string,
  clientKey: Setting,
  client: ClientSettings,
): ProveClient {
  const sign = signerOf(clientKey, auth.keyId, client);
  const aud = client.settings.text(auth.assertionAudience ?? auth.tokenUrl) ?? "";
  return async (shown) => {
    const assertion = await sign({ iss: clientId, sub: clientId, aud });
    shown.add(assertion);
    const fields = {
      client_id: clientId,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    };
    return { headers: {}, fields };
  };
}

/** What signs with the private key of a setting. @throws SettingError if there is none */
export function signerOf(
  key: Setting,
  keyId: Setting | undefined,
  { name, settings, masking, openKey }: ClientSettings,
): SignAssertion {
  if (openKey === undefined) {
    throw new SettingError(
      `the upstream ${name} has a private key, so that "use" of defineServer must have privateKeys() of @mcpwright/runtime/private-keys`,
    );
  }
  const text = settings.text(key) ?? "";
  masking.add(text);
  try {
    return openKey(text, keyId && settings.text(keyId));
  } catch (error) {
    const origin = typeof key === "string" ? "" : ` (${key.env})`;
    throw new SettingError(
      `the private key of the upstream ${name}${origin} cannot be used: ${(error as Error).message}`,
    );
  }
}
