import { exposedSecret } from "../../model/catalogue/rules-text.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { entriesIn, rootOf } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";

/** Patterns of the keys of well-known services. */
const KEYS = [
  "AKIA[0-9A-Z]{16}\\b",
  "gh[pousr]_[A-Za-z0-9]{36}",
  "github_pat_[A-Za-z0-9_]{22}",
  "glpat-[A-Za-z0-9_-]{20}",
  "sk-[A-Za-z0-9_-]{20}",
  "sk_live_[A-Za-z0-9]{16}",
  "xox[abprs]-[A-Za-z0-9-]{10}",
  "AIza[A-Za-z0-9_-]{35}",
  "npm_[A-Za-z0-9]{36}",
];
const KNOWN_SECRET = new RegExp(`\\b(?:${KEYS.join("|")})|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----`);

/** True if a text contains what looks like the key of a well-known service. */
export function holdsKnownSecret(text: string): boolean {
  return KNOWN_SECRET.test(text);
}

/** Names of files in which programs keep keys and passwords. Examples and public keys are excluded. */
const SECRET_FILE = new RegExp(
  [
    "^\\.env(?!.*(?:example|sample|template|dist)$)(?:rc|[.-].+)?$",
    "\\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$",
    "^id_(?:rsa|dsa|ecdsa|ed25519)$",
    "^\\.(?:npmrc|netrc|pgpass|htpasswd|pypirc|git-credentials)$",
    "^(?:credentials|secrets?|service-account)\\.(?:json|ya?ml|toml|ini)$",
  ].join("|"),
  "i",
);

const SECRET_FOLDER = /^\.(?:ssh|aws|gnupg|git)$/i;

/** True if the path is that of a file which usually holds keys or passwords. */
export function holdsSecrets(path: string): boolean {
  const steps = path.split("/");
  return SECRET_FILE.test(steps.pop() ?? "") || steps.some((step) => SECRET_FOLDER.test(step));
}

const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?|APIKEY)(?:_|$)/i;

/** True if the name of a variable says that it holds a key or a password. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** True if a value is a URL without credentials, such as the address of a service for tokens. */
function isOpenUrl({ type }: JsonObject, value: string): boolean {
  if (type !== "url" || !URL.canParse(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return `${username}${password}${search}${hash}` === "";
}

/** Reports defaults of environment variables that are secret by setting or by name. */
export function checkSecretDefaults(manifest: LoadedManifest): Diagnostic[] {
  return entriesIn(rootOf(manifest), "env").flatMap(([name, settings, path]) => {
    const fallback = isJsonObject(settings) ? settings["default"] : undefined;
    if (!isJsonObject(settings) || typeof fallback !== "string" || fallback === "") return [];
    // `checkText` reports a text that is a known secret.
    const isSecret =
      settings["secret"] === true || (isSecretName(name) && !isOpenUrl(settings, fallback));
    if (!isSecret || holdsKnownSecret(fallback)) return [];
    const reason =
      settings["secret"] === true ? "the variable is secret" : "the variable's name says so";
    const what = `the default of ${quoted(name)}`;
    return [exposedSecret(manifest.locate([...path, "default"], "value"), { what, reason })];
  });
}
