import { test } from "uvu";
import * as assert from "uvu/assert";
import { OwnBoard } from "../src/board/board.ts";
import { createTestContext } from "./generated/testing.ts";
import { notes } from "../src/resources/notes.ts";
import { clearBoard } from "../src/tools/clear-board.ts";
import { postNote } from "../src/tools/post-note.ts";

test("a note is on the board, the newest first, and those who follow it are told", async () => {
  const ctx = createTestContext({ services: { board: new OwnBoard() } });
  await postNote({ text: "Lost: one glove" }, ctx);
  await postNote({ text: "Found: one glove" }, ctx);
  assert.is(await notes("board://notes", ctx), '["Found: one glove","Lost: one glove"]');
  assert.equal(ctx.updated, ["board://notes", "board://notes"]);
});

test("the board has place for a hundred notes", async () => {
  const ctx = createTestContext({ services: { board: new OwnBoard() } });
  for (let note = 0; note < 101; note++) await postNote({ text: `note ${note}` }, ctx);
  const shown = JSON.parse(String(await notes("board://notes", ctx))) as string[];
  assert.equal([shown.length, shown[0], shown.at(-1)], [100, "note 100", "note 1"]);
});

test("the oldest notes are taken off, and as many stay as a person has said", async () => {
  const ctx = createTestContext(clearBoard, {
    services: { board: new OwnBoard() },
    answers: { elicit: { keep: { notes: 1 } } },
  });
  await postNote({ text: "old" }, ctx);
  await postNote({ text: "new" }, ctx);
  assert.is(await clearBoard({}, ctx), "Notes taken off the board: 1.");
  assert.is(await notes("board://notes", ctx), '["new"]');
});

test.run();
