import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { GroupTransport } from "../../harness/clients/group-transport.js";
import {
  connectHttp,
  startGroup,
  type CommandLine,
} from "../../harness/clients/project-clients.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import {
  packageManager,
  triedManagers,
  type PackageManager,
} from "../../harness/projects/package-managers.js";
import { packInto } from "../../harness/projects/packed-package.js";
import { bin } from "../../harness/projects/project-folder.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { longTestUnless } from "../../harness/runner/test-length.js";
import { Checkouts, completions } from "./package-managers/checkouts.js";

/**
 * From an empty folder to a server that answers, by `mcpwright init` and what its words say; and what people do with a project
 * later, with each package manager.
 */
const root = await mkdtemp(join(tmpdir(), "mcpwright-new-"));
test.after(() => rm(root, { recursive: true, force: true }));

const checkouts = await Checkouts.create(root);
const tarball = await packInto(root);

const HANDLER = `import type { ToolHandler } from "../generated/index.ts";

export const echo: ToolHandler<"echo"> = ({ text }) => text;
`;

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command that has no terminal, and whose input stays open while it runs. */
async function ended({ folder, command, args, env }: CommandLine): Promise<Ended> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
  const status = new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve);
    child.on("error", reject);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, out, err };
}

/** The name by which people call a package manager. */
const nameOf = ({ title }: PackageManager): string => title.split(" ")[0] ?? "";

/** The environment of a person who has this package manager, under its name. */
async function environment(manager: PackageManager): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(root, "bin-"));
  const program = join(folder, nameOf(manager));
  const words = manager.program.map((word) => `'${word}'`).join(" ");
  await writeFile(program, `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(program, 0o755);
  const path = [folder, process.env["PATH"]].join(delimiter);
  return {
    ...manager.env,
    PATH: path,
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
}

/** What a line of the output says after these words. */
function saidAfter(words: string, said: string): string {
  const line = said.split("\n").find((one) => one.includes(words));
  assert.ok(line, `${words} is not in: ${said}`);
  return line.slice(line.indexOf(words) + words.length);
}

/** The tools of a server, and what `echo` answers. */
async function use(client: Client): Promise<unknown> {
  try {
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: "echo", arguments: { text: "Good day" } });
    return [tools.map(({ name }) => name), content];
  } finally {
    await client.close();
  }
}

/** The same of a server that a line of shell starts, over stdio. */
async function useStarted(
  line: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const transport = new GroupTransport({ folder, command: "sh", args: ["-c", line], env });
  const client = new Client({ name: "test", version: "1.0.0" });
  try {
    await client.connect(transport);
    return await use(client);
  } catch (error) {
    throw new Error(`${line} failed\n${transport.otherLines.join("\n")}\n${transport.log}`, {
      cause: error,
    });
  }
}

const answers = (answer: string): unknown => [["echo"], [{ type: "text", text: answer }]];

for (const settings of triedManagers) {
  const { title } = settings;
  let missing: string | undefined;
  const manager = await packageManager(settings).catch((error: unknown) => {
    missing = `it cannot be installed: ${String(error).slice(0, 200)}`;
    return undefined as never;
  });
  const env = missing === undefined ? await environment(manager) : {};
  const name = missing === undefined ? nameOf(manager) : "";

  /** The lock file of the first project, once it is installed. */
  let lock: string | undefined;
  /** Has a later project, which has the same packages, installed by it: to look up versions costs more than to unpack. */
  const lockLikeFirst = async (project: string): Promise<void> => {
    if (lock !== undefined) await writeFile(join(project, settings.lockFile), lock);
  };

  const isNpm = settings.source.name === "npm";
  /**
   * The packages of a project that is not used any more. npm takes them over in the next one; to unpack them costs more than
   * all else.
   */
  let installed: string | undefined;
  const takeOver = async (project: string): Promise<void> => {
    if (!isNpm || installed === undefined) return;
    await rename(installed, join(project, "node_modules"));
    installed = undefined;
  };

  testUnless(missing, `${title} goes from nothing to a server with one command`, async () => {
    const folder = await mkdtemp(join(root, "empty-"));
    const [command, ...first] = manager.program;
    const words = [...manager.executeFrom(tarball, "mcpwright"), "init", "my-server"];
    const { status, out, err } = await ended({ folder, command, args: [...first, ...words], env });
    assert.is(status, 0, out + err);
    const lines = out.slice(out.indexOf("Wrote ")).trim().split("\n");
    assert.is(lines.length, 5, out);
    assert.is(saidAfter("Installed its packages with ", out), `${name}.`);

    const project = join(folder, "my-server");
    lock = await readFile(join(project, settings.lockFile), "utf8");
    const [, mock = ""] = /`(.+)` answers/.exec(saidAfter("; until then ", out)) ?? [];
    assert.equal(await useStarted(mock, project, env), answers("Hello"));
    const [handler = ""] = saidAfter("Yours to write: ", out).split(";");
    await writeFile(join(project, handler), HANDLER);
    const start = saidAfter("Start it: ", out);
    assert.equal(await useStarted(start, folder, env), answers("Good day"));
    if (settings.scriptsReview !== undefined) {
      const review = await manager.run(project, settings.scriptsReview);
      assert.match(review, "No packages with unreviewed install scripts.");
    }
    installed = join(project, "node_modules");
  });

  const initWith = (
    folder: string,
    words: readonly string[],
    others: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => {
    const started = { ...env, npm_config_user_agent: `${name}/1.0.0`, ...others };
    return ended({
      folder,
      command: process.execPath,
      args: [bin, "init", ...words],
      env: started,
    });
  };

  longTestUnless(
    missing,
    `${title} leaves a whole project where it cannot install, and the words say how to go on`,
    async () => {
      const folder = await mkdtemp(join(root, "empty-"));
      const nowhere = "http://127.0.0.1:9/";
      const { status, out, err } = await initWith(folder, ["my-server"], {
        ...settings.variables(join(folder, "no-cache")),
        ...{ npm_config_registry: nowhere, npm_config_fetch_retries: "0" },
        ...{ pnpm_config_registry: nowhere, pnpm_config_fetch_retries: "0" },
        ...{
          YARN_NPM_REGISTRY_SERVER: nowhere,
          YARN_HTTP_RETRY: "0",
          YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
        },
        ...{ BUN_CONFIG_REGISTRY: nowhere },
      });
      assert.is(status, 4, out + err);
      assert.match(err, `error MW5011  the project is made, but \`${name} install\` failed: `);
      assert.match(err, /127\.0\.0\.1|ECONNREFUSED|ConnectionRefused/);
      assert.not.match(out, "Start it");
      const project = join(folder, "my-server");
      assert.is((await mcpwright(project, "check")).status, 0);
      if (isNpm) await takeOver(project);
      else await lockLikeFirst(project);
      const again = await ended({
        folder,
        command: "sh",
        args: ["-c", saidAfter("hint: run it again: ", err)],
        env,
      });
      assert.is(again.status, 0, again.out + again.err);
      assert.ok(await readFile(join(project, settings.lockFile)));
      const start = `${name} run mock`;
      assert.equal(await useStarted(start, project, env), answers("Hello"));
      installed = join(project, "node_modules");
    },
  );

  longTestUnless(missing, `${title} installs later what --no-install has left out`, async () => {
    const folder = await mkdtemp(join(root, "empty-"));
    const { status, out, err } = await initWith(folder, [
      "a b",
      "--no-install",
      "--transport",
      "http",
    ]);
    assert.is(status, 0, out + err);
    assert.is(out.trim().split("\n").length, 5, out);
    await writeFile(join(folder, "a b/src/tools/echo.ts"), HANDLER);
    await lockLikeFirst(join(folder, "a b"));
    const start = saidAfter("Start it: ", out);
    assert.match(start, ` && ${name} install && `);
    await takeOver(join(folder, "a b"));
    const port = name === "npm" ? "-- --port 0" : "--port 0";
    const line = `${start} ${port}`;
    const server = await startGroup({ folder, command: "sh", args: ["-c", line], env });
    try {
      assert.equal(await use(await connectHttp(server.url, "modern")), answers("Good day"));
    } finally {
      await server.stop();
    }
    installed = join(folder, "a b/node_modules");
  });

  longTestUnless(
    missing,
    `${title} installs a checkout by its lock file, offline, and builds it after it was moved; editors know its schema`,
    async () => {
      // Lock files of others than npm name the project.
      if (!isNpm) lock = await checkouts.firstLock(manager);
      const moved = await checkouts.useCheckout(manager, lock ?? "");
      const offered = await completions(moved);
      for (const key of ["outputSchema", "annotations"])
        assert.ok(offered.includes(key), `${key} is not in: ${offered.join(", ")}`);
      assert.not(offered.includes("description"), "a key that is there already");
    },
  );

  // In short, `package.test.ts` stands for it: another runtime is a file of another name, which no lock file has.
  longTestUnless(
    missing,
    `${title} refuses a lock file with another version of the runtime`,
    async () => {
      assert.match(await checkouts.outdatedLock(manager, lock ?? ""), settings.refusal);
    },
  );

  longTestUnless(
    missing,
    `${title} installs and builds the project as a member of a workspace`,
    () => checkouts.useMember(manager),
  );

  if (isNpm) {
    longTestUnless(missing, `${title} starts a checkout without its dev dependencies`, () =>
      checkouts.usePruned(manager),
    );
  }
}

test.run();
