import type { DatabaseModel } from "../model/bodies.js";
import type { Manifest } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";

const USUAL_POOL_SIZE = 4;
const USUAL_TIMEOUT_MS = 10_000;

/** `databases` of the manifest, in the order of their names. */
export function normalizeDatabases(databases: NonNullable<Manifest["databases"]>): DatabaseModel[] {
  return Object.entries(databases).map(([name, { type, url, file, ...settings }]) => ({
    name,
    type,
    place: (type === "postgres" ? url : file) ?? "",
    poolSize: settings.poolSize ?? USUAL_POOL_SIZE,
    timeoutMs: settings.timeoutMs ?? USUAL_TIMEOUT_MS,
    ...pickDefined(settings, ["testSetup"]),
  }));
}
