import { createHash } from "node:crypto";
import type { Caller } from "../context/context.js";
import { invalidParams } from "./errors.js";

/** The owner of a cursor, in the form that the cursor has it. */
export type CursorOwner = string;

/** The owner of cursors where callers are not authenticated. */
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
 * Writes a cursor: the place at which the next page starts. It stays right when items are switched on or off
 * between two pages.
 */
export function writeCursor(place: number, owner: CursorOwner): string {
  const text = owner === nobody ? `from ${place}` : `from ${place} of ${owner}`;
  return Buffer.from(text).toString("base64url");
}

/** @throws ProtocolError -32602 for anything but a cursor of this owner to one of so many places */
export function readCursor(cursor: unknown, places: number, owner: CursorOwner): number {
  if (cursor === undefined) return 0;
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString() : "";
  const place = Number(/^from ([1-9]\d{0,8})(?: |$)/.exec(text)?.[1]);
  if (!(place < places) || writeCursor(place, owner) !== cursor) {
    throw invalidParams("Unknown cursor");
  }
  return place;
}
