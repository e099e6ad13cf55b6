import type { Late } from "../engine/late.js";

/** Returns what was imported before. @throws where it was not */
export function imported<Value>(late: Late<Value>): Value {
  const value = late();
  if (value instanceof Promise) throw new Error("used before it was imported");
  return value;
}
