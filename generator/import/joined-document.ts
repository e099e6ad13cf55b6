import { posix } from "node:path";
import { documentSyntax } from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { Place } from "../model/catalogue-entry.js";
import {
  entriesOf,
  FILES,
  pathOfReference,
  referenceIn,
  valueAtPath,
  type ApiDocument,
  type DocumentPath,
  type DocumentSource,
} from "./api-document.js";
import { readDocument, readSource, type Read } from "./read-document.js";

/** Files beside a document. */
export interface SiblingFiles {
  /**
   * The bytes of a file of the document's folder or one below it; undefined where there is none.
   *
   * @param path from that folder, with `/`
   */
  read(path: string): Uint8Array | undefined;
}

/** Files that one document may consist of. */
const MOST_FILES = 2_000;

/** Bytes of all files of a document together. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Bytes → an OpenAPI document with all files that it refers to, in its folder and below. They stand under a key
 * of their own, and references lead there: whoever reads the document sees one value.
 *
 * @param file the path that diagnostics carry
 */
export function readJoinedDocument(
  file: string,
  bytes: Uint8Array,
  siblings: SiblingFiles,
): Read<{ document: ApiDocument }> {
  const main = readDocument(file, bytes);
  if ("problem" in main) return main;
  const loaded = new LoadedFiles(main.document, siblings, bytes.length);
  const problem = loaded.load();
  if (problem !== undefined) return { problem };
  return { document: loaded.joined() };
}

/** A reference to a file below the document's folder. */
interface FileReference {
  /** From the document's folder; the document itself is `MAIN`. */
  readonly file: string;
  /** A JSON Pointer: `/Pet`, or nothing for the whole file. */
  readonly pointer: string;
}

class LoadedFiles {
  readonly #main: ApiDocument;
  readonly #siblings: SiblingFiles;
  /** By path from the document's folder; those that are not there are absent. */
  readonly #sources = new Map<string, DocumentSource>();
  readonly #asked = new Set<string>();
  readonly #references: References;
  #bytes: number;

  constructor(main: ApiDocument, siblings: SiblingFiles, bytes: number) {
    this.#main = main;
    this.#siblings = siblings;
    this.#bytes = bytes;
    this.#references = new References(posix.basename(main.file));
  }

  /** Reads all files that references lead to. @returns why one of them cannot be used */
  load(): Diagnostic | undefined {
    const open: [from: string, value: JsonValue][] = [[MAIN, this.#main.value]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [from, value] = next;
      for (const { file } of this.#references.in(value, from)) {
        if (file === MAIN || this.#asked.has(file)) continue;
        this.#asked.add(file);
        const read = this.#read(file);
        if (read === undefined) continue;
        if ("problem" in read) return read.problem;
        this.#sources.set(file, read.source);
        open.push([file, read.source.value]);
      }
    }
    return undefined;
  }

  #read(file: string): Read<{ source: DocumentSource }> | undefined {
    const bytes = this.#siblings.read(file);
    if (bytes === undefined) return undefined;
    const shown = posix.join(posix.dirname(this.#main.file), file);
    this.#bytes += bytes.length;
    if (this.#bytes > LARGEST || this.#asked.size > MOST_FILES) {
      const start = { file: shown, line: 1, column: 1, endLine: 1, endColumn: 1 };
      const problem = `makes the document larger than ${LARGEST} bytes or ${MOST_FILES} files`;
      return { problem: documentSyntax(start, { problem }) };
    }
    return readSource(shown, bytes);
  }

  /** The document, with the files in it. One that refers to no other file stays what it is. */
  joined(): ApiDocument {
    if (this.#asked.size === 0) return this.#main;
    const aliases = this.#aliases();
    const names = new Map([...aliases].map(([place, { name }]) => [place, name]));
    const files = [...this.#sources].map(([file, { value }]): [string, JsonValue] => [
      file,
      this.#references.placed(value, file, names),
    ]);
    const main = this.#references.placed(this.#main.value, MAIN, names) as JsonObject;
    const value = { ...main, [FILES]: Object.fromEntries(files) };
    for (const { path, target } of aliases.values()) moveTo(value, path, target);
    return { ...this.#main, value, locate: (path) => this.#locate(original(path, aliases)) };
  }

  #locate(path: DocumentPath): Place {
    const [key, file, ...inner] = path;
    const source = key === FILES ? this.#sources.get(String(file)) : undefined;
    return source === undefined ? this.#main.locate(path) : source.locate(inner);
  }

  /** Components of the document that are no more than another name of something in a file, by the places of that. */
  #aliases(): ReadonlyMap<string, Alias> {
    const aliases = new Map<string, Alias>();
    for (const holder of [["components", "schemas"], ["definitions"]]) {
      for (const [name, value] of entriesOf(valueAtPath(this.#main.value, holder))) {
        const target = this.#references.read(referenceIn(value), MAIN);
        if (target === undefined || target.file === MAIN) continue;
        if (!this.#sources.has(target.file) || Object.keys(value as JsonObject).length > 1)
          continue;
        const place = placeOf(target);
        const path = [...holder, name];
        if (!aliases.has(place)) {
          aliases.set(place, {
            path,
            name: `#${path.map((key) => `/${escaped(String(key))}`).join("")}`,
            target: pathOf(target),
          });
        }
      }
    }
    return aliases;
  }
}

/** A component that stands in a file of its own. */
interface Alias {
  /** Where the document has it. */
  readonly path: DocumentPath;
  /** The same as a reference. */
  readonly name: string;
  /** Where its file has it. */
  readonly target: DocumentPath;
}

/** Puts what stands at one path to another too. */
function moveTo(root: JsonObject, path: DocumentPath, from: DocumentPath): void {
  const holder = valueAtPath(root, path.slice(0, -1));
  const value = valueAtPath(root, from);
  if (isJsonObject(holder) && value !== undefined) holder[String(path.at(-1))] = value;
}

/** Where the value of a path was written. */
function original(path: DocumentPath, aliases: ReadonlyMap<string, Alias>): DocumentPath {
  for (const alias of aliases.values()) {
    const isWithin = alias.path.every((segment, index) => segment === path[index]);
    if (isWithin) return [...alias.target, ...path.slice(alias.path.length)];
  }
  return path;
}

/** Keys whose values are data: what looks like a reference there is none. */
const DATA: ReadonlySet<string> = new Set(["example", "examples", "default", "const", "enum"]);

/** Keys whose members have names that the author chose. */
const NAMES: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "definitions", "$defs", "schemas", "parameters"],
  ...["responses", "headers", "requestBodies", "securitySchemes", "pathItems", "callbacks"],
]);

/** Whether a member of an object may hold references. */
function mayRefer(key: string, holder: string | undefined): boolean {
  return !DATA.has(key) || (holder !== undefined && NAMES.has(holder));
}

/** The document itself, among its files. */
const MAIN = "";

/** Reads the references of a document that consists of several files. */
class References {
  /** What other files call the document. */
  readonly #mainName: string;

  constructor(mainName: string) {
    this.#mainName = mainName;
  }

  /** What a reference means that stands in a file; undefined where it leads out of the folder, or into no file. */
  read(reference: string | undefined, from: string): FileReference | undefined {
    if (reference === undefined) return undefined;
    const [path = "", pointer = ""] = splitAtFirst(reference, "#");
    if (pointer !== "" && !pointer.startsWith("/")) return undefined;
    if (path === "") return from === MAIN ? undefined : { file: from, pointer };
    if (/^[a-z][a-z0-9+.-]*:|^[/\\]|[?\\]/i.test(path)) return undefined;
    const decoded = decodedText(path);
    if (decoded === undefined || decodedText(pointer) === undefined || decoded.includes("\0"))
      return undefined;
    const file = posix.join(posix.dirname(from), decoded);
    if (file.startsWith("../") || file === "." || file === "..") return undefined;
    return { file: file === this.#mainName ? MAIN : file, pointer };
  }

  /** The references to files in a value of a file. */
  in(root: JsonValue, from: string): FileReference[] {
    const found: FileReference[] = [];
    const visit = (value: JsonValue, holder: string | undefined): void => {
      if (Array.isArray(value)) return value.forEach((item) => visit(item, undefined));
      if (!isJsonObject(value)) return;
      const target = this.read(referenceIn(value), from);
      if (target !== undefined) found.push(target);
      for (const [key, member] of Object.entries(value)) {
        if (mayRefer(key, holder)) visit(member, key);
      }
    };
    visit(root, undefined);
    return found;
  }

  /**
   * The same value, whose references lead to where the files stand in the joined document.
   *
   * @param aliases what leads there by a name of the document's own
   */
  placed(root: JsonValue, from: string, aliases: ReadonlyMap<string, string>): JsonValue {
    const copy = (value: JsonValue, holder: string | undefined): JsonValue => {
      if (Array.isArray(value)) return value.map((item) => copy(item, undefined));
      if (!isJsonObject(value)) return value;
      const entries = Object.entries(value).map(([key, member]): [string, JsonValue] => [
        key,
        mayRefer(key, holder) ? copy(member, key) : member,
      ]);
      const target = this.read(referenceIn(value), from);
      const copied = Object.fromEntries(entries);
      if (target === undefined) return copied;
      const place = placeOf(target);
      return { ...copied, $ref: aliases.get(place) ?? place };
    };
    return copy(root, undefined);
  }
}

function decodedText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function splitAtFirst(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A reference to the place of a file's value in the joined document. */
function placeOf({ file, pointer }: FileReference): string {
  return file === MAIN ? `#${pointer}` : `#/${FILES}/${escaped(file)}${pointer}`;
}

/** The path of the same. */
function pathOf({ file, pointer }: FileReference): DocumentPath {
  const inner = pathOfReference(`#${pointer}`, []);
  return file === MAIN ? inner : [FILES, file, ...inner];
}

/** A key as a segment of a reference. */
function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0"));
}
