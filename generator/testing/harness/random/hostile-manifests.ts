import { readFileSync } from "node:fs";
import { fixtureUrl, sharedUrl } from "../runner/shared-data.js";

/** One case of a list of hostile manifests. */
export interface HostileManifest {
  readonly id: string;
  /** What must come of it, as the list says: `REJECT YAML_SYNTAX @2:1`. */
  readonly outcome: string;
  /** The manifest's file content. */
  readonly content: Uint8Array;
}

/** A list of hostile manifests, and the manifest that its fragments are laid over. */
export interface HostileManifests {
  readonly base: string;
  readonly cases: readonly HostileManifest[];
}

/** Where the long list lies below `../shared`. */
export const SHARED_LIST = "cases/hostile-manifests.md";

/** The cases of our own, and those of `../shared` where it is there. */
export function everyHostileManifest(): HostileManifest[] {
  const url = sharedUrl(SHARED_LIST);
  const shared = url === undefined ? [] : readHostileManifests(url).cases;
  return [...ownHostileManifests().cases, ...shared];
}

/** The few cases of our own, which are always there. */
export function ownHostileManifests(): HostileManifests {
  return readHostileManifests(fixtureUrl("hostile-manifests.md"));
}

/** Reads a list of hostile manifests. */
export function readHostileManifests(list: URL): HostileManifests {
  const markdown = readFileSync(list, "utf8");
  const base = fences(markdown).get("BASE")?.body ?? "";
  const cases = [...fences(markdown)].flatMap(([id, { kind, body }]) => {
    const outcome = new RegExp(`^### ${id} .* — ((?:REJECT|ESCAPE|WARN|OK).*)$`, "m").exec(
      markdown,
    );
    if (outcome?.[1] === undefined) return [];
    return [{ id, outcome: outcome[1], content: contentOf(kind, body, base) }];
  });
  return { base, cases };
}

function fences(markdown: string): Map<string, { kind: string; body: string }> {
  const found = markdown.matchAll(/^```(?:yaml|js) (full|frag|gen) (\w+)\n(.*?)^```$/gms);
  return new Map([...found].map(([, kind = "", id = "", body = ""]) => [id, { kind, body }]));
}

function contentOf(kind: string, body: string, base: string): Uint8Array {
  if (kind === "frag") return Buffer.from(overlay(base, body));
  if (kind === "full") return Buffer.from(body);
  const make = new Function("BASE", "Buffer", `return ${body}`) as (
    base: string,
    buffer: typeof Buffer,
  ) => string | Buffer;
  return Buffer.from(make(base, Buffer) as string);
}

/** Returns the fragment followed by the keys that it does not replace. Its positions are those of the whole. */
export function overlay(base: string, fragment: string): string {
  const replaced = new Set(topLevelEntries(fragment).map(keyOf));
  const kept = topLevelEntries(base).filter((entry) => !replaced.has(keyOf(entry)));
  return fragment + kept.join("");
}

/** Top-level keys with their values, as text. */
const topLevelEntries = (yaml: string): string[] => yaml.split(/^(?=[A-Za-z]\w*:)/m);

const keyOf = (entry: string): string => entry.slice(0, entry.indexOf(":"));
