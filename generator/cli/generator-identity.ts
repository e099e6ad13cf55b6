import type { GeneratorIdentity } from "../6-reconcile/generator-identity.js";
import { hashOfEmittingCode } from "./emitting-code.js";
import { mcpwrightVersion } from "./version.js";

/** This mcpwright's version, and the hash of its templates and its emitting code. */
export function generatorIdentity(): GeneratorIdentity {
  return { version: mcpwrightVersion(), templates: hashOfEmittingCode() };
}
