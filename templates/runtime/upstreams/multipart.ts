import { createHash } from "node:crypto";
import { ToolError } from "../engine/errors.js";
import type { Values } from "./parameters.js";
import { queryParts, styled, StyledValue } from "./styles.js";

/**
 * The type and body of a form as `multipart/form-data`. The boundary is a hash of the parts, so that equal values give
 * an equal body, and no value can contain the boundary.
 *
 * @throws ToolError for a text with an unpaired surrogate
 */
export function multipartBody(values: Values): { type: string; body: string } {
  const parts = Object.entries(values).flatMap(([name, value]) => partsOf(name, value));
  const boundary = createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 40);
  const lines = parts.map((part) => `--${boundary}\r\n${part}\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: `${lines.join("")}--${boundary}--\r\n`,
  };
}

/** The parts for a value. By default, each item of a list becomes a part, and an object becomes a part with JSON. */
function partsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) =>
      partsOf(name, Array.isArray(item) ? asJson(item) : item),
    );
  }
  if (isObject(value) && !(value instanceof StyledValue)) return partsOf(name, asJson(value));
  const type = isJson(value) ? "\r\nContent-Type: application/json" : "";
  return fieldsOf(name, value).map(
    ([field, text]) =>
      `Content-Disposition: form-data; name="${escapedName(field)}"${type}\r\n\r\n${text}`,
  );
}

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
