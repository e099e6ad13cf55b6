import { createHash } from "node:crypto";
import type { Caller } from "../context/context.js";
import { invalidParams } from "./errors.js";

/** Whom a cursor belongs to, as a cursor says it. */
export type CursorOwner = string;

/** The owner of cursors where callers need not say who they are. */
export const nobody: CursorOwner = "";

/**
 * The owner of the cursors that a caller is given.
 *
 * @param view Which part of the list the caller is shown: with another part a cursor leads nowhere.
 */
export function cursorOwner({ authentication }: Caller, view: string): CursorOwner {
  if (authentication === undefined) return nobody;
  const text = JSON.stringify([authentication.principal, view]);
  return createHash("sha256").update(text).digest("base64url");
}

/**
 * A cursor is the place at which the next page starts: it stays right when items are switched on or
 * off between two pages.
 */
export function writeCursor(place: number, owner: CursorOwner): string {
  const text = owner === nobody ? `from ${place}` : `from ${place} of ${owner}`;
  return Buffer.from(text).toString("base64url");
}

/** @throws ProtocolError -32602 for what is no cursor of this owner, or leads past the last of so many places */
export function readCursor(cursor: unknown, places: number, owner: CursorOwner): number {
  if (cursor === undefined) return 0;
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString() : "";
  const place = Number(/^from ([1-9]\d{0,8})(?: |$)/.exec(text)?.[1]);
  if (!(place < places) || writeCursor(place, owner) !== cursor) {
    throw invalidParams("Unknown cursor");
  }
  return place;
}
