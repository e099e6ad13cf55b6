import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A source map; one with sections consists of others. */
interface SourceMap {
  readonly sources?: readonly unknown[];
  readonly sections?: readonly { readonly map?: SourceMap }[];
}

const COMMENT = "sourceMappingURL=";

/**
 * The paths of the sources that a module was built from, as its source map has them: often relative to a folder of another
 * machine. None if the module has no map, or one that cannot be read.
 */
export function sourcesOf(module: string): readonly string[] {
  const code = readFileSync(module, "utf8");
  const start = code.lastIndexOf(COMMENT);
  const [url] = start < 0 ? [] : (/^[^\s*"'`]+/.exec(code.slice(start + COMMENT.length)) ?? []);
  try {
    const text = url === undefined ? undefined : textAt(url, module);
    return text === undefined ? [] : sourcesIn(JSON.parse(text) as SourceMap);
  } catch {
    return [];
  }
}

/** What is at a URL that a module names, which is in the URL itself or in a file beside the module. */
function textAt(url: string, module: string): string | undefined {
  const [, encoding, data = ""] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (url.startsWith("data:"))
    return encoding === undefined
      ? decodeURIComponent(data)
      : Buffer.from(data, "base64").toString();
  const file = join(dirname(module), decodeURIComponent(url));
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function sourcesIn({ sources = [], sections = [] }: SourceMap): string[] {
  const inner = sections.flatMap(({ map }) => (map === undefined ? [] : sourcesIn(map)));
  return [...sources.filter((source) => typeof source === "string"), ...inner];
}
