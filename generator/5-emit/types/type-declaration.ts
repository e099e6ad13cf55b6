import type { Declaration } from "../declaration.js";
import { sequenceOf } from "../../text/code.js";
import type { TypeDeclaration } from "./emit-types.js";

/** An emitted type as an exported interface or type alias. */
export function declarationOf({ kind, name, docs, body }: TypeDeclaration): Declaration {
  return kind === "interface"
    ? { name, docs, code: sequenceOf([`export interface ${name} `, body]) }
    : { name, docs, code: sequenceOf([`export type ${name} = `, body, ";"]) };
}
