import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { validateManifest } from "../validate.js";

const PROPERTIES = {
  free: "type: string",
  safe: 'type: string, pattern: "^[A-Za-z0-9]"',
  count: "type: integer, minimum: 0",
  any: "type: integer",
  words: "type: array, items: { type: string }",
  safe_words: 'type: array, items: { type: string, pattern: "^\\\\w+$" }',
  program: "enum: [date, uname]",
  shell: "enum: [date, sh]",
  object: "type: object, additionalProperties: false",
};

/** Problems of a body, with the place of each: `code line:column`. Its command is on line 8. */
function problems(command: string, names: readonly string[], more = "", tool = ""): string[] {
  return problemsOf(manifestOf(command, names, more, tool));
}

function manifestOf(command: string, names: readonly string[], more = "", tool = ""): string {
  const properties = names.map((name) => {
    const schema = PROPERTIES[name as keyof typeof PROPERTIES];
    return `        ${name}: { ${schema}, description: An argument }\n`;
  });
  return `name: demo
version: 1.0.0
env: { TOKEN: { required: true, secret: true } }
tools:
  - name: a
    description: Does a.
    exec:
      command: ${command}${more === "" ? "" : `\n      ${more}`}
    inputSchema:
      type: object
      additionalProperties: false
      required: [${names.join(", ")}]
      properties:
${properties.join("") || "        {}\n"}${tool === "" ? "" : `    ${tool}\n`}`;
}

function problemsOf(text: string): string[] {
  return diagnosticsOf(text).map(({ code, line, column }) => `${code} ${line}:${column}`);
}

function diagnosticsOf(text: string): Diagnostic[] {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest, text);
  return validateManifest(manifest);
}

test("only git ends its options with --end-of-options", () => {
  assert.equal(problems('[grep, --end-of-options, "{{free}}"]', ["free"]), ["MW2141 8:41"]);
  assert.equal(problems('[git, show, "{{free}}"]', ["free"]), ["MW2141 8:28"]);
});

test("text beside an argument that may be absent is reported", () => {
  const found = (command: string): string[] =>
    problemsOf(
      manifestOf(command, ["free"]).replace(/inputSchema:[^]*?required: \[free\]/, (schema) =>
        schema.replace("[free]", "[]"),
      ),
    );
  assert.equal(found('[git, log, "--author={{free}}"]'), ["MW2146 8:27"]);
  assert.equal(found('[git, log, "{{#free}}--author={{free}}{{/free}}"]'), []);
  assert.equal(found('[git, log, --, "{{free}}"]'), []);
});

test("commands that use arguments only as arguments have no problem", () => {
  for (const [command, ...names] of [
    ["[date]"],
    ['[grep, --, "{{free}}", app.log]', "free"],
    ['[grep, "{{safe}}", "{{count}}"]', "safe", "count"],
    ['[grep, "--label={{free}}", "x{{any}}"]', "free", "any"],
    ['[ls, "{{safe_words}}", --, "{{words}}"]', "safe_words", "words"],
    ['["{{program}}", "{{safe}}"]', "program", "safe"],
    ['["{{program}}"]', "program"],
    ['["{{shell}}"]', "shell"],
    ['[sh, -c, "echo one | wc"]'],
    ['[sh, -c, \'grep "$1" app.log\', --, "{{safe}}"]', "safe"],
    ['[sh, script.sh, --, "{{safe}}"]', "safe"],
    ['[node, build.js, "{{safe}}"]', "safe"],
    ['[git, show, --end-of-options, "{{free}}"]', "free"],
    ['[env, LANG=C, grep, --, "{{free}}"]', "free"],
    ['[man, ssh, "{{safe}}"]', "safe"],
    ['[env, "{{program}}"]', "program"],
    ['[sudo, -u, www-data, ls, "{{safe}}"]', "safe"],
    ['[nice, ls, "{{safe}}"]', "safe"],
    ['["/opt/my tools/run", "{{safe}}"]', "safe"],
    ['["my tools/run", "{{safe}}"]', "safe"],
    ['[awk, -v, "wanted={{free}}", "$1 == wanted", app.log]', "free"],
    ['[awk, -F, ",", "{ print $1 }", "{{safe}}"]', "safe"],
    ['[sed, -n, "1p", "{{safe}}"]', "safe"],
    ['[find, ., -name, "{{safe}}", -exec, wc, -l, "{}", ";"]', "safe"],
    ['[find, ., -name, "{{free}}"]', "free"],
    ['[git, log, "--author={{free}}"]', "free"],
    ['[tar, -cf, "{{safe}}", data]', "safe"],
  ] as const) {
    assert.equal(problems(command, names), [], command);
  }
  assert.equal(problems("[cat]", ["free", "object"], 'stdin: "{{free}}{{object}}"'), []);
});

test("each mistake of a command is reported at its place", () => {
  for (const [command, names, ...expected] of [
    ['["{{free}}"]', ["free"], "MW2140 8:17"],
    ['["run-{{safe}}"]', ["safe"], "MW2140 8:17"],
    ['["{{shell}}", --, "{{free}}"]', ["shell", "free"], "MW2142 8:34"],
    ["[grep -r error]", [], "MW2140 8:17"],
    ["[npx -y @x/y]", [], "MW2140 8:17"],
    ["[node dist/a.js]", [], "MW2140 8:17"],
    ['[""]', [], "MW2140 8:17"],
    ['[grep, "{{free}}"]', ["free"], "MW2141 8:23"],
    ['[grep, "{{any}}"]', ["any"], "MW2141 8:23"],
    ['[grep, "{{words}}"]', ["words"], "MW2141 8:23"],
    ['[grep, "{{free}}.log", --]', ["free"], "MW2141 8:23"],
    ['[grep, "{{#free}}{{free}}{{/free}}"]', ["free"], "MW2141 8:23"],
    ['[sh, -c, "grep {{safe}} app.log"]', ["safe"], "MW2142 8:25"],
    ['[/bin/bash, -ec, "{{safe}}"]', ["safe"], "MW2142 8:33"],
    ['[bash, "{{safe}}"]', ["safe"], "MW2142 8:23"],
    ['[env, sh, -c, "x{{safe}}"]', ["safe"], "MW2142 8:30"],
    ['[ssh, host, "{{safe}}"]', ["safe"], "MW2142 8:28"],
    ['[cmd.exe, /c, dir, "{{safe}}"]', ["safe"], "MW2142 8:35"],
    ['[node, -e, "log({{safe}})"]', ["safe"], "MW2142 8:27"],
    ['[python3, -c, "{{safe}}"]', ["safe"], "MW2142 8:30"],
    ['[awk, "{{safe}}"]', ["safe"], "MW2142 8:22"],
    ['[gawk, -F, ",", "/{{safe}}/", app.log]', ["safe"], "MW2142 8:32"],
    ['[awk, -v, a=1, -f, "{{safe}}"]', ["safe"], "MW2142 8:35"],
    ['[sed, "s/a/{{safe}}/", app.log]', ["safe"], "MW2142 8:22"],
    ['[sed, -e, 1p, -e, "{{safe}}p"]', ["safe"], "MW2142 8:34"],
    ['[find, ., -exec, "{{safe}}", ";"]', ["safe"], "MW2142 8:33"],
    ['[find, ., -exec, sh, -c, "x{{safe}}", ";"]', ["safe"], "MW2142 8:41"],
    ['[nice, find, ., -ok, "{{safe}}"]', ["safe"], "MW2142 8:37"],
    ['[git, -c, "{{safe}}", log]', ["safe"], "MW2142 8:26"],
    ['[git, fetch, "--upload-pack={{safe}}"]', ["safe"], "MW2142 8:29"],
    ['[tar, -xf, a.tar, "--to-command={{safe}}"]', ["safe"], "MW2142 8:34"],
    ['[psql, -c, "select {{safe}}"]', ["safe"], "MW2142 8:27"],
    ['[env, "{{safe}}"]', ["safe"], "MW2140 8:22"],
    ['[timeout, 5s, "{{safe}}", x]', ["safe"], "MW2140 8:30"],
    ['[nice, env, A=b, "{{safe}}"]', ["safe"], "MW2140 8:33"],
    ['[grep, "-{{safe}}", x]', ["safe"], "MW2141 8:23"],
    ['[git, log, "--{{free}}"]', ["free"], "MW2141 8:27"],
    ["[date]", ["free"], "MW2143 8:7"],
    ['[echo, --, "{{object}}"]', ["object"], "MW2086 8:27"],
    ['[echo, --, "x{{words}}"]', ["words"], "MW2086 8:27"],
    ['[echo, --, "{{fre}}"]', ["free"], "MW2040 8:28"],
  ] as const) {
    assert.equal(problems(command, names), expected, command);
  }
});

test("an argument in a script of a POSIX shell gets the hint where it stands instead, other code none", () => {
  for (const [command, shell] of [
    ['[sh, -c, "ls {{safe}} | wc"]', "sh"],
    ['[/bin/bash, -ec, "{{safe}}"]', "/bin/bash"],
    ['[bash, "{{safe}}"]', undefined],
    ['[ssh, host, "{{safe}}"]', undefined],
    ['[pwsh, -c, "{{safe}}"]', undefined],
    ['[fish, -c, "{{safe}}"]', undefined],
    ['[python3, -c, "{{safe}}"]', undefined],
  ] as const) {
    const [found] = diagnosticsOf(manifestOf(command, ["safe"]));
    const hint = `write "$1" in the script, and behind it the items ${shell} and "{{safe}}"`;
    assert.is(found?.code, "MW2142", command);
    assert.is(found?.hint, shell && hint, command);
  }
});

test("words that only a shell understands are reported, once a command", () => {
  for (const [command, word] of [
    ['[ps, aux, "|", grep, node, "|", wc]', '"|"'],
    ['[echo, hi, ">", out.txt]', '">"'],
    ['[make, all, "&&", date]', '"&&"'],
    ['[find, ., "2>&1"]', '"2>&1"'],
    ["[ls, $HOME]", "$HOME"],
    ['[ls, "${HOME}/a"]', '"${HOME}/a"'],
    ["[ls, ~/docs]", "~/docs"],
    ['[env, ls, "~"]', '"~"'],
  ] as const) {
    assert.equal(problems(command, []), [`MW2147 8:${16 + command.indexOf(word)}`], command);
  }
  for (const command of [
    ...['[cut, -d, "|", a]', '[sort, -t, ">", a]', '[find, ., -exec, wc, "{}", ";"]'],
    ...['[ssh, host, ls, "|", wc, $HOME]', '[awk, "$NF", a]', "[sh, -c, $HOME]", '[echo, "a | b"]'],
    ...['[make, all, ";", date]', '[tr, ";", ","]', '[expr, "3", "<", "4"]', '[grep, "&&", f]'],
    ...['[jq, -n, --arg, name, a, "$name"]', '[redis-cli, XREAD, STREAMS, jobs, ">"]'],
    ...['[envsubst, "$DOMAIN"]', '[adb, shell, dumpsys, "|", grep, x]', "[run, --, ls, ~/logs]"],
    ...['[echo, "$5", "~a", "$a-b"]', '[grep, --, "|", a]', "[ssh, -i, ~/.ssh/key, host]"],
  ]) {
    assert.equal(problems(command, []), [], command);
  }
});

test("stdin of a shell or an interpreter is code, unless its arguments have a script", () => {
  const found = (command: string): string[] => problems(command, ["free"], 'stdin: "{{free}}"');
  for (const command of [
    ...["[sh]", "[bash, -s, --, x]", "[sh, -e]", '[python3, "-"]', "[node]", "[perl, /dev/stdin]"],
    ...["[env, A=b, python3]", "[ssh, host]", "[pwsh, -NoProfile]"],
  ]) {
    assert.equal(found(command), ["MW2142 9:14"], command);
  }
  for (const command of [
    ...["[cat]", "[sh, script.sh]", '[sh, -c, "wc -l"]', "[python3, -m, json.tool]"],
    ...["[node, -e, x]", "[ssh, host, wc]", "[man, sh]"],
  ]) {
    assert.equal(found(command), [], command);
  }
});

test("each mistake beside the command is reported at its place", () => {
  const command = '[cat, --, "{{free}}"]';
  for (const [more, tool, ...expected] of [
    ['cwd: "data/{{free}}"', "", "MW2145 9:12"],
    ['env: { X: "{{free}}" }', "", "MW2145 9:17"],
    ["env: { X: { env: TOKE } }", "", "MW2080 9:24"],
    ["env: { X: { env: TOKEN } }", ""],
    ["output: lines", "outputSchema: { type: string }", "MW2144 16:5"],
    ["output: text", "outputSchema: { type: [integer, array] }", "MW2144 16:5"],
    ["output: lines", "outputSchema: { type: array, items: { type: integer } }", "MW2144 16:5"],
    ["output: json", "outputSchema: { type: integer }"],
    ["output: text", "content: [{ type: text, text: x }]", "MW2026 16:5"],
    ["output: text", "uses: [roots]", "MW2084 16:5"],
  ] as const) {
    const found = problems(command, ["free"], more, tool).filter((one) => !one.startsWith("MW23"));
    assert.equal(found, expected, `${more} ${tool}`);
  }
});

test.run();
