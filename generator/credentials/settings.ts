import type { ScopeSettings } from "../../templates/runtime/access/claims.js";
import { isJsonObject } from "../model/json.js";
import type { ManifestTokenScopes } from "../model/manifest.js";

/** The text of a setting, or the name of the environment variable that holds it: `$API_URL`. */
export function settingInWords(setting: unknown): string {
  return isJsonObject(setting) ? `$${String(setting["env"])}` : String(setting);
}

/** Where a token has its scopes. */
export function tokenScopes({ claim, advertise }: ManifestTokenScopes): ScopeSettings {
  return {
    ...(claim !== undefined && { claim }),
    ...(advertise !== undefined && { prefix: advertise }),
  };
}
