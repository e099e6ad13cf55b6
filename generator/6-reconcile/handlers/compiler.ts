import { createRequire } from "node:module";
import type { ts } from "ts-morph";

let loaded: typeof ts | undefined;

function load(): typeof ts {
  const library = createRequire(import.meta.url)("ts-morph") as { readonly ts: typeof ts };
  return library.ts;
}

/**
 * The TypeScript compiler that is part of ts-morph. It is loaded at its first use, since most runs read no file of a
 * person, and loading takes longer than everything else that they do.
 */
export const compiler: typeof ts = new Proxy({} as typeof ts, {
  get: (_, name) => Reflect.get((loaded ??= load()), name) as unknown,
});
