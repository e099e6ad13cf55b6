import { isJsonObject, type JsonObject } from "../../model/json.js";
import { walkSchema } from "../../model/json-schema.js";
import type { SchemaDocument } from "./schema-document.js";

/** Which schemas values can be checked against: those in which no error was found. */
export class Soundness {
  readonly #broken = new Set<JsonObject>();
  readonly #brokenDocuments = new Set<SchemaDocument>();
  #isSharedBroken = false;

  addBroken(document: SchemaDocument, schema: JsonObject): void {
    this.#broken.add(schema);
    this.#brokenDocuments.add(document);
    if (document.role === "shared") this.#isSharedBroken = true;
  }

  /** References can lead anywhere in the document, and to shared schemas: then all of these count. */
  isSound(schema: JsonObject, document: SchemaDocument): boolean {
    const mayReferToBroken = this.#isSharedBroken || this.#brokenDocuments.has(document);
    if (!mayReferToBroken) return true;
    for (const [, inner] of walkSchema(schema)) {
      if (!isJsonObject(inner)) continue;
      if (this.#broken.has(inner) || "$ref" in inner || "$dynamicRef" in inner) return false;
    }
    return true;
  }
}
