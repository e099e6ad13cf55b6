import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ServerModel } from "../../model/server-model.js";
import { assertGoldenFiles } from "../../testing/harness/runner/golden-files.js";
import { weatherModel } from "../../testing/harness/projects/weather-model.js";
import { emitProjectFiles } from "./project-files.js";
import { TEMPLATE_NAMES, templateHelpers } from "./templates.js";

const source = new URL("../../../../generator/5-emit/project/", import.meta.url);
const templates = new URL("../../../../templates/project/", import.meta.url);

async function contents(model: ServerModel): Promise<Map<string, string>> {
  const files = await emitProjectFiles(model);
  return new Map(files.map(({ path, content }) => [path, content]));
}

test("the project files of a server with all features are the expected ones", async () => {
  await assertGoldenFiles(
    new URL("fixtures/weather/", source),
    await emitProjectFiles(weatherModel),
  );
});

test("the project files of a server over HTTP without items are the expected ones", async () => {
  const empty: ServerModel = {
    name: "empty",
    version: "0.1.0",
    protocol: { legacy: "serve" },
    transports: weatherModel.transports.filter(({ type }) => type === "http"),
    env: [],
    sharedSchemas: [],
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
  };
  await assertGoldenFiles(new URL("fixtures/empty/", source), await emitProjectFiles(empty));
});

test("every file ends with one line end and has no run of blank lines", async () => {
  for (const [path, content] of await contents(weatherModel)) {
    assert.ok(content.endsWith("\n") && !content.endsWith("\n\n"), path);
    assert.not.match(content, /\n\n\n/, path);
    assert.not.match(content, /[ \t]\n/, path);
  }
});

test("an audit log that is in the project by default is not committed", async () => {
  const ignored = async (file: string): Promise<string> => {
    const env = [{ name: "AUDIT_FILE", type: "string", required: false, default: file }] as never;
    const audit = { to: { env: "AUDIT_FILE" }, arguments: "values", durable: false } as const;
    return (await contents({ ...weatherModel, env, audit })).get(".gitignore") ?? "";
  };
  assert.match(await ignored("audit.jsonl"), "\n/audit.jsonl\n");
  assert.match(await ignored("./logs/who did #1.jsonl"), "\n/logs/who?did??1.jsonl\n");
  for (const elsewhere of ["/var/log/audit.jsonl", "../audit.jsonl"]) {
    assert.not.match(await ignored(elsewhere), "jsonl");
  }
});

test("templates print values through helpers only", async () => {
  const { default: handlebars } = await import("handlebars");
  const helpers = new Set(Object.keys(templateHelpers));
  for (const name of TEMPLATE_NAMES) {
    const source = await readFile(new URL(`${name}.hbs`, templates), "utf8");
    const program = handlebars.parse(source);
    const inlinePartials = new Set<string>();
    class Printed extends handlebars.Visitor {
      override DecoratorBlock(block: hbs.AST.DecoratorBlock): void {
        inlinePartials.add((block.params[0] as hbs.AST.StringLiteral).value);
        super.DecoratorBlock(block);
      }
      override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
        const path = mustache.path as hbs.AST.PathExpression;
        assert.ok(helpers.has(path.original), `${name}: {{${path.original}}}`);
        assert.ok(mustache.params.length <= 1, `${name}: {{${path.original}}}`);
      }
      override PartialStatement(partial: hbs.AST.PartialStatement): void {
        const { original } = partial.name as hbs.AST.PathExpression;
        assert.ok(inlinePartials.has(original), `${name}: {{> ${original}}}`);
        assert.is(partial.params.length, 0, `${name}: {{> ${original}}}`);
      }
    }
    new Printed().accept(program);
  }
});

const LONG_TEXT = "x ".repeat(100);

test("hostile descriptions, variables and names do not change the structure of project files", async () => {
  const payloads = [
    "````\n</details><img src=x onerror=alert(1)> [x](javascript:alert(1)) | \\| <!-- -->\n# H1",
    "{{constructor.constructor 'x'}} {{{this}}} {{> (lookup . 'x')}} {{#with \"s\" as |x|}}",
    "x\nRUN id\n$(id) `id` ${{ github.token }} %PATH% !x ; rm -rf /",
    "safe\u202E\u2066 evil \u2069\u200B\uFEFF",
    "\u001b]0;pwn\u0007\u001b[31m",
    "https://evil.example/a|b www.evil.example me@evil.example",
    "[a]: http://evil.example\n\n---\n===\n\n    code\n\n1. x\n- y\n> z\n| a | b |\n| --- | --- |",
  ];
  for (const payload of payloads) {
    const files = await contents(withText(payload));
    // What has one short line may stand in a sentence, where longer text has a block of its own.
    const [short, long] = [await contents(withText("x")), await contents(withText(LONG_TEXT))];
    for (const [path, content] of files) {
      assert.not.match(
        content,
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2060-\u206f\u200b\ufeff]/,
        path,
      );
      if (!path.endsWith(".md")) continue;
      assert.is(LIVE.exec(liveText(content))?.[0], undefined, path);
      const [own, inSentences, inBlocks] = [
        content,
        short.get(path) ?? "",
        long.get(path) ?? "",
      ].map(outline);
      assert.equal(own, own?.length === inSentences?.length ? inSentences : inBlocks, path);
    }
    const packageText = files.get("package.json") ?? "";
    assert.is((JSON.parse(packageText) as { description: string }).description, payload);
    assert.equal(variables(files), variables(short));
  }
});

/** The weather model with one text in every slot of free text. */
function withText(text: string): ServerModel {
  const wire = { title: text, description: text };
  return {
    ...weatherModel,
    title: text,
    description: text,
    instructions: text,
    env: weatherModel.env.map((variable) => ({ ...variable, description: text })),
    tools: weatherModel.tools.map((tool) => ({
      ...tool,
      wire: { ...tool.wire, ...wire },
      input: {
        ...tool.input,
        authored: {
          type: "object",
          properties: { a: { type: "string", default: text, description: text, pattern: text } },
        },
      },
      examples: [{ name: text, arguments: { a: text }, expect: { kind: "text", text } }],
    })),
    prompts: weatherModel.prompts.map((prompt) => ({
      ...prompt,
      wire: { ...prompt.wire, ...wire },
      arguments: [{ name: "who", required: true, description: text, complete: [text] }],
    })),
  };
}

/** Tags, links and images that are not the template's own. */
const LIVE =
  /<(?!http:|!-- Generated)|\]\((?!https:\/\/(?:modelcontextprotocol\.io|github\.com\/modelcontextprotocol\/)|mcp\.yaml|(?:AGENTS|README|SERVER)\.md)|(?<!\()(?<!<)https?:|www\./;

/** What a renderer does not take as code: neither fenced blocks nor code spans nor escaped characters. */
function liveText(markdown: string): string {
  const text = markdown.replace(/^(`{3,}).*\n[^]*?^\1$/gm, "");
  const tokens = /\\[^\n]|(?<fence>`+)(?:[^`]|(?!\k<fence>(?!`))`+)*?\k<fence>(?!`)/g;
  return text.replace(tokens, "");
}

/** Headings, list items, fences and table rows with their number of cells: what a text could forge. */
function outline(markdown: string): string[] {
  return markdown.split("\n").flatMap((line) => {
    if (/^(#|---|===|```|>|<)/.test(line)) return [line.replace(/^(#+ |.).*/, "$1")];
    if (/^([-*+]|\d+[.)]) /.test(line)) return ["-"];
    return line.startsWith("|") ? [`| ${line.split("|").length}`] : [];
  });
}

function variables(files: ReadonlyMap<string, string>): string[] {
  const lines = (files.get(".env.example") ?? "").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

test.run();
