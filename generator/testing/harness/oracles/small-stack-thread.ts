import { parentPort } from "node:worker_threads";
import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";
import { normalize } from "../../../3-normalize/normalize.js";
import { validManifest } from "../../../model/loaded-manifest.js";

/** The program of `small-stack.ts`: answers each request, and ends with the exception of one that throws. */

/** A manifest whose errors are wanted, or with how many arguments a function is called. */
export type SmallStackRequest = { readonly manifest: string } | { readonly calledWith: number };

/** The codes of the errors of a manifest, which is normalized too where it has none. */
function errorsOf(text: string): string[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  if (manifest === undefined) return diagnostics.map(({ code }) => code);
  const found = [...diagnostics, ...validateManifest(manifest)];
  const errors = found.filter(({ severity }) => severity === "error");
  if (errors.length === 0) normalize(validManifest(manifest.value));
  return [...new Set(errors.map(({ code }) => code))];
}

/** How a call with so many arguments ends. */
function callWith(count: number): string[] {
  const many = Array.from({ length: count }, () => 0);
  try {
    Math.max(...many);
    return [];
  } catch (error) {
    return [(error as Error).name];
  }
}

parentPort?.on("message", (request: SmallStackRequest) => {
  parentPort?.postMessage(
    "manifest" in request ? errorsOf(request.manifest) : callWith(request.calledWith),
  );
});
