import type { Late } from "../engine/awaitable.js";

/** Returns a value whose module is imported already. @throws if it is not */
export function imported<Value>(late: Late<Value>): Value {
  const value = late();
  if (value instanceof Promise) throw new Error("used before it was imported");
  return value;
}
