import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import { runtimeVersion } from "../5-emit/project/runtime-package.js";
import * as assert from "uvu/assert";
import { applyPlan } from "../7-apply/apply.js";
import { diskFiles } from "../7-apply/file-layer.js";
import { lockProject, runningProcesses } from "../7-apply/process-lock.js";
import { explainedDiagnostics } from "../model/catalogue/explanations.js";
import { allEntries } from "../model/catalogue/index.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { mcpwright, mcpwrightWith } from "../testing/harness/projects/generated-project.js";
import { faulty } from "../testing/harness/projects/faulty-files.js";
import {
  MemoryProject,
  planFor,
  projectFiles,
  ROOT,
} from "../testing/harness/projects/memory-project.js";

/** Causes every diagnostic about the file system, the project and the command line, as a person would. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-catalogue-"));
test.after(() => rm(root, { recursive: true }));

const manifest = "name: demo\nversion: 1.0.0\ntools:\n  - { name: a, description: x }\n";
const resource = "resources:\n  - { uri: 'a://b', name: r, description: x, text: y }\n";
const generatedOnce = join(root, "generated");
await mkdir(generatedOnce);
await writeFile(join(generatedOnce, "mcp.yaml"), manifest);
await mcpwright(generatedOnce, "generate");

type Found = readonly string[];

/** The codes that a command line reports in a folder. */
async function reported(folder: string, ...words: string[]): Promise<Found> {
  const { out } = await mcpwright(folder, "--json", ...words);
  return codesOf((JSON.parse(out) as { diagnostics: Diagnostic[] }).diagnostics);
}

function codesOf(diagnostics: readonly Diagnostic[]): Found {
  return diagnostics.map(({ code }) => code);
}

/** Changes a generated project and generates again. */
function generating(change: (folder: string) => Promise<unknown>, ...options: string[]) {
  return async (folder: string): Promise<Found> => {
    await cp(generatedOnce, folder, { recursive: true });
    await change(folder);
    return reported(folder, "generate", ...options);
  };
}

async function edit(path: string, original: string, replacement: string): Promise<void> {
  const text = await readFile(path, "utf8");
  assert.match(text, original);
  await writeFile(path, text.replace(original, replacement));
}

const saying =
  (...words: string[]) =>
  (folder: string): Promise<Found> =>
    reported(folder, ...words);

const api = "openapi: 3.1.0\ninfo: {title: A}\n";

/** Imports a document. */
const importing =
  (document: string) =>
  async (folder: string): Promise<Found> => {
    await writeFile(join(folder, "api.yaml"), document);
    return reported(folder, "import", "openapi", "api.yaml");
  };

const hostile = fileURLToPath(
  new URL("../testing/harness/services/hostile-mcp-server.js", import.meta.url),
);

/** Imports a server with a certain kind of wrong lists. */
const listing = (kind: string) => saying("import", "server", "--", process.execPath, hostile, kind);

const pets = "openapi: 3.1.0\ninfo: {title: Pets}\nservers: [{url: https://a.example}]\n";
const petsOf = (operation: string): string => `${pets}paths: {/a: {${operation}}}\n`;
const one = "get: {operationId: a, summary: One, responses: {}}";

/** A document whose operation answers pets that have one member. */
const answeringPets = (member: string): string =>
  `${petsOf(
    `get: {operationId: a, summary: One, responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}}`,
  )}components: {schemas: {Pet: {type: object, properties: {${member}: {type: string}}}}}\n`;

/** Makes the tool of that operation select the names of the pets. */
const selectingNames = [
  'outputSchema: {type: array, items: {$ref: "#/schemas/Pet"}}\n    http: {upstream: pets, path: /a}',
  'http: {upstream: pets, path: /a, result: {select: "[].name", answerSchema: {type: array, items: {$ref: "#/schemas/Pet"}}}}',
] as const;

/** Imports a document, changes something, and imports another one into the same manifest. */
const updating =
  (
    document: string,
    change: (folder: string) => Promise<void> = async () => undefined,
    first = petsOf(one),
  ) =>
  async (folder: string): Promise<Found> => {
    await writeFile(join(folder, "api.yaml"), first);
    assert.equal(await reported(folder, "import", "openapi", "api.yaml"), []);
    await writeFile(join(folder, "again.yaml"), document);
    await change(folder);
    return reported(folder, "import", "openapi", "again.yaml");
  };

const recordFile = "mcpwright.import.lock.json";

const lockFile = "mcpwright.lock.json";

/** Validates a manifest with a folder of skills, which has these files. */
const withSkills =
  (files: Readonly<Record<string, string | Buffer>>) =>
  async (folder: string): Promise<Found> => {
    await mkdir(join(folder, "skills/review"), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      await writeFile(join(folder, "skills/review", path), content);
    }
    await writeFile(join(folder, "mcp.yaml"), `${manifest}skills: [{ root: skills }]\n`);
    return reported(folder, "validate");
  };

const skillText = "---\nname: review\ndescription: Reviews a change.\n---\n";

const FIXTURES: Readonly<Record<string, (folder: string) => Promise<Found>>> = {
  MW1001: saying("validate", "not-there.yaml"),
  MW1002: async (folder) => {
    await mkdir(join(folder, "mcp.yaml"));
    return reported(folder, "validate");
  },
  MW1003: saying("validate", "a\0b"),

  MW4001: generating((folder) => appendFile(join(folder, "src/main.ts"), "// mine\n")),
  MW4002: generating(async (folder) => {
    await mkdir(join(folder, "src/generated/resources"), { recursive: true });
    await writeFile(join(folder, "src/generated/resources/r.ts"), "// mine\n");
    await writeFile(join(folder, "mcp.yaml"), manifest + resource);
  }),
  MW4003: async (folder) => {
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "src/main.ts"), "// mine\n");
    await writeFile(join(folder, "mcp.yaml"), manifest);
    return reported(folder, "generate");
  },
  MW4004: generating(async (folder) => {
    await mkdir(join(folder, "src/generated/resources"), { recursive: true });
    await writeFile(join(folder, "src/generated/resources/R.ts"), "// mine\n");
    await writeFile(join(folder, "mcp.yaml"), manifest + resource);
  }),
  MW4005: generating(async (folder) => {
    await appendFile(join(folder, "src/tools/a.ts"), "}");
    await edit(join(folder, "mcp.yaml"), "name: a,", "name: b, renamedFrom: a,");
  }),
  MW4006: generating(async (folder) => {
    await writeFile(join(folder, "package.json"), "<<<<<<< ours\n{");
    await edit(join(folder, "mcp.yaml"), "1.0.0", "2.0.0");
  }),
  MW4007: generating(async (folder) => {
    await edit(join(folder, "package.json"), '"version": "1.0.0"', '"version": "2.0.0"');
    await edit(join(folder, "mcp.yaml"), "1.0.0", "3.0.0");
  }),
  MW4008: generating((folder) => writeFile(join(folder, lockFile), '{ "lockVersion"')),
  MW4009: generating((folder) =>
    edit(join(folder, lockFile), '"lockVersion": 2', '"lockVersion": 99'),
  ),
  MW4010: generating((folder) =>
    edit(
      join(folder, "src/main.ts"),
      "\n",
      "\n<<<<<<< ours\n// a\n=======\n// b\n>>>>>>> theirs\n",
    ),
  ),
  MW4011: generating((folder) =>
    edit(join(folder, "src/tools/a.ts"), "export const a:", "export const mine:"),
  ),
  MW4012: generating(async (folder) => {
    await writeFile(join(folder, "src/mine.ts"), 'import { a } from "./tools/a.js"; {');
    await edit(join(folder, "mcp.yaml"), "name: a,", "name: b, renamedFrom: a,");
  }),
  MW4013: generating(async (folder) => {
    await edit(join(folder, lockFile), '"generator": "', '"generator": "9');
    await edit(join(folder, "mcp.yaml"), "1.0.0", "2.0.0");
  }),
  MW4014: generating((folder) =>
    edit(join(folder, "package.json"), '"version": "1.0.0"', '"version": "1.1.0"'),
  ),
  MW4015: generating(async (folder) => {
    await edit(join(folder, "mcp.yaml"), "tools:", "transports: [{type: http}]\ntools:");
    await edit(join(folder, "mcp.yaml"), "description: x", "description: x, scopes: [write]");
  }),
  MW4016: generating((folder) => edit(join(folder, ".gitignore"), "/*.tgz", "*.tgz")),
  MW4017: generating((folder) =>
    edit(
      join(folder, "package.json"),
      `file:vendor/mcpwright-runtime-${runtimeVersion()}.tgz`,
      "^0.0.9",
    ),
  ),
  MW4018: async (folder) => {
    await writeFile(join(folder, "mcp.yaml"), "name: demo\nversion: 1.0.0\n" + resource);
    const own = { name: "demo", version: "1.0.0", main: "lib/index.js" };
    await writeFile(join(folder, "package.json"), JSON.stringify(own));
    return reported(folder, "generate");
  },
  MW4019: generating(async (folder) => {
    await edit(join(folder, "README.md"), "# demo", "# My demo");
    await edit(join(folder, "mcp.yaml"), "name: demo\n", "name: demo\ntitle: Demo\n");
  }),
  MW4020: generating(async (folder) => {
    await rm(join(folder, "src/generated"), { recursive: true });
    await symlink(root, join(folder, "src/generated"), "junction");
  }),
  MW4021: generating((folder) => edit(join(folder, lockFile), '"src/main.ts"', '"../../.bashrc"')),
  MW4022: generating(async () => undefined, "--out", "/"),
  MW4023: generating((folder) =>
    writeFile(join(folder, "mcp.yaml"), "name: other\nversion: 1.0.0\n" + resource),
  ),
  MW4024: generating(async (folder) => {
    const marked = "<<<<<<< a\n# My demo\n=======\n# demo\n>>>>>>> b\n";
    await edit(join(folder, "README.md"), "# demo\n", marked);
  }),
  MW4025: generating((folder) => writeFile(join(folder, ".pnp.cjs"), "")),
  MW4030: async () => {
    const project = new MemoryProject();
    const plan = planFor(project.tree, projectFiles(["a"]));
    const { files } = faulty(project.files, { at: 20, kind: "fails once" });
    return codesOf(applyPlan(ROOT, plan, files));
  },
  MW4031: async () => {
    const project = new MemoryProject();
    const plan = planFor(project.tree, projectFiles(["a"]));
    project.write("src/main.ts", "// saved by an editor\n");
    return codesOf(applyPlan(ROOT, plan, project.files));
  },
  MW4032: async (folder) => {
    const options = { processes: runningProcesses, patience: 0 };
    const first = await lockProject(folder, diskFiles, options);
    const second = await lockProject(folder, diskFiles, options);
    if (first.kind === "held") first.release();
    return second.kind === "refused" ? codesOf(second.diagnostics) : [];
  },
  MW4033: generating(async (folder) => {
    await mkdir(join(folder, ".mcpwright"));
    await writeFile(join(folder, ".mcpwright/journal.json"), "{");
  }),
  MW4034: generating(
    (folder) => edit(join(folder, "mcp.yaml"), "description: x", "description: y"),
    "--plan",
    "nothing to do 0",
  ),

  MW4040: withSkills({ "readme.md": skillText }),
  MW4041: withSkills({ "SKILL.md": skillText.replace("name: review", "name: Reviewer") }),
  MW4042: withSkills({ "SKILL.md": skillText + "x".repeat(1024 * 1024) }),
  MW4043: withSkills({ "SKILL.md": skillText, "large.bin": Buffer.alloc(16 * 1024 * 1024) }),
  MW4044: async (folder) => {
    const help = `{ uri: "docs://help", name: help, description: x, file: docs/help.md }`;
    await writeFile(join(folder, "mcp.yaml"), `${manifest}resources: [${help}]\n`);
    const found = await reported(folder, "validate");
    await mkdir(join(folder, "docs/help.md"), { recursive: true });
    assert.equal(await reported(folder, "validate"), found, "a folder is no file");
    await rm(join(folder, "docs/help.md"), { recursive: true });
    await writeFile(join(folder, "docs/help.md"), "");
    assert.equal(await reported(folder, "validate"), []);
    return found;
  },
  MW5001: saying("genrate"),
  MW5002: saying("generate", "--overwrite"),
  MW5003: saying("validate", "--max-diagnostics", "many"),
  MW5004: saying("validate", "a.yaml", "b.yaml"),
  MW5005: saying("explain", "MW9999"),
  MW5006: async (folder) => {
    await reported(folder, "init", "--only-manifest");
    return reported(folder, "init");
  },
  MW5007: saying("init", "--name", "My Server"),
  MW5008: async (folder) => {
    await writeFile(join(folder, "file"), "");
    return reported(folder, "init", "file/server");
  },
  MW5009: saying("diff", "a.yaml"),
  MW5010: async (folder) => {
    await writeFile(join(folder, "mcp.yaml"), manifest);
    return reported(folder, "plan", "--since", "git:no-such-revision");
  },
  MW5011: async (folder) => {
    // There is no package manager in this PATH.
    const { out } = await mcpwrightWith({ PATH: folder }, folder, "--json", "init");
    return codesOf((JSON.parse(out) as { diagnostics: Diagnostic[] }).diagnostics);
  },
  MW5012: async (folder) => {
    await writeFile(join(folder, ".mcp.json"), "[]");
    return reported(folder, "init", "--agents", "--no-install");
  },
  MW5013: async (folder) => {
    await writeFile(join(folder, "mcp.yaml"), "name: demo\nversion: 1.10\n", { mode: 0o444 });
    return reported(folder, "validate", "--fix");
  },
  MW5014: async (folder) => {
    await writeFile(join(folder, "mcp.yaml"), "name: demo\nversion: 1.0.0\n");
    return reported(folder, "split");
  },
  MW5015: async (folder) => {
    await writeFile(join(folder, "mcp.yaml"), "name: demo\nversion: 1.0.0\n");
    return reported(folder, "record");
  },

  MW6101: saying("import", "openapi", "not-there.yaml"),
  MW6102: importing("openapi: 3.1.0\nopenapi: 3.1.0\n"),
  MW6103: importing("info: {title: A}\n"),
  MW6110: importing(
    `${api}paths: {/a: {get: {}, put: {requestBody: {required: true, content: {image/png: {}}}}}}\n`,
  ),
  MW6111: importing(
    `${api}paths: {/a: {get: {parameters: [{name: q, in: query, content: {text/csv: {}}}]}}}\n`,
  ),
  MW6120: importing(
    `${api}paths: {${Array.from({ length: 41 }, (_, index) => `/a${index}: {get: {}}`).join(", ")}}\n`,
  ),
  MW6121: importing(`${api}paths: {}\n`),
  MW6122: importing(
    `${api}paths: {/a: {get: {parameters: [${Array.from({ length: 10_001 }, (_, index) => `{name: p${index}, in: query}`).join(", ")}]}}}\n`,
  ),
  MW6123: async (folder) => {
    await writeFile(join(folder, "api.yaml"), petsOf(one));
    return reported(folder, "import", "openapi", "api.yaml", "--tag", "none");
  },
  MW6130: saying("import", "server", "--", process.execPath, "not-there.js"),
  MW6131: listing("a name twice"),
  MW6132: listing("a bad icon"),
  MW6140: updating(petsOf(one.replace("One", "Two")), (folder) =>
    edit(join(folder, "mcp.yaml"), "title: One", "title: Mine"),
  ),
  MW6141: updating(`${pets}paths: {}\n`),
  MW6142: updating(
    petsOf(one.replace("summary: One", "requestBody: {required: true, content: {image/png: {}}}")),
  ),
  MW6143: updating(petsOf(one).replace("Pets", "Dogs")),
  MW6144: updating(petsOf(one), (folder) =>
    edit(join(folder, "mcp.yaml"), "openapi: api.yaml", "openapi: api.yaml, select: {tags: a}"),
  ),
  MW6145: updating(petsOf(one), (folder) => writeFile(join(folder, recordFile), "{")),
  MW6146: updating(petsOf(one), (folder) => rm(join(folder, recordFile))),
  // If the title is removed, the blank line around it would become part of the block text before it.
  MW6147: updating(petsOf(one.replace("summary: One", "description: One")), (folder) =>
    edit(join(folder, "mcp.yaml"), "    title: One", "    x-note: |+\n      a\n\n    title: One\n"),
  ),
  MW6148: updating(petsOf(one), (folder) =>
    edit(join(folder, "mcp.yaml"), "openapi: api.yaml", "openapi: api.yaml, select: {tag: a}"),
  ),
  MW6149: updating(
    answeringPets("title"),
    (folder) => edit(join(folder, "mcp.yaml"), ...selectingNames),
    answeringPets("name"),
  ),
};

for (const [code, provoke] of Object.entries(FIXTURES)) {
  test(`${code} is provoked, and no other code`, async () => {
    const folder = join(root, code);
    await mkdir(folder);
    assert.equal(await provoke(folder), [code]);
  });
}

test("every code of the file system, the project and the command line has a fixture", () => {
  const codes = allEntries.map(({ code }) => code);
  assert.equal(
    codes.filter((code) => /^MW([45]|61|100[123])/.test(code)),
    Object.keys(FIXTURES),
  );
});

test("a command line that is an example provokes its code", async () => {
  for (const { code, example } of explainedDiagnostics()) {
    const words = /^mcpwright ([^&]*)$/.exec(example)?.[1]?.split(" ") ?? [];
    if (!/^MW5/.test(code) || words.length === 0) continue;
    assert.equal(await reported(root, ...words), [code], example);
  }
});

test.run();
