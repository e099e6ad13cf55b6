import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import { caller, refusal, sampleEngine } from "../samples/engine.js";
import { erased, sampleServer } from "../samples/server.js";
import { restrict } from "../restrict.js";

/** Resources of which some are off: for all callers, or for one. */

const read = erased((input) => JSON.stringify(input));
let listings = 0;

function template(name: string, group: string) {
  return {
    definition: { uriTemplate: `x://${name}/{id}`, name },
    parts: [
      { kind: "literal", text: `x://${name}/` },
      { kind: "expression", operator: "", names: ["id"], explode: false },
    ],
    groups: [group],
    handler: () => read,
    list: () => () => {
      listings += 1;
      return [{ name: `${name} one`, variables: { id: "1" } }];
    },
  } as const;
}

const any = {
  definition: { uriTemplate: "x://{+all}", name: "any" },
  parts: [
    { kind: "literal", text: "x://" },
    { kind: "expression", operator: "+", names: ["all"], explode: false },
  ],
  groups: ["files"],
  handler: () => read,
} as const;

const whole = {
  tools: [],
  prompts: [],
  resources: [{ definition: { uri: "x://secret", name: "secret" }, text: "s", groups: ["admin"] }],
  resourceTemplates: [template("vault", "admin"), template("open", "files"), any],
};
const base: ServerDefinition = { ...sampleServer, ...whole };

/** What is left for all callers, or for one whose scopes leave no more. */
const ways: Readonly<Record<string, ReturnType<typeof sampleEngine>>> = {
  "of a server": sampleEngine({
    ...base,
    resources: [],
    resourceTemplates: whole.resourceTemplates.slice(1),
    whole,
  }),
  "of a caller": sampleEngine({ ...base, ...restrict({ groups: { scopePrefix: "g:" } })(base) }),
};
const sender = { ...caller, authentication: { principal: "ada", scopes: ["g:files"] } };

for (const [whose, engine] of Object.entries(ways)) {
  test(`among the resources ${whose}, another template does not take the place of one that is off`, async () => {
    for (const uri of ["x://secret", "x://vault/1"]) {
      const message = await refusal(-32602, () => engine.resources.read({ uri }, sender));
      assert.match(message, "not found");
    }
    for (const uri of ["x://open/1", "x://other"]) {
      assert.ok((await engine.resources.read({ uri }, sender)).contents.length > 0);
    }
  });

  test(`among the resources ${whose}, the instances of a template that is off are not even looked for`, async () => {
    listings = 0;
    const { resources } = await engine.resources.list({}, sender);
    assert.equal(
      resources.map(({ uri }) => uri),
      ["x://open/1"],
    );
    assert.is(listings, 1);
  });
}

test.run();
