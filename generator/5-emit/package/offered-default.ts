import { win32 } from "node:path";
import type { EnvVariableModel } from "../../model/server-model.js";

/**
 * The default of a variable that clients which start an installed server may offer to their users. A relative path is not
 * offered: it begins at the folder of the installed package, which is replaced by each version. The server refuses to write
 * there, and users would not look there for what it reads.
 */
export function offeredDefault(variable: EnvVariableModel): EnvVariableModel["default"] {
  const { path, default: value } = variable;
  // Absolute on Windows or elsewhere.
  return path === true && !win32.isAbsolute(String(value)) ? undefined : value;
}
