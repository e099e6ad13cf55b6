import { durableWithoutFile } from "../../model/catalogue/audit.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, mappingIn, rootOf, textIn } from "../manifest-view.js";
import { variableProblems } from "./variables.js";

/** Checks `audit`: where the trail is written. */
export function checkAudit(manifest: LoadedManifest): Diagnostic[] {
  const audit = mappingIn(rootOf(manifest), "audit");
  if (audit === undefined) return [];
  const { value, path } = audit;
  const to = mappingIn(audit, "to");
  const isUnsafe = value["durable"] === true && !has(value, "to");
  return [
    ...(isUnsafe ? [durableWithoutFile(manifest.locate([...path, "durable"], "key"), {})] : []),
    ...(to === undefined
      ? []
      : variableProblems(manifest, textIn(to.value, "env"), [...to.path, "env"])),
  ];
}
