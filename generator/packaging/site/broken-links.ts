import { posix } from "node:path";

/** The links of pages to files or headings that do not exist, each as `page: link`. */
export function brokenLinks(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = [];
  for (const [path, html] of files) {
    if (!path.endsWith(".html")) continue;
    for (const [, link = ""] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?|data):/.test(link)) continue;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      const text = files.get(target);
      const isThere =
        text !== undefined && (anchor === undefined || text.includes(` id="${anchor}"`));
      if (!isThere) broken.push(`${path}: ${link}`);
    }
  }
  return broken;
}
