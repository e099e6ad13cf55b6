import { urlForm } from "../../model/catalogue/rules-resources.js";
import { appOriginForm } from "../../model/catalogue/rules-extensions.js";
import { insecureOrigin, originForm } from "../../model/catalogue/rules-server.js";
import { isRegistryUrl } from "../../model/registry.js";
import { isOriginPattern } from "../../../templates/runtime/http/allowed-origins.js";
import { quoted } from "../../text/value-words.js";
import { controlCharacterProblem, placeOf, type FormatCheck } from "./subject.js";

const hasScheme = (text: string, schemes: readonly string[]): boolean =>
  !/\s/.test(text) && URL.canParse(text) && schemes.includes(new URL(text).protocol);

const webUrl: FormatCheck = (subject) => {
  const control = controlCharacterProblem(subject);
  if (control !== undefined || hasScheme(subject.text, ["https:", "http:"])) return control;
  const expected = "an http or https URL";
  return urlForm(placeOf(subject), { found: quoted(subject.text), expected });
};

const registryUrl: FormatCheck = (subject) => {
  const control = controlCharacterProblem(subject);
  if (control !== undefined || isRegistryUrl(subject.text)) return control;
  const expected =
    "an https URL of a public host without a user, a password, a fragment and curly brackets";
  return urlForm(placeOf(subject), { found: quoted(subject.text), expected });
};

/** Scheme and host have no placeholders: otherwise whoever sets the values could send the user to another site. */
const urlTemplate: FormatCheck = (subject) => {
  const control = controlCharacterProblem(subject);
  const { text } = subject;
  const instance = text.replace(/\{\{[^{}]*\}\}/g, "x");
  const hasFixedHost = /^https?:\/\/[^/?#{}]+(?:[/?#]|$)/i.test(text);
  if (control !== undefined || (hasFixedHost && hasScheme(instance, ["https:", "http:"]))) {
    return control;
  }
  const expected = "an http or https URL, with placeholders after its host only";
  return urlForm(placeOf(subject), { found: quoted(text), expected });
};

const iconSource: FormatCheck = (subject) => {
  const control = controlCharacterProblem(subject);
  const isImage = /^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/i.test(subject.text);
  if (control !== undefined || isImage || hasScheme(subject.text, ["https:"])) return control;
  const expected = 'an https URL, or "data:image/…;base64,…"';
  return urlForm(placeOf(subject), { found: quoted(subject.text), expected });
};

const allowedOrigin: FormatCheck = (subject) => {
  const { text } = subject;
  if (isOriginPattern(text)) return undefined;
  if (text === "null" || text.includes("*")) {
    return insecureOrigin(placeOf(subject), { found: quoted(text) });
  }
  const origin = URL.canParse(text) ? originOf(text) : undefined;
  if (origin === text) return undefined;
  const isPage = origin !== undefined && /^https?:$/.test(new URL(text).protocol);
  const expected = isPage
    ? `an origin, without a path: ${quoted(origin)}`
    : 'an origin such as "https://app.example.com"';
  // Only what browsers would not send differs: a slash at the end, capitals.
  const isSame = isPage && text.replace(/\/$/, "").toLowerCase() === origin.toLowerCase();
  return originForm(placeOf(subject), {
    found: quoted(text),
    expected,
    ...(isSame && { mend: { edit: "set text", to: origin } }),
  });
};

/** Scheme, host and port as browsers send them. `URL.origin` is not used: it is opaque for the schemes of apps. */
function originOf(text: string): string {
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

const allowedHost: FormatCheck = (subject) => {
  const { text } = subject;
  if (text.includes("*")) return insecureOrigin(placeOf(subject), { found: quoted(text) });
  if (/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})$|^\[[0-9A-Fa-f:.]+\]$/.test(text)) return undefined;
  const expected = 'a host name without scheme and port, such as "mcp.example.com"';
  return originForm(placeOf(subject), { found: quoted(text), expected });
};

/** A source of a Content-Security-Policy that is an origin: clients write it into the policy of an MCP App's page. */
const APP_ORIGIN =
  /^(?:https?|wss?):\/\/(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

const appOrigin: FormatCheck = (subject) =>
  APP_ORIGIN.test(subject.text) && URL.canParse(subject.text.replace("*.", ""))
    ? undefined
    : appOriginForm(placeOf(subject), { found: quoted(subject.text) });

/** Formats of URLs, origins and hosts, by the name that the manifest's schema uses. */
export const webFormats: Readonly<Record<string, FormatCheck>> = {
  "web-url": webUrl,
  "registry-url": registryUrl,
  "url-template": urlTemplate,
  "icon-source": iconSource,
  "allowed-origin": allowedOrigin,
  "allowed-host": allowedHost,
  "app-origin": appOrigin,
};
