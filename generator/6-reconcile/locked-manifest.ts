import { createHash } from "node:crypto";
import { writtenJson, type JsonObject, type JsonValue } from "../model/json.js";

/** Around and between the tools of a manifest in a lock, each of which has a line. */
export const TOOL_LINES = { start: "[\n      ", between: ",\n      ", end: "\n    ]" } as const;

/** The tools of a lock that was read, and the lines that its bytes have for them. */
export class ToolLines {
  #starts: readonly number[] | undefined;
  #positions: ReadonlyMap<JsonValue, number> | undefined;

  /**
   * @param tools of the lock's manifest
   * @param lines the JSON of each, as it stands there
   * @param bytes of the lock
   * @param first where the first line begins in the bytes
   */
  constructor(
    private readonly tools: readonly JsonValue[],
    private readonly lines: readonly string[],
    private readonly bytes: Uint8Array,
    private readonly first: number,
  ) {}

  /** Where a tool of the lock is among the others: this very object. Asked for one after the other, mostly. */
  positionOf(tool: JsonValue | undefined, likely: number): number | undefined {
    if (tool === undefined) return undefined;
    if (this.tools[likely] === tool) return likely;
    this.#positions ??= new Map(this.tools.map((known, position) => [known, position]));
    return this.#positions.get(tool);
  }

  /** The lines from one to another, and what is between them. */
  from(first: number, last: number): Uint8Array {
    this.#starts ??= this.findStarts();
    const start = this.#starts[first] ?? 0;
    const end = (this.#starts[last + 1] ?? 0) - TOOL_LINES.between.length;
    return this.bytes.subarray(start, end);
  }

  /** Where each line begins, and where one after the last would. */
  private findStarts(): number[] {
    const starts = [this.first];
    let at = this.first;
    for (const line of this.lines) {
      at += Buffer.byteLength(line) + TOOL_LINES.between.length;
      starts.push(at);
    }
    return starts;
  }
}

/** A manifest in the bytes of a lock. */
export interface ManifestLines {
  /** All that is written of it. */
  readonly whole: Uint8Array;
  readonly tools: ToolLines;
}

/** Parts of a text in UTF-8, of which some are there already. */
class Parts {
  readonly #done: Uint8Array[] = [];
  #text = "";

  text(text: string): void {
    this.#text += text;
  }

  bytes(bytes: Uint8Array): void {
    this.#done.push(Buffer.from(this.#text), bytes);
    this.#text = "";
  }

  all(): Uint8Array[] {
    return [...this.#done, Buffer.from(this.#text)];
  }
}

/**
 * A manifest as it stands in a lock, in parts: one item a line, so that version control merges it line by line.
 *
 * @param manifest canonical
 * @param former the lines of a lock, as they are written here; its tools are not written again
 */
export function manifestParts(manifest: JsonObject, former?: ToolLines): readonly Uint8Array[] {
  const parts = new Parts();
  for (const [index, [key, value]] of Object.entries(manifest).entries()) {
    parts.text(`${index === 0 ? "{\n" : ",\n"}    ${JSON.stringify(key)}: `);
    if (key === "tools" && Array.isArray(value) && former !== undefined) {
      writeTools(value, former, parts);
    } else parts.text(Array.isArray(value) ? writtenList(value) : JSON.stringify(value));
  }
  parts.text(Object.keys(manifest).length === 0 ? "{}" : "\n  }");
  return parts.all();
}

function writtenList(list: readonly JsonValue[]): string {
  if (list.length === 0) return "[]";
  return TOOL_LINES.start + list.map(writtenJson).join(TOOL_LINES.between) + TOOL_LINES.end;
}

/** Tools that follow each other as they did are one part. */
function writeTools(tools: readonly JsonValue[], former: ToolLines, parts: Parts): void {
  if (tools.length === 0) return parts.text("[]");
  for (let from = 0, likely = 0; from < tools.length;) {
    parts.text(from === 0 ? TOOL_LINES.start : TOOL_LINES.between);
    const position = former.positionOf(tools[from], likely);
    let to = from + 1;
    if (position === undefined) parts.text(writtenJson(tools[from] ?? null));
    else {
      while (former.positionOf(tools[to], position + to - from) === position + to - from) to += 1;
      parts.bytes(former.from(position, position + to - from - 1));
    }
    likely = (position ?? likely) + to - from;
    from = to;
  }
  parts.text(TOOL_LINES.end);
}

/**
 * Hash (SHA-256, hex) of everything that the generated files depend on.
 *
 * @param generator the version of mcpwright
 * @param templates hash of what goes into projects
 * @param manifest as {@link manifestParts} has it
 */
export function inputHash(
  generator: string,
  templates: string,
  manifest: readonly Uint8Array[],
): string {
  const hash = createHash("sha256").update(`${JSON.stringify([generator, templates])}\n`);
  for (const part of manifest) hash.update(part);
  return hash.digest("hex");
}
