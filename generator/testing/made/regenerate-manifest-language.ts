import { writeFile } from "node:fs/promises";
import { packageRoot } from "../../text/package-root.js";
import { manifestLanguageFiles } from "./manifest-language.js";

/** Writes the types of the manifest and its reference page anew, after a change of its schema. */
for (const { path, content } of await manifestLanguageFiles()) {
  await writeFile(new URL(`${path}`, packageRoot), content);
  console.log(path);
}
