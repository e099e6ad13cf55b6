import { createHash } from "node:crypto";
import type { Caller } from "../context/context.js";
import { invalidParams } from "./errors.js";

/** The owner of a cursor, as the cursor contains it. */
export type CursorOwner = string;

/** The owner of cursors of callers who are not authenticated. */
export const nobody: CursorOwner = "";

/**
 * The owner of the cursors that a caller gets.
 * @param view The part of the list that the caller sees: a cursor is invalid for any other part.
 */
export function cursorOwner({ authentication }: Caller, view: string): CursorOwner {
  if (authentication === undefined) return nobody;
  const text = JSON.stringify([authentication.principal, view]);
  return createHash("sha256").update(text).digest("base64url");
}

/**
 * Writes a cursor. It has the position of the first item of the next page among all items, so it stays valid
 * when items are switched on or off.
 */
export function writeCursor(position: number, owner: CursorOwner): string {
  const text = owner === nobody ? `from ${position}` : `from ${position} of ${owner}`;
  return Buffer.from(text).toString("base64url");
}

/**
 * Returns the position in a cursor; 0 if there is no cursor, or an empty one, which no server sends.
 * @throws ProtocolError -32602 for anything but a cursor of this owner to a position below `count`
 */
export function readCursor(cursor: unknown, count: number, owner: CursorOwner): number {
  if (cursor === undefined || cursor === "") return 0;
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString() : "";
  const position = Number(/^from ([1-9]\d{0,8})(?: |$)/.exec(text)?.[1]);
  if (!(position < count) || writeCursor(position, owner) !== cursor) {
    throw invalidParams("Unknown cursor");
  }
  return position;
}
