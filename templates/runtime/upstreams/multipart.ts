import { createHash } from "node:crypto";
import { ToolError } from "../engine/errors.js";
import type { Values } from "./parameters.js";
import { queryParts, styled, StyledValue } from "./styles.js";

/** A file whose bytes have been read. */
class ReadFile {
  constructor(
    readonly name: string,
    readonly type: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** Fields whose files, which are `Blob` or `File`, have been read; also those in lists. */
export async function withReadFiles(values: Values): Promise<Values> {
  const read = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(read));
    if (!(value instanceof Blob)) return value;
    const name = value instanceof File ? value.name : "blob";
    const type = value.type === "" ? "application/octet-stream" : value.type;
    return new ReadFile(name, type, new Uint8Array(await value.arrayBuffer()));
  };
  const entries = Object.entries(values).map(async ([name, value]) => [name, await read(value)]);
  return Object.fromEntries(await Promise.all(entries)) as Values;
}

/** Whether a field of a form is a file, or a list with one. */
export function hasFiles(values: Values): boolean {
  return Object.values(values).some((value) =>
    (Array.isArray(value) ? value : [value]).some((item) => item instanceof Blob),
  );
}

/** A part of a form. */
interface Part {
  /** Its headers, and the empty line behind them. */
  readonly head: string;
  readonly content: string | Uint8Array;
}

/**
 * The type and body of a form as `multipart/form-data`. The boundary is a hash of the parts, so that equal values give
 * an equal body, and no value can contain the boundary. The body is a text unless it has files, which must have been read.
 *
 * @throws ToolError for a text with an unpaired surrogate
 */
export function multipartBody(values: Values): { type: string; body: string | Uint8Array } {
  const parts = Object.entries(values).flatMap(([name, value]) => partsOf(name, value));
  const hash = createHash("sha256");
  for (const [index, { head, content }] of parts.entries())
    hash.update(index === 0 ? head : `\n${head}`).update(content);
  const boundary = hash.digest("hex").slice(0, 40);
  const type = `multipart/form-data; boundary=${boundary}`;
  const pieces = parts.flatMap(({ head, content }) => [
    `--${boundary}\r\n${head}`,
    content,
    "\r\n",
  ]);
  const all = [...pieces, `--${boundary}--\r\n`];
  if (all.every((piece) => typeof piece === "string")) return { type, body: all.join("") };
  return { type, body: Buffer.concat(all.map((piece) => Buffer.from(piece))) };
}

/** The parts for a value. By default, each item of a list becomes a part, and an object becomes a part with JSON. */
function partsOf(name: string, value: unknown): Part[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) =>
      partsOf(name, Array.isArray(item) ? asJson(item) : item),
    );
  }
  if (value instanceof ReadFile) {
    const file = `; filename="${escapedName(value.name)}"\r\nContent-Type: ${value.type}`;
    return [{ head: headOf(name, file), content: value.bytes }];
  }
  if (isObject(value) && !(value instanceof StyledValue)) return partsOf(name, asJson(value));
  const type = isJson(value) ? "\r\nContent-Type: application/json" : "";
  return fieldsOf(name, value).map(([field, text]) => ({
    head: headOf(field, type),
    content: text,
  }));
}

const headOf = (name: string, more: string): string =>
  `Content-Disposition: form-data; name="${escapedName(name)}"${more}\r\n\r\n`;

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const asJson = (value: unknown): StyledValue => styled(value, { style: "json" });

const isJson = (value: unknown): boolean =>
  value instanceof StyledValue && value.style.style === "json";

/** The same fields as in a query, decoded. */
function fieldsOf(name: string, value: unknown): [field: string, text: string][] {
  try {
    return queryParts(name, value).map((pair) => {
      const [field = ""] = pair.split("=", 1);
      return [decodeURIComponent(field), decodeURIComponent(pair.slice(field.length + 1))];
    });
  } catch {
    throw new ToolError("A value of the form is no well-formed text.");
  }
}

/** The name of a field with the escapes that browsers use. */
function escapedName(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
