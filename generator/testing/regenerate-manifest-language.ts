import { writeFile } from "node:fs/promises";
import { manifestLanguageFiles } from "./manifest-language.js";

/** Writes the types of the manifest and its reference page anew, after a change of its schema. */
for (const { path, content } of await manifestLanguageFiles()) {
  await writeFile(new URL(`../../../${path}`, import.meta.url), content);
  console.log(path);
}
