import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import type { JsonObject } from "../../model/json.js";
import { firstImport, updated } from "../../testing/harness/projects/imported-project.js";

const PETS = `openapi: 3.0.0
info: {title: Pets}
servers: [{url: https://pets.example}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List pets
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}
    post:
      operationId: createPet
      summary: Create a pet
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
      responses: {"201": {description: ok}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string}}}
`;

const schemaOf = (value: unknown): unknown => (value as { schemas: JsonObject }).schemas["Pet"];

test("a schema that would break a tool of the author stays, and all else is updated", () => {
  const first = firstImport(PETS);
  const mine = first.manifest.replace(
    / {4}outputSchema:[^]*?(?= {4}x-import:)/,
    `    http:
      upstream: pets
      path: /pets
      result: {select: "[].name", answerSchema: {type: array, items: {$ref: "#/schemas/Pet"}}}
`,
  );
  assert.is.not(mine, first.manifest);
  const changedDocument = PETS.replace("summary: List pets", "summary: List all pets")
    .replace("properties: {name:", "properties: {title:")
    .replace("required: [name]", "required: [title]");
  const result = updated({ ...first, manifest: mine }, changedDocument);
  assert.equal(result.codes, ["MW6149"]);
  assert.match(result.said, /the schema Pet does not .* the tool listPets .* no member "name"/);
  assert.equal(schemaOf(result.value), schemaOf(parse(mine)));
  assert.equal(result.update.updated, ["listPets", "createPet"]);
  assert.match(result.manifest, "title: List all pets");
  const again = updated(result, changedDocument);
  assert.equal([again.codes, again.manifest], [["MW6149"], result.manifest]);
  const changedByHand = result.manifest
    .replace(/^schemas:[^]*?(?=^tools:)/m, (text) => text.replaceAll("name", "title"))
    .replace('"[].name"', '"[].title"');
  const after = updated({ ...result, manifest: changedByHand }, changedDocument);
  assert.equal([after.codes, after.manifest], [[], changedByHand]);
});

test.run();
