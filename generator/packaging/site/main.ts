import { mkdir, rm, writeFile } from "node:fs/promises";
import { packageRoot } from "../../text/package-root.js";
import { makeSite } from "./make-site.js";

/** `npm run site`: writes the site of the manifest language into `dist/site`. */
const folder = new URL("dist/site/", packageRoot);
const files = await makeSite();
await rm(folder, { recursive: true, force: true });
for (const [path, text] of files) {
  const file = new URL(path, folder);
  await mkdir(new URL(".", file), { recursive: true });
  await writeFile(file, text);
}
console.log(`dist/site: ${files.size} files; open dist/site/index.html`);
