import { quickLook } from "./quick-look.js";

/**
 * Whether a module exports `name` and can be parsed, found out without a compiler. False where that is not
 * sure; in what the compiler would not accept, a few mistakes are overlooked.
 */
export function mayExport(source: string, name: string): boolean {
  const look = quickLook(source);
  return look !== undefined && (look.open || look.exported.has(name));
}
