import { createRequire } from "node:module";
import type { ts } from "ts-morph";

let loaded: typeof ts | undefined;

function load(): typeof ts {
  const library = createRequire(import.meta.url)("ts-morph") as { readonly ts: typeof ts };
  return library.ts;
}

/**
 * The TypeScript compiler that ts-morph carries. It is loaded when something of it is first used, since most
 * runs have no file of a person to read, and loading takes longer than all else that they do.
 */
export const compiler: typeof ts = new Proxy({} as typeof ts, {
  get: (_, name) => Reflect.get((loaded ??= load()), name) as unknown,
});
