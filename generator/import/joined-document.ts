import { posix } from "node:path";
import { documentSyntax } from "../model/catalogue/imports.js";
import { wholeFile, type Place } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import {
  entriesOf,
  FILES,
  pathOfReference,
  referenceIn,
  valueAtPath,
  type ApiDocument,
  type DocumentPath,
  type DocumentSource,
  type Read,
} from "./api-document.js";
import { MAX_DOCUMENT_BYTES, readDocument, readSource } from "./read-document.js";

/** The files in a document's folder and below. */
export interface SiblingFiles {
  /**
   * The bytes of a file. Undefined if there is no such file, "too large" if it alone is larger than a document may be.
   *
   * @param path path relative to the document's folder, with `/`
   */
  read(path: string): Uint8Array | "too large" | undefined;
}

/** The most files that one document may consist of. */
const MAX_FILES = 2_000;

/**
 * Reads an OpenAPI document and all files that it refers to, in its folder and below. The result is one document: it
 * contains the other files under the key `FILES`, and references to them refer to that place.
 *
 * @param file the path that diagnostics show
 */
export function readJoinedDocument(
  file: string,
  bytes: Uint8Array,
  siblings: SiblingFiles,
): Read<{ document: ApiDocument }> {
  const main = readDocument(file, bytes);
  if ("problem" in main) return main;
  const files = new LoadedFiles(main.document, siblings, bytes.length);
  const problem = files.load();
  if (problem !== undefined) return { problem };
  return { document: files.joinedDocument() };
}

/** A reference to a place in one of the files. */
interface FileReference {
  /** Path relative to the document's folder. `MAIN` for the document itself. */
  readonly file: string;
  /** A JSON Pointer, such as `/Pet`. Empty for the whole file. */
  readonly pointer: string;
}

/** The files of one document. */
class LoadedFiles {
  readonly #main: ApiDocument;
  readonly #siblings: SiblingFiles;
  /** The files that exist, by their paths relative to the document's folder. */
  readonly #sources = new Map<string, DocumentSource>();
  /** The paths of all files that references name, whether they exist or not. */
  readonly #requested = new Set<string>();
  readonly #references: References;
  #bytes: number;

  constructor(main: ApiDocument, siblings: SiblingFiles, bytes: number) {
    this.#main = main;
    this.#siblings = siblings;
    this.#bytes = bytes;
    this.#references = new References(posix.basename(main.file));
  }

  /** Reads all files that references name. @returns the problem, if a file cannot be used */
  load(): Diagnostic | undefined {
    const pending: [from: string, value: JsonValue][] = [[MAIN, this.#main.value]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [from, value] = next;
      for (const { file } of this.#references.in(value, from)) {
        if (file === MAIN || this.#requested.has(file)) continue;
        this.#requested.add(file);
        const result = this.#read(file);
        if (result === undefined) continue;
        if ("problem" in result) return result.problem;
        this.#sources.set(file, result.source);
        pending.push([file, result.source.value]);
      }
    }
    return undefined;
  }

  #read(file: string): Read<{ source: DocumentSource }> | undefined {
    const bytes = this.#siblings.read(file);
    if (bytes === undefined) return undefined;
    const shownPath = posix.join(posix.dirname(this.#main.file), file);
    this.#bytes += bytes === "too large" ? Infinity : bytes.length;
    if (
      bytes === "too large" ||
      this.#bytes > MAX_DOCUMENT_BYTES ||
      this.#requested.size > MAX_FILES
    ) {
      const problem = `makes the document larger than ${MAX_DOCUMENT_BYTES} bytes or ${MAX_FILES} files`;
      return { problem: documentSyntax(wholeFile(shownPath), { problem }) };
    }
    return readSource(shownPath, bytes);
  }

  /** The document with its files in it. A document that refers to no other file is returned unchanged. */
  joinedDocument(): ApiDocument {
    if (this.#requested.size === 0) return this.#main;
    const aliases = this.#aliases();
    const names = new Map([...aliases].map(([place, { name }]) => [place, name]));
    const files = [...this.#sources].map(([file, { value }]): [string, JsonValue] => [
      file,
      this.#references.withJoinedTargets(value, file, names),
    ]);
    const main = this.#references.withJoinedTargets(this.#main.value, MAIN, names) as JsonObject;
    const value = { ...main, [FILES]: Object.fromEntries(files) };
    for (const { path, target } of aliases.values()) copyValue(value, path, target);
    return { ...this.#main, value, locate: (path) => this.#locate(originalPath(path, aliases)) };
  }

  #locate(path: DocumentPath): Place {
    const [key, file, ...inner] = path;
    const source = key === FILES ? this.#sources.get(String(file)) : undefined;
    return source === undefined ? this.#main.locate(path) : source.locate(inner);
  }

  /** Components of the document that only refer to a value in another file. The key is the reference to that value. */
  #aliases(): ReadonlyMap<string, Alias> {
    const aliases = new Map<string, Alias>();
    for (const containerPath of [["components", "schemas"], ["definitions"]]) {
      for (const [name, value] of entriesOf(valueAtPath(this.#main.value, containerPath))) {
        const target = this.#references.read(referenceIn(value), MAIN);
        if (target === undefined || target.file === MAIN) continue;
        if (!this.#sources.has(target.file) || Object.keys(value as JsonObject).length > 1)
          continue;
        const reference = placeOf(target);
        const path = [...containerPath, name];
        if (!aliases.has(reference)) {
          aliases.set(reference, {
            path,
            name: `#${path.map((key) => `/${escapedKey(String(key))}`).join("")}`,
            target: pathOf(target),
          });
        }
      }
    }
    return aliases;
  }
}

/** A component of the document that is only a reference to a value in another file. */
interface Alias {
  /** The path of the component. */
  readonly path: DocumentPath;
  /** A reference to the component. */
  readonly name: string;
  /** The path of the value in the joined document. */
  readonly target: DocumentPath;
}

/** Puts the value at the path `from` also at the path `path`. */
function copyValue(root: JsonObject, path: DocumentPath, from: DocumentPath): void {
  const container = valueAtPath(root, path.slice(0, -1));
  const value = valueAtPath(root, from);
  if (isJsonObject(container) && value !== undefined) container[String(path.at(-1))] = value;
}

/** The path of the place where a value was written: within its own file, if it was copied to a component. */
function originalPath(path: DocumentPath, aliases: ReadonlyMap<string, Alias>): DocumentPath {
  for (const alias of aliases.values()) {
    const isWithin = alias.path.every((segment, index) => segment === path[index]);
    if (isWithin) return [...alias.target, ...path.slice(alias.path.length)];
  }
  return path;
}

/** Keys whose values are data. An object with `$ref` in them is no reference. */
const DATA_KEYS: ReadonlySet<string> = new Set(["example", "examples", "default", "const", "enum"]);

/** Keys of objects whose keys are names that the author chose. Such a name can be one of `DATA`. */
const NAME_MAP_KEYS: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "definitions", "$defs", "schemas", "parameters"],
  ...["responses", "headers", "requestBodies", "securitySchemes", "pathItems", "callbacks"],
]);

/** True if a member of an object can contain references. @param parentKey the key of that object */
function mayRefer(key: string, parentKey: string | undefined): boolean {
  return !DATA_KEYS.has(key) || (parentKey !== undefined && NAME_MAP_KEYS.has(parentKey));
}

/** The name of the document itself among its files. */
const MAIN = "";

/** Reads the references of a document that consists of several files. */
class References {
  /** The file name of the document, which other files refer to. */
  readonly #mainName: string;

  constructor(mainName: string) {
    this.#mainName = mainName;
  }

  /**
   * The place in a file that a reference refers to. Undefined if it refers to something outside of the folder, or to
   * a place in the main file itself.
   *
   * @param from the file that contains the reference
   */
  read(reference: string | undefined, from: string): FileReference | undefined {
    if (reference === undefined) return undefined;
    const [path = "", pointer = ""] = splitAtFirst(reference, "#");
    if (pointer !== "" && !pointer.startsWith("/")) return undefined;
    if (path === "") return from === MAIN ? undefined : { file: from, pointer };
    if (/^[a-z][a-z0-9+.-]*:|^[/\\]|[?\\]/i.test(path)) return undefined;
    const filePath = decodeText(path);
    if (filePath === undefined || decodeText(pointer) === undefined || filePath.includes("\0"))
      return undefined;
    const file = posix.join(posix.dirname(from), filePath);
    if (file.startsWith("../") || file === "." || file === "..") return undefined;
    return { file: file === this.#mainName ? MAIN : file, pointer };
  }

  /** All references to files in a value. @param from the file that contains the value */
  in(root: JsonValue, from: string): FileReference[] {
    const references: FileReference[] = [];
    const visit = (value: JsonValue, parentKey: string | undefined): void => {
      if (Array.isArray(value)) return value.forEach((item) => visit(item, undefined));
      if (!isJsonObject(value)) return;
      const target = this.read(referenceIn(value), from);
      if (target !== undefined) references.push(target);
      for (const [key, member] of Object.entries(value)) {
        if (mayRefer(key, parentKey)) visit(member, key);
      }
    };
    visit(root, undefined);
    return references;
  }

  /**
   * A copy of a value in which references to files refer to the places of these files in the joined document.
   *
   * @param from the file that contains the value
   * @param aliases for such a place, the reference to a component of the document that is used instead
   */
  withJoinedTargets(
    root: JsonValue,
    from: string,
    aliases: ReadonlyMap<string, string>,
  ): JsonValue {
    const copy = (value: JsonValue, parentKey: string | undefined): JsonValue => {
      if (Array.isArray(value)) return value.map((item) => copy(item, undefined));
      if (!isJsonObject(value)) return value;
      const entries = Object.entries(value).map(([key, member]): [string, JsonValue] => [
        key,
        mayRefer(key, parentKey) ? copy(member, key) : member,
      ]);
      const target = this.read(referenceIn(value), from);
      const copiedObject = Object.fromEntries(entries);
      if (target === undefined) return copiedObject;
      const reference = placeOf(target);
      return { ...copiedObject, $ref: aliases.get(reference) ?? reference };
    };
    return copy(root, undefined);
  }
}

function decodeText(text: string): string | undefined {
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

/** The reference to a place of a file in the joined document. */
function placeOf({ file, pointer }: FileReference): string {
  return file === MAIN ? `#${pointer}` : `#/${FILES}/${escapedKey(file)}${pointer}`;
}

/** The path of a place of a file in the joined document. */
function pathOf({ file, pointer }: FileReference): DocumentPath {
  const inner = pathOfReference(`#${pointer}`, []);
  return file === MAIN ? inner : [FILES, file, ...inner];
}

/** A key, escaped as a segment of a reference. */
function escapedKey(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0"));
}
