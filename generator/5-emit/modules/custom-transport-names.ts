import type { ItemId } from "../../model/output-file.js";
import { itemNames } from "../../text/names.js";

/** What follows from the name of the project's own transport. */
export interface CustomTransportNames {
  readonly id: ItemId;
  /** The constant that `src/main.ts` imports. */
  readonly identifier: string;
  /** Path of its module, relative to the project. */
  readonly path: string;
  /** Path of the module's starter test. */
  readonly testPath: string;
}

/** @param name its name in the manifest */
export function customTransportNames(name: string): CustomTransportNames {
  const { typeName, fileName } = itemNames(name);
  return {
    id: `customTransport:${name}`,
    identifier: `${lowerFirst(typeName)}Transport`,
    path: `src/transports/${fileName}.ts`,
    testPath: `test/${fileName}-transport.test.ts`,
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
