import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkOutputFolder } from "./output-folder.js";
import type { FileStatus, ReadableFiles } from "./tree.js";

const surroundings = {
  workingFolder: "/home/me/work/api",
  homeFolder: "/home/me",
  manifestFolder: "/home/me/work/api",
};

const kinds: Readonly<Record<string, FileStatus["kind"]>> = {
  "/home/me/work/api/file": "file",
  "/home/me/work/api/link": "symbolic link",
  "/home/me/work/api/pipe": "special file",
  "/home/me/work/api/out": "folder",
};

const files: ReadableFiles = {
  status(path) {
    const kind = kinds[path];
    return kind && { kind, size: 0, links: 1, mode: 0o755 };
  },
  read: () => new Uint8Array(),
  list: () => [],
};

const hostile = [
  "/",
  "",
  " ",
  "..",
  "../..",
  "~",
  "/home/me",
  ".git",
  ".git/x",
  "./node_modules",
  "a\nb",
  "a\u0000",
];

for (const given of [...hostile, "file", "link", "link/", "pipe"]) {
  test(`B13: --out ${JSON.stringify(given)} is refused`, () => {
    assert.is(checkOutputFolder(given, surroundings, files)?.code, "MW4022");
  });
}

for (const given of [".", "out", "new/deep", "../other", "/srv/x", "ünï çødé 🙂", "..x", ".gitx"]) {
  test(`--out ${JSON.stringify(given)} can be used`, () => {
    assert.is(checkOutputFolder(given, surroundings, files), undefined);
  });
}

test.run();
