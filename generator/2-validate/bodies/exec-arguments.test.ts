import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** The arguments that commands use, by the first word of their names: `free` and `free_2` have the same schema. */
const SCHEMAS: Readonly<Record<string, string>> = {
  free: "type: string",
  optional: "type: string",
  list: "type: array, items: { type: string }",
  /** Begins with a letter or a digit; all else may follow. */
  word: 'type: string, pattern: "^[A-Za-z0-9]"',
  /** Has letters, digits, dots and hyphens only. */
  name: 'type: string, pattern: "^[A-Za-z0-9][A-Za-z0-9.-]*$"',
  /** Has no hyphen at its beginning, and any other character. */
  other: 'type: string, pattern: "^[^-]"',
  later: 'type: string, pattern: "[A-Za-z0-9]"',
  either: 'type: string, pattern: "^[a-z]+$|x"',
  ahead: 'type: string, pattern: "^(?!-)"',
  group: 'type: string, pattern: "^(?:[a-z]+|[0-9]?x)$"',
  digits: 'type: string, pattern: "^[0-9]{1,3}$"',
  https: 'type: string, pattern: "^https://"',
  count: "type: integer, minimum: 0",
  number: "type: integer",
  date: "type: string, format: date",
  host: "type: string, format: hostname",
  uri: "type: string, format: uri",
  choice: "enum: [a, b]",
  names: 'type: array, items: { type: string, pattern: "^[a-z]+$" }',
  branches: 'type: string, anyOf: [{ enum: ["-a"] }, { type: string, pattern: "^[a-z]" }]',
  program: "enum: [ls, find]",
};

/** The codes of the problems of a body. @param body the keys of `exec`, in flow style */
function codesOf(body: string): string[] {
  const names = [
    ...new Set([...body.matchAll(/\{\{[#^/]?(\w+)\}\}/g)].map(([, name]) => name ?? "")),
  ];
  const properties = names.map((name) => {
    const schema = SCHEMAS[name.split("_")[0] ?? ""];
    assert.ok(schema !== undefined, name);
    return `${name}: { ${schema}, description: An argument }`;
  });
  const required = names.filter((name) => !name.startsWith("optional"));
  const text = `name: demo
version: 1.0.0
tools:
  - name: a
    description: Does a.
    inputSchema: { type: object, additionalProperties: false, required: [${required.join(", ")}], properties: { ${properties.join(", ")} } }
    exec: { ${body} }
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest, text);
  return validateManifest(manifest).map(({ code }) => code);
}

const bodyOf = (command: string): string =>
  command.startsWith("[") ? `command: ${command}` : command;

/** Commands in which a caller could do more than the command says, with the code that refuses each. */
const HOSTILE: readonly (readonly [code: string, ...commands: readonly string[]])[] = [
  [
    "MW2141",
    '[find, "--", "{{free}}"]',
    '[gfind, "{{free}}", -name, x]',
    '[/usr/bin/find, ., "{{list}}"]',
    '[grep, "{{free}}", app.log]',
    '[grep, -e, --, "{{free}}"]',
    '[grep, -re, --, "{{free}}"]',
    '[grep, --regexp, --, "{{free}}"]',
    '[grep, --rege, --, "{{free}}"]',
    '[head, -n, --, "{{free}}"]',
    '[grep, "{{#optional}}-e{{/optional}}", --, "{{free}}"]',
    '[rm, "{{later}}"]',
    '[rm, "{{either}}"]',
    '[rm, "{{number}}"]',
    '[rm, "{{#free}}{{free}}{{/free}}"]',
    '[git, log, "{{free}}"]',
    '[git, -C, dir, log, "{{free}}"]',
    '[git, log, "--{{free}}"]',
    '[ls, "-{{word}}"]',
    '[jq, "{{free}}", data.json]',
    '[curl, "{{free}}"]',
    '[tar, xf, --, "{{free}}"]',
    '[psql, --, "{{free}}"]',
    '[vim, "{{free}}"]',
    '[report, --, "{{free}}"]',
    '[bin/report, "{{free}}"]',
    '[sh, run.sh, --, "{{free}}"]',
    '[sh, -c, "eval $1", sh, "{{free}}"]',
    '[python3, tool.py, --, "{{free}}"]',
    '[node, -e, "1", "{{free}}"]',
    '["{{program}}", --, "{{free}}"]',
    '[nice, find, --, "{{free}}"]',
    '[sudo, -u, www-data, make, "{{free}}"]',
    '[docker, exec, web, find, "{{free}}"]',
    '[busybox, find, "{{free}}"]',
    '[env, -u, grep, find, --, "{{free}}"]',
    '[timeout, grep, find, --, "{{free}}"]',
    '[ffmpeg, -y, -i, in.mp4, "{{free}}"]',
    '[convert, "{{free}}", out.png]',
  ],
  [
    "MW2148",
    '[make, --, "{{free}}"]',
    '[make, --, "{{word}}"]',
    '[gmake, -j, "{{word}}"]',
    '[make, "CC={{name}}=x"]',
    '[tar, "-I{{free}}", -cf, x.tar, keep.txt]',
    '[tar, "-I{{name}}", -cf, x.tar, keep.txt]',
    '[git, grep, "-O{{free}}", x]',
    '[git, grep, "-O{{name}}", x]',
    '[git, log, "--output={{word}}"]',
    '[git, diff, --output, "{{word}}"]',
    '[git, config, "{{name}}", "{{name_2}}"]',
    '[git, bisect, run, "{{name}}"]',
    '[git, "{{name}}"]',
    '[rsync, "-e{{free}}", a, b]',
    '[rsync, --, "{{word}}", backup]',
    '[scp, --, "{{word}}", backup]',
    '[grep, "-e{{free}}", --, x]',
    '[grep, -e, "{{optional}}", --, x]',
    '[grep, -e, "{{list}}", --, x]',
    '[head, "-n{{word}}", x]',
    '[env, "-S{{free}}"]',
    '[env, "LD_PRELOAD={{free}}", ls]',
    '[env, "LD_PRELOAD={{name}}", ls]',
    '[/usr/bin/env, A=b, "PATH={{word}}", ls]',
    '[sudo, "LD_PRELOAD={{word}}", ls]',
    '[sudo, -u, "{{name}}", ls]',
    '[xargs, -I, "{{name}}", ls]',
    '[xargs, grep, --, "{{word}}"]',
    '[xargs, ls, "{{word}}"]',
    "command: [xargs, find], stdin: '{{free}}'",
    "command: [sudo, xargs, rm], stdin: 'a {{name}}'",
    "command: [parallel, wc], stdin: '{{word}}'",
    "command: [kubectl, apply, -f, '-'], stdin: '{{free}}'",
    '[find, ., -exec, grep, --, "{{free}}", "{}", ";"]',
    '[find, ., -exec, grep, "{{word}}", "{}", ";"]',
    '[find, ., -name, x, -fprint, "{{word}}"]',
    '[fd, -x, wc, "{{word}}"]',
    '[ssh, "{{host}}", uptime]',
    '[npx, "{{name}}"]',
    '[npm, exec, --, "{{name}}"]',
    '[uv, run, "{{name}}"]',
    '[docker, run, "{{name}}"]',
    '[docker, exec, -e, "{{word}}", web, ls]',
    '[kubectl, exec, "{{name}}", --, ls]',
    '[kubectl, get, pods, --kubeconfig, "{{word}}"]',
    '[curl, -d, "{{free}}", "https://a.example"]',
    '[curl, -F, "file={{word}}", "https://a.example"]',
    '[curl, --data-urlencode, "q{{free}}", "https://a.example"]',
    '[curl, -o, "{{word}}", "https://a.example"]',
    '[curl, -K, "{{word}}"]',
    '[wget, --post-file, "{{word}}", "https://a.example"]',
    '[convert, "{{word}}", out.png]',
    '[report, "-x{{word}}"]',
    '[report, "--name={{free}}"]',
    '[report, "--name={{number}}{{free}}"]',
    '[report, "--exec={{word}}"]',
    '[report, "--post-script={{name}}"]',
    '[report, "id:{{free}}"]',
    '[grep, "--text={{free}}", x]',
    '[gdb, --args, prog, "{{word}}"]',
    '[crontab, "{{name}}"]',
  ],
  [
    "MW2142",
    '[python3.11, -c, "{{free}}"]',
    '[python3, "-c{{free}}"]',
    '[python3, -Ic, "{{word}}"]',
    '[python3, -m, "{{name}}"]',
    '[perl5.36, -e, "{{free}}"]',
    '[perl, -lne, "{{word}}"]',
    '[ruby3.2, -e, "{{word}}"]',
    '[php8.2, -r, "{{word}}"]',
    '[node20, -pe, "{{word}}"]',
    '[node, "--eval={{word}}"]',
    '[node, --require, "{{name}}", x.js]',
    '[lua5.4, -e, "{{word}}"]',
    '[tclsh8.6, "{{name}}"]',
    '[bash5, -c, "{{word}}"]',
    '[bash, +x, "{{word}}"]',
    '[sh, -c, -e, "{{word}}"]',
    '[bun, run, "{{name}}"]',
    '[deno, eval, "{{name}}"]',
    '[go, run, "{{name}}"]',
    '[java, -jar, "{{name}}"]',
    '[gawk, "{{word}}"]',
    '[gsed, "{{word}}"]',
    '[nice, -n, "5", python3.11, -c, "{{word}}"]',
    '[xargs, sh, -c, "{{word}}"]',
    '[xargs, "{{name}}"]',
    '[env, -S, "{{word}}"]',
    '[watch, "{{word}}"]',
    '[parallel, "{{word}}"]',
    '[su, -c, "{{word}}"]',
    '[ssh, host, ls, "{{name}}"]',
    '[ssh, -o, "ProxyCommand={{word}}", host]',
    '[sort, "--compress-program={{word}}"]',
    '[sort, --compress-prog, "{{word}}"]',
    '[rsync, -e, "{{word}}", a, b]',
    '[tar, --checkpoint-action, "{{word}}", -cf, a, b]',
    '[sqlite3, shop.db, "{{word}}"]',
    '[mysql, -e, "{{word}}"]',
    '[psql15, -c, "{{word}}"]',
    '[vim, -c, "{{word}}"]',
    '[docker, exec, web, sh, -c, "{{word}}"]',
    '[kubectl, exec, web, --, sh, -c, "{{word}}"]',
    '[split, "--filter={{word}}", x]',
    "command: [python3.11], stdin: '{{free}}'",
    "command: [bash, -s], stdin: '{{word}}'",
    "command: [psql, shop], stdin: 'select {{word}}'",
    "command: [docker, exec, -i, web, sh], stdin: '{{word}}'",
    "command: [at, noon], stdin: '{{word}}'",
    "command: [sqlite3, shop.db], stdin: '{{word}}'",
  ],
  ["MW2140", '[env, "{{name}}"]', '[nice, -n, "5", "{{name}}"]', '[docker, exec, web, "{{name}}"]'],
];

/** Commands in which a caller can do only what the command says. */
const HONEST: readonly string[] = [
  '[git, log, "--max-count={{count}}", --, "{{free}}"]',
  '[git, log, -n, "{{count}}", --oneline, --, "{{free}}"]',
  '[git, show, --stat, --end-of-options, "{{free}}"]',
  '[git, -C, repo, diff, --name-only, --end-of-options, "{{free}}", --, "{{list}}"]',
  '[git, log, "--author={{free}}", "--since={{date}}"]',
  '[git, grep, -n, -e, "{{free}}", --, src]',
  '[git, commit, -m, "{{free}}"]',
  '[git, blame, -L, "{{free}}", --, "{{free_2}}"]',
  '[git, push, origin, "{{name}}"]',
  '[grep, -n, -e, "{{free}}", --, app.log]',
  '[grep, -rn, --include, "{{free}}", --, "{{free_2}}", .]',
  '[grep, --max-count=50, --color, --, "{{free}}", app.log]',
  '[grep, -A, "{{number}}", "{{word}}", app.log]',
  '[rg, --json, -e, "{{free}}", -g, "{{free_2}}"]',
  '[jq, --, "{{free}}", data.json]',
  '[jq, --arg, name, "{{free}}", ".[$name]", data.json]',
  "command: [jq, .a], stdin: '{{free}}'",
  '[ping, -c, "{{count}}", "{{host}}"]',
  '[nc, -z, "{{host}}", "80"]',
  '[ruby, -rjson, tool.rb, "{{word}}"]',
  '[ffprobe, -v, error, -show_format, "{{name}}"]',
  '[git, ls-remote, --, "{{name}}"]',
  '[date, "+{{free}}"]',
  '[date, -d, "{{free}}", +%F]',
  '[ls, -la, --, "{{free}}"]',
  '[ls, "{{names}}"]',
  '[cat, --, "logs/{{free}}.log"]',
  '[cat, "logs/{{free}}.log"]',
  '[head, -n, "{{number}}", --, "{{free}}"]',
  '[tail, "-n{{digits}}", app.log]',
  '[wc, -l, --, "{{list}}"]',
  '[sort, -k, "{{free}}", app.log]',
  '[cut, -d, ",", -f, "{{free}}", app.csv]',
  '[cp, --, "{{free}}", "{{free_2}}"]',
  '[echo, --, "{{free}}"]',
  '[find, data, -name, "{{free}}", -type, f]',
  '[find, "{{word}}", -maxdepth, "1"]',
  '[find, "data/{{free}}", -type, f]',
  '[find, ., -name, "{{free}}", -exec, wc, -l, "{}", ";"]',
  '[fd, --glob, --, "{{free}}"]',
  '[awk, -v, "wanted={{free}}", "$1 == wanted", app.log]',
  '[sed, -n, "1p", --, "{{free}}"]',
  '[tar, -tf, "{{word}}"]',
  '[tar, -czf, out.tgz, --, "{{list}}"]',
  '[make, test, "-j{{count}}"]',
  '[make, "{{name}}"]',
  '[curl, --max-time, "5", "https://api.example/{{free}}"]',
  '[curl, -X, POST, --data-raw, "{{free}}", "https://a.example"]',
  '[curl, -d, "q={{free}}", "https://a.example"]',
  '[curl, --, "{{https}}"]',
  '[convert, "{{name}}", -resize, "{{free}}", out.png]',
  '[ffmpeg, -ss, "{{count}}", -i, "media/{{name}}", out.mp4]',
  '[docker, logs, --tail, "{{count}}", --, "{{free}}"]',
  '[docker, exec, web, ls, --, "{{free}}"]',
  '[kubectl, get, pods, -n, "{{free}}", -l, "{{free_2}}", -o, json]',
  '[kubectl, logs, --tail, "{{count}}", --, "{{free}}"]',
  '[psql, -U, "{{free}}", -c, "select 1"]',
  '[ps, -o, pid, -p, "{{count}}"]',
  '[tree, -L, "{{count}}", --, "{{free}}"]',
  '[env, LANG=C, grep, --, "{{free}}", app.log]',
  '[env, "TZ={{choice}}", date]',
  '[timeout, "5", grep, --, "{{free}}", app.log]',
  '[timeout, "{{count}}", ls]',
  '[nice, -n, "10", sort, --, "{{free}}"]',
  '[sudo, -n, -u, postgres, ls, --, "{{free}}"]',
  '[ssh, "{{choice}}", uptime]',
  '["{{program}}", "{{name}}"]',
  "[sh, -c, 'grep -- \"$1\" app.log', sh, '{{name}}']",
  '[python3.11, tool.py, -c, "{{name}}", "--day={{date}}"]',
  '[python3, -m, json.tool, "{{name}}"]',
  '[node, build.js, "--limit={{count}}"]',
  '[java, -jar, app.jar, "{{name}}"]',
  '[report, "{{name}}", "{{count}}", "{{choice}}"]',
  '[report, "{{group}}", "{{branches}}"]',
  '[report, "--name={{name}}", "--day={{date}}", "--n={{number}}"]',
  '[report, "logs/{{name}}.log"]',
  '[report, "{{#optional}}--verbose{{/optional}}"]',
  "command: [report], stdin: '{{free}}'",
  "command: [python3, tool.py], stdin: '{{free}}'",
  "command: [wc, -w], stdin: '{{free}}'",
];

/** Commands that lead a program to a file or an address that the caller chooses. */
const READING: readonly string[] = [
  '[curl, --, "{{free}}"]',
  '[curl, --, "{{uri}}"]',
  '[curl, "{{uri}}"]',
  '[curl, --url, "{{uri}}"]',
  '[curl, "https://{{host}}/"]',
  '[wget, -q, "{{uri}}"]',
  '[git, clone, --, "{{free}}"]',
  '[ffmpeg, -i, "{{uri}}", out.mp4]',
  '[curl, -d, "{{other}}", "https://a.example"]',
  '[curl, -H, "{{ahead}}", "https://a.example"]',
  '[report, "{{other}}"]',
];

/** The same body, with all its arguments trusted. */
function trusting(body: string): string {
  const names = [...body.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  return `${body}, trusted: [${[...new Set(names)].join(", ")}]`;
}

/** What is wrong with the bodies: each whose codes, without repetitions, are others than expected. */
function unexpected(bodies: readonly string[], expected: readonly string[]): string[] {
  return bodies.flatMap((body) => {
    const codes = [...new Set(codesOf(body))].filter((code) => code !== "MW2146");
    return codes.join() === expected.join() ? [] : [`${body}: ${codes.join()}`];
  });
}

test("a command in which a caller could do more than it says is refused, unless it trusts the argument", () => {
  for (const [code, ...commands] of HOSTILE) {
    const bodies = commands.map(bodyOf);
    const isLifted = code === "MW2141" || code === "MW2148";
    assert.equal(unexpected(bodies, [code]), [], code);
    assert.equal(unexpected(bodies.map(trusting), isLifted ? [] : [code]), [], `${code}, trusted`);
  }
});

test("a command in which a caller can do only what it says has no problem", () => {
  assert.equal(unexpected(HONEST.map(bodyOf), []), []);
});

test("a command that leads its program to any file or address gives a warning", () => {
  const bodies = READING.map(bodyOf);
  assert.equal(unexpected(bodies, ["MW2149"]), []);
  assert.equal(unexpected(bodies.map(trusting), []), []);
});

test("only the arguments that are trusted are not checked", () => {
  const command = '[report, "{{free}}", "{{free_2}}"]';
  assert.equal(codesOf(`command: ${command}`), ["MW2141", "MW2141"]);
  assert.equal(codesOf(`command: ${command}, trusted: [free]`), ["MW2141"]);
  assert.equal(codesOf(`command: ${command}, trusted: [free, free_2]`), []);
});

test("trust in what is no argument, or in an argument that the command does not use, is refused", () => {
  const command = '[cat, --, "{{free}}"]';
  assert.equal(codesOf(`command: ${command}, trusted: [fre]`), ["MW2153"]);
  assert.equal(codesOf(`command: ${command}, trusted: [free, "x y"]`), ["MW2153"]);
  assert.equal(codesOf(`command: [cat, "{{#free}}-n{{/free}}", x], trusted: [free]`), ["MW2153"]);
  assert.equal(codesOf(`command: [wc], stdin: "{{free}}", trusted: [free]`), []);
});

test.run();
