import { plainSecret } from "../../model/catalogue/rules-text.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { entriesIn, rootOf } from "../manifest-view.js";
import { quoted } from "../wording.js";

/** What well-known services' keys look like. */
const KNOWN_SECRET = new RegExp(
  [
    "\\bAKIA[0-9A-Z]{16}\\b",
    "\\bgh[pousr]_[A-Za-z0-9]{36}",
    "\\bgithub_pat_[A-Za-z0-9_]{22}",
    "\\bglpat-[A-Za-z0-9_-]{20}",
    "\\bsk-[A-Za-z0-9_-]{20}",
    "\\bsk_live_[A-Za-z0-9]{16}",
    "\\bxox[abprs]-[A-Za-z0-9-]{10}",
    "\\bAIza[A-Za-z0-9_-]{35}",
    "\\bnpm_[A-Za-z0-9]{36}",
    "-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----",
  ].join("|"),
);

/** Whether a text holds what looks like the key of a well-known service. */
export function holdsKnownSecret(text: string): boolean {
  return KNOWN_SECRET.test(text);
}

const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?|APIKEY)(?:_|$)/i;

/** Environment variables that are secret, by setting or by name, with a default in the manifest. */
export function checkSecretDefaults(manifest: LoadedManifest): Diagnostic[] {
  return entriesIn(rootOf(manifest), "env").flatMap(([name, settings, path]) => {
    const fallback = isJsonObject(settings) ? settings["default"] : undefined;
    if (!isJsonObject(settings) || typeof fallback !== "string" || fallback === "") return [];
    // A text that is a known secret is reported where texts are.
    const isSecret = settings["secret"] === true || SECRET_NAME.test(name);
    if (!isSecret || holdsKnownSecret(fallback)) return [];
    const reason =
      settings["secret"] === true ? "the variable is secret" : "the variable's name says so";
    const what = `the default of ${quoted(name)}`;
    return [plainSecret(manifest.locate([...path, "default"], "value"), { what, reason })];
  });
}
