import { badDocument, documentSyntax } from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { ApiDocument, ApiVersion, DocumentSource } from "./api-document.js";
import { readJson } from "./json-source.js";
import { readYaml } from "./yaml-source.js";

/** Bytes of a document. */
const LARGEST = 64 * 1024 * 1024;

export type Read<Value> = Value | { readonly problem: Diagnostic };

/** Bytes → an OpenAPI document with positions. @param file the path that diagnostics carry */
export function readDocument(file: string, bytes: Uint8Array): Read<{ document: ApiDocument }> {
  const read = readSource(file, bytes);
  return "problem" in read ? read : withVersion(read.source);
}

/** Bytes → JSON or YAML with positions. @param file the path that diagnostics carry */
export function readSource(file: string, bytes: Uint8Array): Read<{ source: DocumentSource }> {
  const start = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  if (bytes.length > LARGEST) {
    return { problem: documentSyntax(start, { problem: `is larger than ${LARGEST} bytes` }) };
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    return { problem: documentSyntax(start, { problem: "is not encoded as UTF-8" }) };
  }
  return /^\s*[{[]/.test(text) ? readJson(file, text) : readYaml(file, text);
}

function withVersion(source: DocumentSource): Read<{ document: ApiDocument }> {
  const said = ownValue(source.value, "openapi") ?? ownValue(source.value, "swagger");
  const version = versionOf(String(said));
  if (said === undefined || version === undefined) {
    const found = said === undefined ? "nothing" : String(said);
    const key = ownValue(source.value, "openapi") === undefined ? "swagger" : "openapi";
    return { problem: badDocument(source.locate([key]), { found }) };
  }
  if (!isJsonObject(ownValue(source.value, "paths") ?? {})) {
    return { problem: documentSyntax(source.locate(["paths"]), { problem: "has no paths" }) };
  }
  return { document: { ...source, version } };
}

function versionOf(said: string): ApiVersion | undefined {
  const found = /^(?:2(?:\.0)?|3\.[01])(?=\.|-|$)/.exec(said)?.[0];
  return found === "2" ? "2.0" : (found as ApiVersion | undefined);
}
