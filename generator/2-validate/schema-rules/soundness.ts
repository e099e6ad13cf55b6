import { isJsonObject, type JsonObject } from "../../model/json.js";
import { walkSchema } from "../../schema/subschemas.js";
import type { SchemaDocument } from "./schema-document.js";

/** Records the schemas with errors. Values are checked only against the other schemas. */
export class Soundness {
  readonly #broken = new Set<JsonObject>();
  readonly #brokenDocuments = new Set<SchemaDocument>();
  readonly #unreadable = new Set<SchemaDocument>();
  #isSharedBroken = false;

  addBroken(document: SchemaDocument, schema: JsonObject): void {
    this.#broken.add(schema);
    this.#brokenDocuments.add(document);
    if (document.role === "shared") this.#isSharedBroken = true;
  }

  /** Records a document in which nothing is to be checked. */
  addUnreadable(document: SchemaDocument): void {
    this.#unreadable.add(document);
    this.addBroken(document, document.root);
  }

  isReadable(document: SchemaDocument): boolean {
    return !this.#unreadable.has(document);
  }

  /** False for a schema with errors, and for one with references if its document or a shared schema has errors. */
  isSound(schema: JsonObject, document: SchemaDocument): boolean {
    if (this.#unreadable.has(document)) return false;
    const mayReferToBroken = this.#isSharedBroken || this.#brokenDocuments.has(document);
    if (!mayReferToBroken) return true;
    for (const [, inner] of walkSchema(schema)) {
      if (!isJsonObject(inner)) continue;
      if (this.#broken.has(inner) || "$ref" in inner || "$dynamicRef" in inner) return false;
    }
    return true;
  }
}
