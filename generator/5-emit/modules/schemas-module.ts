import type { SharedTypes } from "../types/emit-types.js";
import { declarationOf } from "../types/type-declaration.js";
import type { FileStatements } from "../typescript-printer.js";
import { typeImports } from "./item-module.js";

/** `src/generated/schemas.ts`: the types of the manifest's `schemas`. */
export function schemasModule({ declarations, jsonTypes }: SharedTypes): FileStatements {
  return [...typeImports({ jsonTypes, sharedTypes: [] }, "./"), ...declarations.map(declarationOf)];
}
