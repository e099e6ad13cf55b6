import { createHash } from "node:crypto";
import { ToolError } from "../engine/errors.js";
import type { Values } from "./parameters.js";
import { queryParts, styled, StyledValue } from "./styles.js";

/**
 * The parts of a form as `multipart/form-data`. What tells them apart is made of them, so that the same values are the
 * same body, and no value can hold it.
 *
 * @throws ToolError for half a character
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

/** Where nothing says how they are written, each item of a list is a part, and each object one of JSON. */
function partsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) =>
      partsOf(name, Array.isArray(item) ? asJson(item) : item),
    );
  }
  if (isObject(value) && !(value instanceof StyledValue)) return partsOf(name, asJson(value));
  const type = isJson(value) ? "\r\nContent-Type: application/json" : "";
  return textsOf(name, value).map(
    ([field, text]) =>
      `Content-Disposition: form-data; name="${quotable(field)}"${type}\r\n\r\n${text}`,
  );
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const asJson = (value: unknown): StyledValue => styled(value, { style: "json" });

const isJson = (value: unknown): boolean =>
  value instanceof StyledValue && value.style.style === "json";

/** The fields that a query would have, with nothing encoded. */
function textsOf(name: string, value: unknown): [field: string, text: string][] {
  try {
    return queryParts(name, value).map((pair) => {
      const [field = ""] = pair.split("=", 1);
      return [decodeURIComponent(field), decodeURIComponent(pair.slice(field.length + 1))];
    });
  } catch {
    throw new ToolError("A value of the form is no well-formed text.");
  }
}

/** As browsers write names. */
function quotable(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
