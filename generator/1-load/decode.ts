import type { Diagnostic } from "../model/diagnostic.js";
import {
  invalidUtf8,
  manifestTooLarge,
  notUtf8,
  rawControlCharacter,
  yamlSyntax,
} from "../model/catalogue/load.js";
import { wholeFile } from "../model/place.js";
import { printable } from "../text/printable.js";
import { LIMITS } from "./limits.js";
import { indexLines } from "./line-index.js";

type Decoded = { readonly text: string } | { readonly problem: Diagnostic };

/** Decodes a file's bytes to text without a byte-order mark, or says why they are not YAML text. */
export function decodeText(file: string, bytes: Uint8Array): Decoded {
  const start = wholeFile(file);
  if (bytes.length > LIMITS.fileBytes) {
    return { problem: manifestTooLarge(start, { bytes: bytes.length, limit: LIMITS.fileBytes }) };
  }
  const encoding = wideEncoding(bytes);
  if (encoding !== undefined) return { problem: notUtf8(start, { encoding }) };
  const decoded = decodeUtf8(file, bytes);
  if ("problem" in decoded) return decoded;
  const problem = controlCharacterProblem(file, decoded.text);
  return problem === undefined ? decoded : { problem };
}

/** Recognises UTF-16 and UTF-32 by their byte-order mark or by the zero bytes of ASCII characters. */
function wideEncoding([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  if (a === 0 && b === 0) return "UTF-32";
  if (b === 0 && c === 0) return "UTF-32";
  return a === 0 || b === 0 ? "UTF-16" : undefined;
}

function decodeUtf8(file: string, bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const valid = new TextDecoder().decode(bytes.subarray(0, firstInvalidByte(bytes)));
    const end = valid.length;
    return { problem: invalidUtf8(indexLines(file, valid).place(end, end), {}) };
  }
}

/** The index of the first byte that changes when the bytes are decoded and encoded again. */
function firstInvalidByte(bytes: Uint8Array): number {
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const encoded = new TextEncoder().encode(decoded);
  return bytes.findIndex((byte, index) => byte !== encoded[index]);
}

/** The YAML library uses some control characters as marks of its own and accepts a carriage return alone in a text. */
function controlCharacterProblem(file: string, text: string): Diagnostic | undefined {
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\r(?!\n)/.exec(text);
  if (found === null) return undefined;
  const before = text.slice(0, found.index).replaceAll("\r\n", "\n");
  const place = indexLines(file, `${before} `).place(before.length, before.length + 1);
  if (found[0] !== "\r") return rawControlCharacter(place, { character: printable(found[0]) });
  return yamlSyntax(place, {
    problem: "the line ends with a carriage return alone",
    advice: "save the file with line feeds (LF) or CRLF",
  });
}
