import { badDocument, documentSyntax } from "../model/catalogue/imports.js";
import { wholeFile } from "../model/place.js";
import { isJsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { ApiDocument, ApiVersion, DocumentSource, Read } from "./api-document.js";
import { readJson } from "./json-source.js";
import { readYaml } from "./yaml-source.js";

/** The most bytes of a document and its files together. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Reads an OpenAPI document from its bytes. @param file the path that diagnostics show */
export function readDocument(file: string, bytes: Uint8Array): Read<{ document: ApiDocument }> {
  const result = readSource(file, bytes);
  return "problem" in result ? result : withVersion(result.source);
}

/** Reads a file in JSON or YAML from its bytes. @param file the path that diagnostics show */
export function readSource(file: string, bytes: Uint8Array): Read<{ source: DocumentSource }> {
  const start = wholeFile(file);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    return {
      problem: documentSyntax(start, { problem: `is larger than ${MAX_DOCUMENT_BYTES} bytes` }),
    };
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
  const text = ownValue(source.value, "openapi") ?? ownValue(source.value, "swagger");
  const version = versionOf(String(text));
  if (text === undefined || version === undefined) {
    const versionText = text === undefined ? "nothing" : String(text);
    const key = ownValue(source.value, "openapi") === undefined ? "swagger" : "openapi";
    return { problem: badDocument(source.locate([key]), { found: versionText }) };
  }
  if (!isJsonObject(ownValue(source.value, "paths") ?? {})) {
    return { problem: documentSyntax(source.locate(["paths"]), { problem: "has no paths" }) };
  }
  return { document: { ...source, version } };
}

function versionOf(text: string): ApiVersion | undefined {
  const version = /^(?:2(?:\.0)?|3\.[01])(?=\.|-|$)/.exec(text)?.[0];
  return version === "2" ? "2.0" : (version as ApiVersion | undefined);
}
