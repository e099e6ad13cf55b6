import { join } from "node:path";
import { RUNTIME_PACKAGE } from "../5-emit/project/runtime-package.js";
import type { InstalledRuntime } from "../6-reconcile/runtime-fit.js";
import { findPackage, versionIn } from "./type-check/installed-packages.js";

/** A specifier of a folder, and the folder. */
const FOLDER = /^(?:(?:file|link|portal):|(?=\.{1,2}\/|\/))(.*?)\/?$/;

/**
 * Looks for the runtime that a specifier gives: among the packages that are installed in a project or above it, as in a
 * workspace, or else in the folder that it names.
 */
export function installedRuntime(specifier: string, project: string): InstalledRuntime {
  const folder = FOLDER.exec(specifier)?.[1] ?? "";
  const namesFolder = folder !== "" && !/\.t(?:ar\.)?gz$/.test(folder);
  const installed = findPackage(RUNTIME_PACKAGE, project);
  const path = installed ?? (namesFolder ? join(project, folder, "package.json") : undefined);
  const version = path === undefined ? undefined : versionIn(path);
  const found = version === undefined ? {} : { version };
  if (installed !== undefined || !namesFolder) return { ...found, place: "node_modules" };
  return { ...found, place: version === undefined ? `node_modules or ${folder}` : folder };
}
