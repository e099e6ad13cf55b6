import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { commandLinePlace } from "../model/catalogue/command-line.js";
import type { JsonObject } from "../model/json.js";
import { importOpenApi } from "./import-openapi.js";
import { readJoinedDocument } from "./joined-document.js";

type Files = Readonly<Record<string, string>>;

/** Imports `specs/api.yaml` from a folder with these files. */
function imported(files: Files) {
  const asked: string[] = [];
  const read = readJoinedDocument("specs/api.yaml", Buffer.from(files["api.yaml"] ?? ""), {
    read: (path) => {
      asked.push(path);
      return Object.hasOwn(files, path) ? Buffer.from(files[path] ?? "") : undefined;
    },
  });
  if ("problem" in read) return { manifest: {}, diagnostics: [read.problem], asked };
  const { manifest = "{}", diagnostics } = importOpenApi(read.document, {
    selection: { tags: [], paths: [], methods: [], operations: [], exclude: [] },
    withOutput: true,
    recordedPath: "specs/api.yaml",
    place: commandLinePlace(0),
  });
  return { manifest: parse(manifest) as JsonObject, diagnostics, asked };
}

const HEAD = "openapi: 3.1.0\ninfo: {title: Pets}\nservers: [{url: https://pets.example}]\n";

const PETS: Files = {
  "api.yaml": `${HEAD}paths:
  /pets/{id}: { $ref: paths/pet.yaml }
  /status: { get: { operationId: status, responses: {} } }
components:
  schemas:
    Animal: { $ref: "schemas/pet.yaml" }
`,
  "paths/pet.yaml": `parameters: [{ $ref: "../parameters.json#/id" }]
get:
  operationId: getPet
  responses:
    "200": { content: { application/json: { schema: { $ref: ../schemas/pet.yaml } } } }
put:
  operationId: putPet
  requestBody: { content: { application/json: { schema: { $ref: "../schemas/order%20form.yaml#/Form" } } } }
  responses: {}
`,
  "parameters.json":
    '{"id": {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}}',
  "schemas/pet.yaml": `type: object
properties:
  name: { type: string, example: { $ref: nothing.yaml } }
  owner: { $ref: owner.yaml }
  friends: { type: array, items: { $ref: "#" } }
  example: { $ref: ../api.yaml#/components/schemas/Animal }
`,
  "schemas/owner.yaml":
    "type: object\nproperties: { pets: { type: array, items: { $ref: pet.yaml } } }\n",
  "schemas/order form.yaml":
    "Form: { type: object, properties: { size: { $ref: '#/Size' } } }\nSize: { enum: [s, m] }\n",
};

test("a document can consist of several files that refer to each other in circles", () => {
  const { manifest, diagnostics, asked } = imported(PETS);
  assert.equal(diagnostics, []);
  const tools = manifest["tools"] as JsonObject[];
  assert.equal(
    tools.map(({ name }) => name),
    ["getPet", "putPet", "status"],
  );
  const [get, put] = tools;
  assert.equal(get?.["outputSchema"], { $ref: "#/schemas/Animal" });
  const input = put?.["inputSchema"] as { readonly properties: object };
  assert.equal(input.properties, {
    id: { type: "integer" },
    size: { $ref: "#/schemas/SizeInput" },
  });
  const schemas = manifest["schemas"] as JsonObject;
  assert.equal(Object.keys(schemas), ["Animal", "SizeInput", "owner"]);
  assert.equal((schemas["Animal"] as { properties: object }).properties, {
    name: { type: "string" },
    owner: { $ref: "#/schemas/owner" },
    friends: { type: "array", items: { $ref: "#/schemas/Animal" } },
    example: { $ref: "#/schemas/Animal" },
  });
  assert.equal(asked.sort(), [
    "parameters.json",
    "paths/pet.yaml",
    "schemas/order form.yaml",
    "schemas/owner.yaml",
    "schemas/pet.yaml",
  ]);
});

const withReference = (reference: string): string =>
  `${HEAD}paths:
  /status: { get: { operationId: status, responses: {} } }
  /bad:
    post:
      requestBody: { content: { application/json: { schema: { $ref: "${reference}" } } } }
      responses: {}
`;

for (const [what, reference, message] of [
  ["a file that is not there", "gone.yaml#/Pet", /refers to gone\.yaml#\/Pet, which is not there/],
  [
    "a place that is not there",
    "other.yaml#/Pet",
    /refers to other\.yaml#\/Pet, which is not there/,
  ],
  ["a file above the folder", "../other.yaml", /a file outside of the document's folder/],
  ["a file by an absolute path", "/etc/passwd", /a file outside of the document's folder/],
  ["a file of Windows", "..\\\\other.yaml", /a file outside of the document's folder/],
  [
    "a way that leads out by its encoding",
    "%2e%2e/other.yaml",
    /a file outside of the document's folder/,
  ],
  ["a file by its address", "file:///etc/passwd", /another address/],
] as const) {
  test(`a body that needs ${what} is not described, and its place is reported`, () => {
    const { manifest, diagnostics, asked } = imported({
      "api.yaml": withReference(reference),
      "other.yaml": "Owner: { type: object }\n",
    });
    const [status, bad] = manifest["tools"] as { name: string; inputSchema: JsonObject }[];
    assert.is(status?.name, "status");
    assert.equal(bad?.inputSchema["properties"], { body: {} });
    const [problem] = diagnostics;
    assert.match(problem?.message ?? "", message);
    assert.equal([problem?.file, problem?.line], ["specs/api.yaml", 8]);
    assert.ok(
      asked.every((path) => /^(?:gone|other)\.yaml$/.test(path)),
      asked.join(),
    );
  });
}

test("a problem in another file is reported at its place there", () => {
  const { diagnostics: bad } = imported({
    "api.yaml": withReference("models/other.yaml#/Pet"),
    "models/other.yaml": "Pet:\n  type: object\n  properties: {a: {type: bogus}}\n",
  });
  assert.match(bad[0]?.message ?? "", /unknown type \("bogus"\) \(models\/other\.yaml#\/Pet/);
  assert.equal([bad[0]?.file, bad[0]?.line], ["specs/models/other.yaml", 3]);
  const { manifest, diagnostics: broken } = imported({
    "api.yaml": withReference("models/other.yaml#/Pet"),
    "models/other.yaml": "Pet:\n  type: [object\n",
  });
  assert.equal(manifest, {});
  assert.match(broken[0]?.message ?? "", /cannot be read as YAML/);
  assert.is(broken[0]?.file, "specs/models/other.yaml");
});

test("a document of endlessly many files is refused", () => {
  const read = readJoinedDocument("api.yaml", Buffer.from(withReference("0.yaml")), {
    read: (path) =>
      Buffer.from(`type: object\nproperties: {a: {$ref: ${Number.parseInt(path) + 1}.yaml}}`),
  });
  assert.match("problem" in read ? read.problem.message : "", /2000 files/);
});

test.run();
