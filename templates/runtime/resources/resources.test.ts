import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  caller,
  protocolError,
  refusal,
  sampleEngine,
  type SampleEngine,
} from "../samples/engine.js";
import { erased, sampleServer } from "../samples/server.js";

const test = suite("resources");
const engine = sampleEngine();
let folder = "";

test.before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "resources-")));
});
test.after(() => rm(folder, { recursive: true }));

async function read(uri: string, using: SampleEngine = engine): Promise<ReadResourceResult> {
  return (await using.resources.read({ uri }, caller)) as ReadResourceResult;
}

/** A server whose resource x://it has this handler. */
function handledBy(handler: (uri: string) => unknown): SampleEngine {
  return sampleEngine({
    resources: [
      {
        definition: { uri: "x://it", name: "it", mimeType: "text/plain" },
        handler: () => erased(handler),
      },
    ],
  });
}

/** A server with the project root `project`, whose resource x://it is this file. */
function fileServer(path: string, mimeType?: string): SampleEngine {
  const definition = { uri: "x://it", name: "it", ...(mimeType === undefined ? {} : { mimeType }) };
  return sampleEngine(
    {
      resources: [{ definition, file: path }],
      limits: { fileBytes: 1_000 },
    },
    { root: join(folder, "project") },
  );
}

test("what clients need to show a page is read with it, and nothing else of its _meta", async () => {
  const ui = { prefersBorder: true };
  const definition = { uri: "ui://it", name: "it", _meta: { ui, "example/x": 1 } };
  const server = sampleEngine({ resources: [{ definition, text: "<p>" }] });
  assert.equal(await read("ui://it", server), {
    contents: [{ uri: "ui://it", _meta: { ui }, text: "<p>" }],
  });
  for (const [returned, _meta] of [
    ["<p>", { ui }],
    [{ text: "<p>", meta: { a: 1 } }, { a: 1 }],
  ] as const) {
    const made = sampleEngine({
      resources: [{ definition, handler: () => erased(() => returned) }],
    });
    assert.equal(await read("ui://it", made), {
      contents: [{ uri: "ui://it", _meta, text: "<p>" }],
    });
  }
});

test("resources with a text, a blob or a handler are listed and read", async () => {
  assert.equal(await read("sample://help"), {
    contents: [{ uri: "sample://help", mimeType: "text/markdown", text: "# Help" }],
  });
  assert.equal(await read("sample://dot"), {
    contents: [{ uri: "sample://dot", mimeType: "image/png", blob: "AQID" }],
  });
  assert.equal(await read("sample://now"), {
    contents: [{ uri: "sample://now", text: "read sample://now" }],
  });
});

test("the first matching template answers, with decoded values", async () => {
  assert.equal(await read("sample://cities/S%C3%A3o%20Paulo"), {
    contents: [
      { uri: "sample://cities/S%C3%A3o%20Paulo", mimeType: "text/plain", text: "About São Paulo" },
    ],
  });
});

test("a resource that does not exist is refused with its URI", async () => {
  for (const uri of [
    "sample://nope",
    "sample://cities/Atlantis",
    "SAMPLE://help",
    "sample://help/",
    "file:///docs/../../etc/passwd",
    "file:///docs/%2e%2e/etc/passwd",
    "file:///docs/..%2f..%2fetc%2fpasswd",
    "file:///docs//etc/passwd",
    "not a uri\r\n",
    "__proto__",
  ]) {
    const { code, data } = await protocolError(() => engine.resources.read({ uri }, caller));
    assert.equal([code, data], [-32602, { uri }]);
  }
  assert.match(await refusal(-32602, () => read(`sample://${"x".repeat(1_000_000)}`)), /longer/);
  await refusal(-32602, () => engine.resources.read({}, caller));
});

test("every allowed result of a handler is answered", async () => {
  const bytes = handledBy(() => new Uint8Array([1, 2, 3]).subarray(1));
  assert.equal((await read("x://it", bytes)).contents, [
    { uri: "x://it", mimeType: "text/plain", blob: "AgM=" },
  ]);
  const several = handledBy(() => [
    { text: "a" },
    { uri: "x://it/b", mimeType: "image/png", blob: "AQID", meta: { "example.com/a": 1 } },
  ]);
  assert.equal((await read("x://it", several)).contents, [
    { uri: "x://it", mimeType: "text/plain", text: "a" },
    { uri: "x://it/b", mimeType: "image/png", _meta: { "example.com/a": 1 }, blob: "AQID" },
  ]);
});

test("a wrong result or an error of a handler is an internal error without details", async () => {
  for (const returned of [undefined, null, 3, {}, [], { text: 3 }, [[]]]) {
    const message = await refusal(-32603, () =>
      read(
        "x://it",
        handledBy(() => returned),
      ),
    );
    assert.match(message, /^Resource it returned/);
  }
  const failing = handledBy(() => {
    throw new Error("password=hunter2");
  });
  assert.match(await refusal(-32603, () => read("x://it", failing)), /^Internal error \(reference/);
  assert.match(failing.lines.join(""), /hunter2/);
});

test("files are read at each request, as text or base64 by their type", async () => {
  await mkdir(join(folder, "project", "docs"), { recursive: true });
  await writeFile(join(folder, "project", "docs", "a.md"), "# Ä");
  await writeFile(join(folder, "project", "docs", "b"), new Uint8Array([0xff, 0xfe]));
  for (const type of ["text/markdown", "application/json", "image/svg+xml", undefined]) {
    const { contents } = await read("x://it", fileServer("docs/a.md", type));
    assert.is((contents[0] as { text?: string }).text, "# Ä", type);
  }
  for (const type of ["image/png", undefined]) {
    const { contents } = await read("x://it", fileServer("docs/b", type));
    assert.is((contents[0] as { blob?: string }).blob, "//4=", type);
  }
  await refusal(-32603, () => read("x://it", fileServer("docs/b", "text/plain")));
});

test("links to files outside, pipes, folders and large files are refused", async () => {
  const project = join(folder, "project");
  await mkdir(join(folder, "project-evil"));
  await writeFile(join(folder, "project-evil", "secret.txt"), "secret");
  await symlink(join(folder, "project-evil", "secret.txt"), join(project, "link.txt"));
  await symlink(join(folder, "project-evil"), join(project, "folder"));
  await symlink("docs/a.md", join(project, "inside.md"));
  await writeFile(join(project, "large.txt"), "");
  await truncate(join(project, "large.txt"), 1_001);
  execFileSync("mkfifo", [join(project, "pipe.txt")]);
  for (const path of [
    "link.txt",
    "folder/secret.txt",
    "../project-evil/secret.txt",
    "docs",
    "pipe.txt",
    "large.txt",
    "missing.txt",
    "docs/../../project-evil/secret.txt",
  ]) {
    const using = fileServer(path, "text/plain");
    const message = await refusal(-32603, () => read("x://it", using));
    assert.not.match(message, /project|secret/, path);
  }
  const { contents } = await read("x://it", fileServer("inside.md", "text/markdown"));
  assert.is((contents[0] as { text?: string }).text, "# Ä");
});

test("the lists have the definitions of the tables", async () => {
  assert.equal(
    (await engine.resources.list({}, caller)).resources,
    sampleServer.resources.map(({ definition }) => definition),
  );
  assert.equal(
    engine.resources.listTemplates({}).resourceTemplates,
    sampleServer.resourceTemplates.map(({ definition }) => definition),
  );
});

test.run();
