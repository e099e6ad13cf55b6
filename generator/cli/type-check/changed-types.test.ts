import { test } from "uvu";
import * as assert from "uvu/assert";
import { changedTypes, mentions } from "./changed-types.js";

const module = `export interface Env {
  /** Where */
  readonly HOME: string;
  readonly LIMIT?: number;
}

export interface ServerControls {
  readonly tools: ItemSwitches<"close">;
}

export type Context = HandlerContext<Env, Services>;

export interface ToolInputs {
  find: FindInput;
  "lend.it": LendInput;
}

export type ToolInput<Name extends keyof ToolInputs> = ToolInputs[Name];

export interface Book {
  title: string;
}

export interface FindInput {
  query: string;
}

export interface LendInput {
  book: Book;
}
`;

function changed(...[from, to]: [string, string]): { names: string[]; texts: string[] } {
  assert.ok(module.includes(from));
  const { names, texts } = changedTypes(module, module.replace(from, to));
  return { names: [...names].sort(), texts: [...texts].sort() };
}

test("declarations that change, declarations that mention them, and their entries in tables are found", () => {
  assert.equal(changed("query: string", "query: number"), {
    names: ["FindInput"],
    texts: ["find"],
  });
  assert.equal(changed("title: string", "title: number"), {
    names: ["Book", "LendInput"],
    texts: ["lend.it"],
  });
});

test("declarations that are removed or renamed are found", () => {
  assert.equal(changed("  find: FindInput;\n", ""), { names: [], texts: ["find"] });
  const renamed = changedTypes(module, module.replaceAll("Book", "Volume"));
  assert.equal([...renamed.names].sort(), ["Book", "LendInput"]);
});

test("declarations that mention each other in a chain are found, however many there are", () => {
  const link = (index: number) =>
    `export interface Link${index} {\n  next: Link${index + 1};\n}\n\n`;
  const chain = Array.from({ length: 40 }, (_, index) => link(index)).join("");
  const other = "export interface Link40Other {\n  text: string;\n}\n\n";
  const end = "export interface Link40 {\n  text: string;\n}\n";
  const [before, after] = [end, end.replace("string", "number")].map((it) => chain + other + it);
  const { names } = changedTypes(before!, after!);
  assert.equal([...names].sort(), Array.from({ length: 41 }, (_, index) => `Link${index}`).sort());
});

test("changed environment variables and switches are found", () => {
  assert.equal(changed("readonly LIMIT?: number", "readonly LIMIT?: string"), {
    names: ["Context", "Env", "LIMIT"],
    texts: [],
  });
  assert.equal(changed('<"close">', "<never>"), {
    names: ["ServerControls"],
    texts: ["close", "tools"],
  });
});

test("changed comments and new declarations affect nothing", () => {
  assert.equal(changed("/** Where */", "/** Where it is */"), { names: [], texts: [] });
  assert.equal(changed("  find: FindInput;\n", "  find: FindInput;\n  more: MoreInput;\n"), {
    names: [],
    texts: [],
  });
  const next = `// Generated.\n\nimport type { Book } from "./books.ts";\n\nconst tool = define(1);\n`;
  const { names } = changedTypes(`${module}\n${next}`, `${module}\n${next.replace("1", "2")}`);
  assert.equal([...names], [], "other statements are no part of a declaration");
  assert.equal([...changedTypes(`${module}\n${next}`, module).names], []);
});

test("a text mentions a name only as a whole word, and an item only in quotes", () => {
  const types = { names: new Set(["Book"]), texts: new Set(["find"]) };
  for (const text of ["type A = Book[];", 'ToolInput<"find">', "ctx.tools.enable('find')"]) {
    assert.ok(mentions(text, types), text);
  }
  for (const text of ["Books", "find()", 'x === "finder"']) {
    assert.not.ok(mentions(text, types), text);
  }
});

test.run();
