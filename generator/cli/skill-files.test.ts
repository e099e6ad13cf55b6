import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { checkSkillFiles } from "./skill-files.js";

const folder = await mkdtemp(join(tmpdir(), "mcpwright-skills-"));
test.after(() => rm(folder, { recursive: true }));

/** The problems of one `SKILL.md`, each with its line. */
async function problemsOf(text: string, root = "skills/review"): Promise<string[]> {
  await mkdir(join(folder, "skills/review"), { recursive: true });
  await writeFile(join(folder, "skills/review/SKILL.md"), text);
  const yaml = `name: a\nversion: 1.0.0\nskills: [{ root: ${root} }]\n`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  assert.ok(manifest);
  const { diagnostics, sources } = await checkSkillFiles(manifest, folder, (path) => path);
  for (const { file } of diagnostics) assert.ok(file === "mcp.yaml" || sources.has(file), file);
  return diagnostics.map(({ line, message }) => `${line} ${message}`);
}

test("the text of a skill is read as clients read it, and a problem has its line", async () => {
  const said = "this is no skill: ";
  const CASES: readonly (readonly [text: string, problem?: string])[] = [
    ["---\nname: review\ndescription: Reviews.\n---\n# How\n"],
    ["---\r\nname: review\r\ndescription: >-\r\n  Reviews\r\n  a change.\r\n---\r\n"],
    ["---\nname: review\ndescription: Reviews.\nlicense: MIT\nmetadata: { a: b }\n---"],
    ["# Review", `1 ${said}it must begin with YAML between two lines "---"`],
    ["---\nname: review\n", `1 ${said}it must begin with YAML between two lines "---"`],
    ["---\n- a\n---\n", `2 ${said}its YAML must be a mapping`],
    [
      "---\nname: reviews\ndescription: x\n---\n",
      `2 ${said}its name "reviews" is not that of its folder, "review"`,
    ],
    [
      "---\ndescription: x\nname: The Review\n---\n",
      `3 ${said}its name "The Review" is none: 1 to 64 small letters, digits and single hyphens`,
    ],
    ["---\nname: review\n---\n", `2 ${said}it needs a \`description\`, which is a text`],
    [
      `---\nname: review\ndescription: ${"x".repeat(1025)}\n---\n`,
      `3 ${said}its description has 1025 characters, and 1 to 1024 are allowed`,
    ],
    [
      '---\nname: review\ndescription: ""\n---\n',
      `3 ${said}its description has 0 characters, and 1 to 1024 are allowed`,
    ],
  ];
  for (const [text, problem] of CASES) {
    for (const root of ["skills", "skills/review"]) {
      const expected = problem === undefined ? [] : [problem];
      assert.equal(await problemsOf(text, root), expected, text);
    }
  }
  const [broken = ""] = await problemsOf('---\nname: "review\ndescription: x\n---\n');
  assert.match(broken, /^\d this is no skill: it is not YAML: /);
});

test("YAML that the SDK does not read is no skill, since servers would leave it out", async () => {
  for (const [frontmatter, problem] of [
    [
      'description: "two\n  lines"',
      "3 this is no skill: a quoted value must close on the same line",
    ],
    ["description: &a x", "3 this is no skill: anchors, aliases and tags are not supported"],
    ["description: x\nmetadata: [a,\n  b]", "4 this is no skill: a flow collection must close"],
    ["description: x\nmetadata: { a: 1 }", "4 this is no skill: frontmatter metadata must map"],
  ] as const) {
    const problems = await problemsOf(`---\nname: review\n${frontmatter}\n---\n`);
    assert.equal(problems.length, 1, frontmatter);
    assert.ok(problems[0]?.startsWith(problem), problems[0]);
  }
});

test("a folder without a skill is reported at its root in the manifest", async () => {
  const text = "---\nname: review\ndescription: x\n---\n";
  assert.equal(await problemsOf(text, "none"), ['3 there is no SKILL.md in "none"']);
});

test.run();
