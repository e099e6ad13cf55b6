import { readdirSync } from "node:fs";
import { packageRoot } from "../../../text/package-root.js";

/** The names of the folders of `examples/`, which are projects. */
export function exampleNames(): readonly string[] {
  const entries = readdirSync(new URL("examples/", packageRoot), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
