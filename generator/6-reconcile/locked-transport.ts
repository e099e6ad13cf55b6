import { customTransportNames } from "../5-emit/modules/custom-transport-names.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { LockedFile } from "./lock.js";

/**
 * The files of a lock, in which the project's own transport is a handler, and its test a starter test. Former versions
 * of mcpwright locked both as scaffolds, under the same paths.
 *
 * @param manifest the manifest of the lock
 */
export function withCustomTransport(
  files: ReadonlyMap<string, LockedFile>,
  manifest: JsonObject,
): ReadonlyMap<string, LockedFile> {
  const name = customTransportOf(manifest);
  if (name === undefined) return files;
  const { id: item, identifier: exportName, path, testPath } = customTransportNames(name);
  const entries = new Map(files);
  const transport = files.get(path);
  if (transport?.owner === "scaffold") {
    entries.set(path, { owner: "handler", hashes: transport.hashes, item, exportName });
  }
  const test = files.get(testPath);
  if (test?.owner === "scaffold") {
    entries.set(testPath, { owner: "starter-test", hashes: test.hashes, item });
  }
  return entries;
}

/** The name of the transport of type `custom`. Nothing is known of a manifest that a lock holds. */
function customTransportOf({ transports }: JsonObject): string | undefined {
  if (!Array.isArray(transports)) return undefined;
  const custom = transports.filter(isJsonObject).find(({ type }) => type === "custom");
  const name = custom?.["name"];
  return typeof name === "string" ? name : undefined;
}
