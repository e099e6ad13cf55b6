import { isJsonObject, type JsonObject } from "../model/json.js";

/** True if the manifest switches the diagnostic with this code off. */
export function isSwitchedOff({ diagnostics = {} }: JsonObject, code: string): boolean {
  return isJsonObject(diagnostics) && diagnostics[code] === "off";
}
