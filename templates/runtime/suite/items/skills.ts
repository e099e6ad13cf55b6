import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { Skill } from "@modelcontextprotocol/server/ext/skills";
import type { SkillFolder } from "../../skills/definition.js";
import type { Era } from "../../context/context.js";
import { Connection, eras } from "../clients/connection.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import type { JsonObject, TestedProject } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import { skip } from "../starter.js";

/** The part of `createServer` that these tests use. */
type CreateServer = () => {
  readonly factory: McpServerFactory;
  close(): Promise<void>;
};

/** Registers a test for each folder of skills: whether clients can read all files, and find what is told of them. */
export function testSkills(
  test: SkippingRegistry,
  folders: readonly SkillFolder[],
  project: TestedProject,
  createServer: CreateServer,
): void {
  for (const { template, root } of folders) {
    const title = `the skills in ${shown(root)} can be read`;
    if (!existsSync(new URL(`${root}/`, project.folder))) {
      skip(test, title, `there is no ${root}: put a folder with a SKILL.md there`);
      continue;
    }
    test(title, async () => {
      const server = createServer();
      for (const era of eras) await expectReadable(server, template, era);
      await server.close();
    });
  }
}

async function expectReadable(
  { factory }: ReturnType<CreateServer>,
  template: string,
  era: Era,
): Promise<void> {
  const connection = await Connection.open(factory, era);
  const skills = (await skillsOf(connection)).filter(({ uri }) =>
    uri.startsWith(`skill://${template}/`),
  );
  expectThat(skills.length > 0, "the folder has a skill, which its SKILL.md describes");
  for (const skill of skills) {
    const { uri, resources } = skill;
    const got = await connection.request("skills/get", { uri });
    expectEqual(got["skill"], skill as JsonObject, `skills/get of ${shown(uri)}`);
    for (const file of resources === "dynamic" ? [] : resources) {
      const bytes = await bytesAt(file.uri, connection);
      const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
      const read = { uri: file.uri, digest, size: bytes.length };
      expectEqual(read, { ...file }, `the content of ${shown(file.uri)}`);
    }
  }
  await connection.close();
}

async function skillsOf(connection: Connection): Promise<Skill[]> {
  const skills: Skill[] = [];
  let cursor: JsonObject | undefined = {};
  while (cursor !== undefined) {
    const page = await connection.request("skills/list", cursor);
    skills.push(...(page["skills"] as Skill[]));
    const { nextCursor } = page;
    cursor = nextCursor === undefined ? undefined : { cursor: nextCursor };
  }
  return skills;
}

async function bytesAt(uri: string, connection: Connection): Promise<Buffer> {
  const { contents } = await connection.request("resources/read", { uri });
  const [{ text, blob = "" } = {}] = contents as { text?: string; blob?: string }[];
  return text === undefined ? Buffer.from(blob, "base64") : Buffer.from(text);
}
