import { copyFile, mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../src/generated/index.ts";
import { Connection } from "@mcpwright/runtime/testing";

/** The server on a project's folder of the tests, beside which lies what nobody may read. */

const parent = await mkdtemp(join(tmpdir(), "files-"));
const root = join(parent, "project");
await mkdir(join(root, "docs/guides"), { recursive: true });
for (const path of ["welcome.md", "prices.csv", "dot.png", ".draft.md", "guides/First steps.md"]) {
  await copyFile(join("docs", path), join(root, "docs", path));
}
await writeFile(join(parent, "secret.txt"), "secret");
await writeFile(join(root, ".env"), "KEY=secret");
for (const [name, target] of [
  ["out.txt", join(parent, "secret.txt")],
  ["parent", parent],
  ["draft.md", ".draft.md"],
  ["env.txt", "../.env"],
] as const) {
  await symlink(target, join(root, "docs", name));
}

const server = await createServer({ root, env: { NOTES: "notes" } });
const connection = await Connection.open(server.factory, "modern");

test.after(async () => {
  await connection.close();
  await server.close();
  await rm(parent, { recursive: true });
});

const contentsOf = async (uri: string): Promise<unknown> =>
  (await connection.request("resources/read", { uri }))["contents"];

test("files are listed, completed and read", async () => {
  const { resources } = await connection.request("resources/list", {});
  const uris = (resources as { uri: string }[]).map(({ uri }) => uri);
  assert.equal(uris, [
    "docs:///dot.png",
    "docs:///guides/First%20steps.md",
    "docs:///prices.csv",
    "docs:///welcome.md",
  ]);
  const ref = { type: "ref/resource", uri: "docs:///{+path}" };
  const argument = { name: "path", value: "GUIDES" };
  const { completion } = await connection.request("completion/complete", { ref, argument });
  assert.equal((completion as { values: unknown }).values, ["guides/First steps.md"]);
  const uri = "docs:///prices.csv";
  const text = "item,price\ntea,3\ncake,4\n";
  assert.equal(await contentsOf(uri), [{ uri, mimeType: "text/csv", text }]);
  const [dot] = (await contentsOf("docs:///dot.png")) as { mimeType: string; blob: string }[];
  assert.is(dot?.mimeType, "image/png");
  assert.is(
    Buffer.from(dot?.blob ?? "", "base64")
      .subarray(1, 4)
      .toString(),
    "PNG",
  );
});

/** URIs that would lead out of the folder, were any step of the way careless. */
const HOSTILE = [
  ...[
    "..",
    "../.env",
    "../../secret.txt",
    "guides/../../.env",
    "./../.env",
    "/etc/passwd",
    "//etc/passwd",
  ],
  ...["%2e%2e/.env", "%2E%2E%2F.env", "..%2f.env", "..%5c.env", "..\\.env", "%252e%252e%252f.env"],
  ...[
    "%c0%ae%c0%ae/.env",
    "%00",
    "welcome.md%00",
    "welcome.md%00.png",
    "%2fetc%2fpasswd",
    "C:%5cWindows",
  ],
  ...[
    "file:///etc/passwd",
    "%5c%5chost%5cshare",
    "welcome.md/",
    "/welcome.md",
    "guides//First%20steps.md",
  ],
  ...[".draft.md", "draft.md", "env.txt", "out.txt", "parent/secret.txt", "parent/project/.env"],
  ...[
    "guides",
    "",
    "?",
    "welcome.md?x",
    "welcome.md#x",
    "welcome.md%23",
    "absent.md",
    "~",
    "$HOME",
    "*",
  ],
];

test(`${HOSTILE.length} URIs give nothing outside, in both templates`, async () => {
  for (const start of ["docs:///", "notes://mine/"]) {
    for (const path of HOSTILE) {
      const uri = start + path;
      const answer = await contentsOf(uri).then(JSON.stringify, (error: Error) => error.message);
      assert.match(answer, /not found$/, uri);
    }
  }
});

test("clients that subscribed to a file are told when it changes", async () => {
  assert.equal(await server.check(), []);
  const older = await Connection.open(server.factory, "legacy");
  const uri = "docs:///welcome.md";
  await older.request("resources/subscribe", { uri });
  await writeFile(join(root, "docs/welcome.md"), "# Changed\n");
  const isTold = (): boolean =>
    older.notifications.some(({ method, params }) => {
      return method === "notifications/resources/updated" && params?.["uri"] === uri;
    });
  while (!isTold()) await new Promise((resolve) => setTimeout(resolve, 5));
  await older.close();
});

test.run();
