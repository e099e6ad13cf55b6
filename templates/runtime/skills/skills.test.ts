import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createBackends } from "../backends/backends.js";
import type { Directories } from "../directories.js";
import { OpenDirectory } from "../directories/directory.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createLog } from "../observe/log.js";
import { createResources } from "../resources/resources.js";
import { caller, refusal } from "../samples/engine.js";
import { erased, sampleServer } from "../samples/server.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { closeAll } from "../suite/clients/harness.js";
import { connectTo } from "../suite/clients/http.js";
import { skills } from "../skills.js";
import { withSkills } from "./skills.js";

const test = suite("skills");
const lines: string[] = [];
let root = "";
const servers: RunningServer[] = [];

test.before(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "skills-")));
  await write("docs/review/SKILL.md", skill("review", "Reviews a change."));
  await write("docs/review/references/TONE.md", "Be kind.\n");
  await write("docs/review/references/deep/with space.txt", "\uFEFFmarked");
  await write("docs/review/picture.png", Buffer.from([137, 80, 78, 71, 255, 0]));
  await write("docs/review/.env", "SECRET=1");
  await write("docs/wrong/SKILL.md", "no frontmatter");
  await write("outside.txt", "SECRET");
  await symlink(join(root, "outside.txt"), join(root, "docs/review/outside.txt"));
  await write("release/SKILL.md", skill("release", "Makes a release."));
});
test.after(async () => {
  await closeAll();
  await Promise.all(servers.map((server) => server.close()));
  await rm(root, { recursive: true });
});

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# How to\n`;
}

/** The template that reads a folder of skills, as it is generated. */
function template(name: string, folder: string, scopes?: readonly string[]) {
  const read = erased(({ path }: { path: string }) =>
    new OpenDirectory(join(root, folder), { signal: new AbortController().signal }).read(path),
  );
  return {
    definition: { uriTemplate: `skill://${name}/{+path}`, name },
    parts: [
      { kind: "literal", text: `skill://${name}/` },
      { kind: "expression", operator: "+", names: ["path"], explode: false },
    ],
    ...(scopes && { scopes }),
    handler: () => read,
  } as const;
}

function serverOf(more: Partial<ServerDefinition> = {}, options: object = {}): RunningServer {
  const definition = {
    ...sampleServer,
    resources: [],
    resourceTemplates: [template("docs", "docs"), template("release", "release")],
    createResources: withSkills(createResources),
    ...more,
  };
  const part = skills([
    { template: "docs", root: "docs" },
    { template: "release", root: "release" },
  ]);
  const log = createLog({ write: (line) => void lines.push(line) });
  const server = createServer({ ...definition, ...part.settings }, { root, log, ...options });
  servers.push(server);
  return server;
}

/** Calls a method of the engine, as a caller with these scopes. */
function answer(server: RunningServer, method: string, parameters: object, scopes = ["ship"]) {
  const authentication = { principal: "ada", scopes };
  const found = server.fastEngine?.methods.get(method);
  return found?.answer(parameters as Record<string, unknown>, {
    ...{ ...caller, era: "modern" as const },
    authentication,
  });
}

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the official client lists skills, and reads and verifies all their files`, async () => {
    const server = serverOf();
    const client = new SkillsClient(await connectTo(server.fetch, era));
    assert.equal([client.supported, client.directoryRead], [true, true]);
    const { skills: listed } = await client.list();
    assert.equal(
      listed.map(({ uri, frontmatter }) => [uri, frontmatter.description]),
      [
        ["skill://docs/review/SKILL.md", "Reviews a change."],
        ["skill://release/SKILL.md", "Makes a release."],
      ],
    );
    const [review] = listed;
    assert.ok(review !== undefined && review.resources !== "dynamic");
    assert.equal(
      review.resources.map(({ uri }) => uri.replace("skill://docs/review/", "")),
      ["SKILL.md", "picture.png", "references/TONE.md", "references/deep/with%20space.txt"],
    );
    for (const { uri } of review.resources) assert.ok((await client.read(review, uri)).verified);
    const { skill: got } = await client.get("skill://docs/review/SKILL.md");
    assert.equal(got, review);
    const problem = lines.find((line) => line.includes("wrong/SKILL.md"));
    assert.match(problem ?? "", "must begin with");
  });
}

test("a folder of a skill has its files and folders, and no other folder can be read", async () => {
  const server = serverOf();
  const read = async (uri: string) => {
    const { resources } = (await answer(server, "resources/directory/read", { uri })) as {
      resources: { name: string; mimeType?: string; size?: number }[];
    };
    return resources.map(({ name, mimeType, size }) => [name, mimeType, size]);
  };
  assert.equal(await read("skill://docs/review"), [
    ["SKILL.md", "text/markdown", 62],
    ["picture.png", "image/png", 6],
    ["references", "inode/directory", undefined],
  ]);
  assert.equal(await read("skill://docs/review/references/deep"), [
    ["with space.txt", "text/plain", 9],
  ]);
  for (const uri of [
    ...["skill://docs", "skill://docs/review/", "skill://docs/review/SKILL.md", "skill://docs/.."],
    ...["skill://docs/review/../..", "skill://docs/wrong", "skill://other", "file:///", ""],
  ]) {
    await refusal(-32602, () => answer(server, "resources/directory/read", { uri }) as never);
  }
  await refusal(
    -32602,
    () => answer(server, "skills/get", { uri: "skill://docs/review" }) as never,
  );
  await refusal(-32602, () => answer(server, "skills/get", {}) as never);
});

test("a caller without the scopes of a folder, or from whom it is hidden, does not see its skills", async () => {
  const uris = async (server: RunningServer, scopes: string[]): Promise<string[]> => {
    const listed = (await answer(server, "skills/list", {}, scopes)) as {
      skills: { uri: string }[];
    };
    return listed.skills.map(({ uri }) => uri);
  };
  const server = serverOf({
    resourceTemplates: [template("docs", "docs"), template("release", "release", ["ship"])],
  });
  assert.equal(await uris(server, []), ["skill://docs/review/SKILL.md"]);
  const hiding = serverOf({ isHidden: ({ definition }) => definition.name === "docs" });
  assert.equal(await uris(hiding, ["ship"]), ["skill://release/SKILL.md"]);
  const uri = "skill://docs/review/SKILL.md";
  await refusal(-32602, () => answer(hiding, "skills/get", { uri }) as never);
  const method = server.fastEngine?.methods.get("skills/get");
  assert.is(method?.itemOf?.({ uri: "skill://release/SKILL.md" })?.definition.name, "release");
  const without = serverOf({ resourceTemplates: [template("release", "release")] });
  assert.equal(await uris(without, []), ["skill://release/SKILL.md"]);
});

test("the list of resources ends with the texts of skills", async () => {
  const text = { definition: { uri: "x://one", name: "one" }, text: "1" };
  const server = serverOf({ resources: [text], pageSize: 1 });
  const listed = (await answer(server, "resources/list", {})) as { resources?: object[] };
  assert.equal(listed.resources, [
    { uri: "x://one", name: "one" },
    {
      uri: "skill://docs/review/SKILL.md",
      ...{ name: "review", description: "Reviews a change.", mimeType: "text/markdown", size: 62 },
    },
    {
      uri: "skill://release/SKILL.md",
      ...{ name: "release", description: "Makes a release.", mimeType: "text/markdown", size: 62 },
    },
  ]);
});

test("skills are listed in pages, whose cursors belong to their caller", async () => {
  const server = serverOf({ pageSize: 1 });
  const first = (await answer(server, "skills/list", {})) as { nextCursor?: string };
  const { nextCursor: cursor = "" } = first;
  const second = (await answer(server, "skills/list", { cursor })) as { skills?: object[] };
  assert.is(second.skills?.length, 1);
  assert.not.ok("nextCursor" in second);
  const other = { ...caller, authentication: { principal: "eve", scopes: ["ship"] } };
  const method = server.fastEngine?.methods.get("skills/list");
  await refusal(-32602, () => method?.answer({ cursor }, other) as never);
});

test("in mock mode skills are read, and other directories answer with their mocks", async () => {
  const reading = (name: string, folder: string) => ({
    ...template(name, folder),
    handler: () =>
      erased(({ path }: { path: string }, ctx) =>
        (ctx as { directories?: Directories }).directories?.open(folder).read(path),
      ),
    mock: `A mock answer of ${name}.`,
  });
  const definition = {
    ...{
      createBackends,
      resourceTemplates: [reading("docs", "docs"), reading("notes", "docs/review")],
    },
  };
  const server = serverOf(definition, { mock: true });
  const client = new SkillsClient(await connectTo(server.fetch, "modern"));
  const [review] = (await client.list()).skills;
  const read = await client.read(review!, "references/TONE.md");
  assert.ok(read.verified);
  const other = await answer(server, "resources/read", { uri: "skill://notes/SKILL.md" });
  assert.match(JSON.stringify(other), "A mock answer of notes.");
});

test("a changed file gets a new digest, and a new skill is listed", async () => {
  const server = serverOf();
  const listed = async (): Promise<string> =>
    JSON.stringify(await answer(server, "skills/list", {}));
  const before = await listed();
  await write("docs/review/references/TONE.md", "Be kinder.\n");
  await write("docs/triage/SKILL.md", skill("triage", "Sorts issues."));
  const began = Date.now();
  let after = before;
  while (!after.includes("triage") && Date.now() - began < 20_000) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    after = await listed();
  }
  assert.match(after, "skill://docs/triage/SKILL.md");
  const digestOf = (json: string): string | undefined =>
    /TONE\.md","digest":"([^"]+)/.exec(json)?.[1];
  assert.ok(digestOf(after));
  assert.is.not(digestOf(after), digestOf(before));
  await rm(join(root, "docs/triage"), { recursive: true });
});

test.run();
