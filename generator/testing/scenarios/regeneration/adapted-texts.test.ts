import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { edit, read, snapshot, TestFolders, write } from "../../harness/projects/project-folder.js";

/** README, workflows and files for deployment of a real project, before and after somebody adapted them. */

const folders = new TestFolders();
test.after(folders.remove);

function manifest(name: string, tool: string, port = 3000): string {
  return `name: ${name}
version: 1.0.0
transports: [{ type: http, port: ${port}, allowPublicBind: true, allowedHosts: [demo] }]
deploy: { docker: true, compose: true, kubernetes: true }
package: { github: true }
repository: { url: https://example.com/demo }
tools:
  - name: ${tool}
    description: Does ${tool}.
`;
}

async function generated(): Promise<string> {
  const folder = await folders.make("adapted");
  await write(folder, "mcp.yaml", manifest("demo", "first"));
  assert.is((await mcpwright(folder, "generate")).status, 0);
  return folder;
}

/** Expects that the project is as it should be, and that another run does and says nothing. */
async function assertQuiet(folder: string): Promise<void> {
  const before = await snapshot(folder);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.equal([status, out, err], [0, "nothing to do\n", ""]);
  assert.equal(await snapshot(folder), before);
  assert.is((await mcpwright(folder, "check")).status, 0);
}

test("unedited texts are written again when the manifest changes, also when the project is renamed", async () => {
  const folder = await generated();
  assert.match(await read(folder, "README.md"), "src/tools/first.ts");
  await write(
    folder,
    "mcp.yaml",
    manifest("renamed", "second", 4000).replace(
      "second\n    d",
      "second\n    renamedFrom: first\n    d",
    ),
  );
  const { status, err } = await mcpwright(folder, "generate");
  assert.equal([status, err], [0, ""]);
  const readme = await read(folder, "README.md");
  assert.match(readme, "# renamed\n");
  assert.match(readme, "src/tools/second.ts");
  assert.not.match(readme, "tools/first");
  const fresh = await folders.make("fresh");
  await write(fresh, "mcp.yaml", await read(folder, "mcp.yaml"));
  await mcpwright(fresh, "generate");
  const paths = ["AGENTS.md", "README.md", "Dockerfile", "compose.yaml"];
  for (const path of [
    ...paths,
    ".github/workflows/check.yml",
    "deploy/kubernetes/deployment.yaml",
  ]) {
    assert.is(await read(folder, path), await read(fresh, path), path);
  }
  await assertQuiet(folder);
});

test("edited texts keep their edits and get the changes of the manifest in other parts", async () => {
  const folder = await generated();
  await edit(folder, "README.md", (text) => `${text}\n## Mine\r\n\nAll mine.`);
  await edit(folder, "Dockerfile", (text) =>
    text.replace("WORKDIR /app\n", "WORKDIR /app\nRUN apt-get install -y git\n"),
  );
  await edit(folder, "compose.yaml", (text) => `${text}# mine\n`);
  await edit(folder, "deploy/kubernetes/deployment.yaml", (text) =>
    text.replace("replicas: 1", "replicas: 3"),
  );
  await edit(folder, ".github/workflows/check.yml", (text) =>
    text.replace("node-version: 24", "node-version: 22"),
  );
  await write(folder, "mcp.yaml", manifest("demo", "second", 4000));
  const { status, err } = await mcpwright(folder, "generate");
  assert.equal([status, err], [0, ""]);
  const readme = await read(folder, "README.md");
  assert.match(readme, "src/tools/second.ts");
  assert.ok(readme.endsWith("\n## Mine\r\n\nAll mine."));
  assert.match(await read(folder, "Dockerfile"), "RUN apt-get install -y git\n");
  assert.match(await read(folder, "Dockerfile"), "4000");
  assert.match(await read(folder, "compose.yaml"), /4000[^]*# mine\n$/);
  assert.match(await read(folder, "deploy/kubernetes/deployment.yaml"), /4000/);
  assert.match(await read(folder, ".github/workflows/check.yml"), "node-version: 22");
  await assertQuiet(folder);
});

test("of lines that both sides changed, the person's stay, the generated ones are shown once, and no markers are written", async () => {
  const folder = await generated();
  await edit(folder, "README.md", (text) => text.replace("# demo\n", "# My demo\n"));
  await edit(folder, "Dockerfile", (text) => text.replace(/^EXPOSE .*$/m, "EXPOSE 80"));
  await write(
    folder,
    "mcp.yaml",
    manifest("demo", "first", 4000).replace("version", "title: The demo\nversion"),
  );
  const planned = await mcpwright(folder, "plan");
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 3);
  assert.match(
    out,
    /Needs you:\n! Dockerfile {2}\(your lines stay: \d+\)\n! README\.md {2}\(your lines stay: 1\)\n/,
  );
  assert.match(planned.out, "! README.md  (your lines stay: 1)");
  assert.match(
    err,
    /README\.md:1:1 {2}error MW4019 {2}these lines were changed here and by mcpwright; yours stay/,
  );
  assert.match(err, "   hint: mcpwright's are:\n   | # The demo\n");
  assert.match(err, "   | EXPOSE 4000\n");
  assert.match(await read(folder, "README.md"), /^# My demo\n/);
  assert.match(await read(folder, "Dockerfile"), /^EXPOSE 80$/m);
  for (const text of Object.values(await snapshot(folder))) assert.not.match(text, /^<{7} /m);
  await assertQuiet(folder);
});

test("deleted texts stay deleted and replaced ones stay, until the manifest asks for them again", async () => {
  const folder = await generated();
  await rm(join(folder, "compose.yaml"));
  await write(folder, "README.md", "# Of my own\n");
  await assertQuiet(folder);
  await write(folder, "mcp.yaml", manifest("demo", "second", 4000));
  const changed = await mcpwright(folder, "generate");
  assert.is(changed.status, 3);
  assert.match(changed.out, "! README.md  (yours, with nothing of what is generated)");
  assert.is(await read(folder, "README.md"), "# Of my own\n");
  assert.not.ok("compose.yaml" in (await snapshot(folder)));
  await write(folder, "mcp.yaml", manifest("demo", "third", 5000));
  assert.is((await mcpwright(folder, "generate")).status, 0, "it is said once");
  await assertQuiet(folder);
});

test.run();
