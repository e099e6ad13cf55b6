import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { PAYLOADS } from "../../testing/hostile-text.js";
import { randomNumbers } from "../../testing/random-numbers.js";
import { RandomSchemas } from "../../testing/random-schemas.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import { StructureKind } from "../../text/structure-kinds.js";
import { piecesOf, type FileStatement, type FileStatements } from "../file-pieces.js";
import {
  constant,
  exportFrom,
  importNamespace,
  importOf,
  importTypes,
  interfaceOf,
  objectLiteral,
} from "../modules/structures.js";
import { emitTypes } from "../types/emit-types.js";
import { typeStructure } from "../types/type-structure.js";
import { createFilePrinter } from "./file-printer.js";
import { ownLayout } from "./own-layouts.js";

const printFile = createFilePrinter();

/** Those of the statements that are laid out without prettier, compared with what prettier does. */
async function countOwn(statements: FileStatements): Promise<number> {
  const own = statements.flatMap((statement) => {
    const [piece] = piecesOf([statement]);
    const layout = piece && ownLayout(piece);
    return layout === undefined ? [] : [{ statement, layout }];
  });
  // A statement between two links keeps them apart.
  const apart: FileStatement[] = own.flatMap(({ statement }) => [statement, "apart;"]);
  const expected = await printFile(apart);
  assert.equal(own.map(({ layout }) => `${layout}\n\napart;\n`).join("\n"), expected);
  return own.length;
}

test("interfaces of random schemas are laid out as prettier does it", async () => {
  let own = 0;
  let all = 0;
  for (let seed = 0; seed < 300; seed++) {
    const schema = new RandomSchemas(seed).schema();
    const mode = seed % 2 === 0 ? "arguments" : "value";
    const statements = emitTypes([{ typeName: "Value", schema, mode }], []).map(typeStructure);
    own += await countOwn(statements);
    all += statements.length;
  }
  assert.ok(own > all / 20, `${own} of ${all}`);
});

test("aliases are laid out as prettier does it, and all that fit on a line", async () => {
  const random = randomNumbers(5);
  const member = (): string => {
    const members = [
      "Forecast",
      "string[]",
      "null",
      "12",
      "-1.5",
      '"it\'s"',
      '"say \\"so\\""',
      "$_[][]",
    ];
    return members[random(members.length)]!;
  };
  const alias = (type: string, index: number): FileStatement => ({
    kind: StructureKind.TypeAlias,
    isExported: true,
    name: `Alias${index}`,
    type,
    docs:
      interfaceOf("", [], random(3) === 0 ? PAYLOADS[random(PAYLOADS.length)] : undefined).docs ??
      [],
  });
  const short = Array.from({ length: 300 }, (_, index) =>
    alias(Array.from({ length: 1 + random(3) }, member).join(" | "), index),
  );
  const own = await countOwn(short);
  assert.ok(own > 250, `${own} of ${short.length}`);
  const widths = Array.from({ length: 30 }, (_, index) => alias("T".repeat(70 + index), 0));
  await countOwn([...widths, alias(Array.from({ length: 20 }, member).join(" | "), 1)]);
  const other = [
    "{ [key: string]: string }",
    "(string | number)[]",
    "typeof x",
    "Record<string, T>",
  ];
  assert.is(await countOwn(other.map(alias)), 0);
});

test("interfaces with texts of all kinds are laid out as prettier does it", async () => {
  const random = randomNumbers(3);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const type = (depth: number): string =>
    pick([
      () => "string",
      () => "number[]",
      () => "Other[][]",
      () => '"it\'s" | "say \\"so\\"" | 1 | -1.5 | null',
      () => Array.from({ length: 1 + random(20) }, (_, index) => `"choice ${index}"`).join(" | "),
      () => `${"Long".repeat(1 + random(25))} | undefined`,
      () => "(string | number)[]",
      () => "Record<string, unknown>",
      () => "{}",
      () =>
        depth === 0
          ? "unknown"
          : `{\n/** ${pick(["one", "ünë", "漢字"])} */\na?: ${type(depth - 1)};\n"b c": ${type(depth - 1)};\n}${pick(["", "[]"])}`,
    ])();
  const statements = Array.from({ length: 600 }, (_, index) => {
    const properties = Array.from({ length: random(4) }, (_, at) => ({
      name: `${pick(["plain", "with-dash", "größe", "quo'te", 'quo"te'])}${at}`,
      type: type(2),
      optional: random(2) === 0,
      readonly: random(3) === 0,
      ...(random(2) === 0 && { docs: pick(PAYLOADS) + pick(["", "\n", "\n\nmore", " end"]) }),
    }));
    return interfaceOf(`Interface${index}`, properties, pick([undefined, "One.", "Two\nlines"]));
  });
  const own = await countOwn(statements);
  assert.ok(own > statements.length / 4, `${own} of ${statements.length}`);
});

test("constants are laid out as prettier does it", async () => {
  const entries = Array.from(
    { length: 9 },
    (_, index) => [`name${index}`, `value${index}`] as const,
  );
  const statements = entries.flatMap(([name, value], index) => [
    constant({ name, initializer: objectLiteral(entries.slice(index)) }),
    constant({ name, type: "Definition", initializer: writeLiteral({ [name]: [1, value] }) }),
    constant({ name, initializer: `"${value.repeat(index)}"`, docs: "A text." }),
    constant({
      name: name.repeat(index + 1),
      initializer: `${objectLiteral(entries)} satisfies { [Name in ${value}]: ${name}<Name> }`,
      exported: false,
    }),
  ]);
  assert.ok((await countOwn(statements)) > statements.length / 2);
});

test("the handlers of a few tools are laid out as prettier does it, whatever their number", async () => {
  const checks = ["ToolName", 'Exclude<ToolName, "fixed_one">'];
  const statements = Array.from({ length: 12 * 14 }, (_, index) => {
    const names = Array.from({ length: 1 + (index % 12) }, (_, at) =>
      `n${at}`.padEnd(index / 12, "x"),
    );
    const handlers = objectLiteral(names.map((name) => [name, name]));
    const named = `[Name in ${checks[index % 5 === 0 ? 1 : 0]}]`;
    const initializer = `${handlers} satisfies { ${named}: ToolHandler<Name> }`;
    return constant({ name: "handlers", initializer, exported: false });
  });
  assert.ok((await countOwn(statements)) > (statements.length * 3) / 4);
});

test("starter tests are laid out as prettier does it", async () => {
  const random = randomNumbers(5);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const value = (depth: number): JsonValue =>
    pick([
      () => pick(["text", "it's", 'say "so"', "long ".repeat(random(20)), ...PAYLOADS]),
      () => pick([0, -1.5, 1e21, true, null]),
      () => Array.from({ length: depth === 0 ? 0 : random(4) }, () => value(depth - 1)),
      () => record(depth),
    ])();
  const record = (depth: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: depth === 0 ? 0 : random(6) }, (_, index) => [
        pick(["city", "b c", "größe", "n".repeat(1 + random(40))]) + index,
        value(depth - 1),
      ]),
    );
  const statements = Array.from({ length: 900 }, () => {
    const title = writeString(`${"t".repeat(random(50))}${pick(["", "", pick(PAYLOADS)])} answers`);
    const context = pick([
      "createTestContext()",
      'createTestContext(find, { answers: { a: "b" } })',
    ]);
    const callee = pick([`handle${"Thing".repeat(random(9))}`, 'completes["city name"]', "list"]);
    const first = pick([writeLiteral(record(3)), writeLiteral(record(3)), writeLiteral(value(1))]);
    return `await testOnceWritten(test, ${title}, async () => {
      const answer = await ${callee}(${pick([`${first}, `, `${first}, `, ""])}${context});
      assert.is.not(answer, undefined);
    });`;
  });
  const own = await countOwn([...statements, "test.run();"]);
  assert.ok(own > statements.length / 3, `${own} of ${statements.length}`);
});

test("imports and exports are laid out as prettier does it", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `name${"x".repeat(index)}`);
  const statements = names.flatMap((name, index) => [
    importOf("./module.js", names.slice(0, index)),
    importOf("./module.js", [`${name.repeat(12)}`]),
    importTypes("./module.js", names.slice(index)),
    importOf("../a/b.js", [`type ${name}`, `${name} as other`]),
    importNamespace("#validators", name),
    exportFrom("./module.js", names.slice(index)),
    exportFrom("./module.js", [name], true),
  ]);
  assert.ok((await countOwn(statements)) > statements.length / 2);
});

test.run();
