import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../model/json.js";
import {
  firstImport,
  OPEN,
  updated,
  type UpdatedProject,
} from "../../testing/harness/projects/imported-project.js";
import { nameOfOperation } from "../operations.js";

const PETS = `openapi: 3.0.0
info: {title: Pets}
servers: [{url: https://pets.example}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List pets
      parameters:
        - {name: limit, in: query, description: How many, schema: {type: integer, maximum: 100}}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}
    post:
      operationId: createPet
      summary: Create a pet
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
      responses: {"201": {description: ok}}
  /pets/{id}:
    get:
      operationId: getPet
      summary: One pet
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
    delete:
      operationId: deletePet
      summary: Delete a pet
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: ok}}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties: {name: {type: string}, tag: {type: string}}
`;

type Edit = (text: string) => string;
const replace =
  (from: string | RegExp, to: string): Edit =>
  (text) => {
    const result = text.replace(from, to);
    assert.is.not(result, text, `${String(from)} is in\n${text}`);
    return result;
  };

const toolNamed = ({ value }: { value: JsonObject }, name: string): JsonObject | undefined =>
  (value["tools"] as JsonObject[]).find((tool) => tool["name"] === name);

const pathOf = (result: { value: JsonObject }, tool: string): unknown =>
  (toolNamed(result, tool)?.["http"] as JsonObject | undefined)?.["path"];

test("the same document again changes nothing", () => {
  const first = firstImport(PETS);
  const again = updated(first, PETS);
  assert.is(again.manifest, first.manifest);
  assert.is(again.record, first.record);
  assert.equal(again.codes, []);
  assert.equal([again.update.updated, again.update.added, again.update.offered], [[], [], []]);
});

test("changes of only the document are imported, and changes of only the author are kept", () => {
  const first = firstImport(PETS);
  const mine = replace("description: One pet", "description: My own words # mine")(first.manifest);
  const changedDocument = replace(
    "summary: List pets",
    "summary: List all pets",
  )(replace("maximum: 100", "maximum: 50")(PETS));
  const result = updated({ ...first, manifest: mine }, changedDocument);
  assert.equal(result.codes, []);
  assert.is(
    result.manifest,
    mine.replaceAll("List pets", "List all pets").replace("maximum: 100", "maximum: 50"),
  );
  assert.equal(result.update.updated, ["listPets"]);
});

test("a field that both changed keeps the author's value, and is reported once at its place", () => {
  const first = firstImport(PETS);
  const mine = replace("maximum: 100", "maximum: 10")(first.manifest);
  const changedDocument = replace("maximum: 100", "maximum: 50")(PETS);
  const result = updated({ ...first, manifest: mine }, changedDocument);
  assert.is(result.manifest, mine);
  assert.equal(result.codes, ["MW6140"]);
  assert.match(
    result.said,
    "tools.listPets.inputSchema.properties.limit.maximum was changed here and in the document; yours stays, the document's is now 50 (before: 100)",
  );
  const line = mine.split("\n").findIndex((text) => text.includes("maximum: 10")) + 1;
  assert.is(result.update.diagnostics[0]?.line, line);
  assert.equal(updated(result, changedDocument).codes, []);
});

test("the schema of an answer follows the document where the author selects from the answer", () => {
  const first = firstImport(PETS);
  const body = `    http:
      upstream: pets
      path: /pets
      result: {select: "[].name", answerSchema: {type: array, items: {$ref: "#/schemas/Pet"}}}
`;
  const mine = replace(
    / {4}outputSchema: .*\n {4}http: \{upstream: pets, path: \/pets\}\n/,
    body,
  )(first.manifest);
  const same = updated({ ...first, manifest: mine }, PETS);
  assert.equal([same.manifest, same.codes], [mine, []]);
  const shorter = replace("schema: {type: array,", "schema: {type: array, maxItems: 5,")(PETS);
  const result = updated({ ...first, manifest: mine }, shorter);
  assert.equal(result.codes, []);
  const tool = toolNamed(result, "listPets");
  assert.is(tool?.["outputSchema"], undefined);
  assert.equal((tool?.["http"] as JsonObject)["result"], {
    select: "[].name",
    answerSchema: { type: "array", maxItems: 5, items: { $ref: "#/schemas/Pet" } },
  });
});

test("a shared schema that the author no longer uses goes with --prune, unless it was changed", () => {
  const first = firstImport(PETS);
  const mine = replace(/ {4}outputSchema: .*\n/, "")(first.manifest);
  const kept = updated({ ...first, manifest: mine }, PETS);
  assert.is(kept.manifest, mine);
  const pruned = updated(kept, PETS, { isPruning: true });
  assert.equal(pruned.codes, []);
  assert.not.ok(/^ {2}Pet:/m.test(pruned.manifest), pruned.manifest);
  assert.is(updated(pruned, PETS).manifest, pruned.manifest);
  const own = replace("schemas:\n", 'schemas:\n  Mine: {allOf: [{$ref: "#/schemas/Pet"}]}\n')(mine);
  const stillUsed = updated({ ...first, manifest: own }, PETS, { isPruning: true });
  assert.equal([stillUsed.codes, stillUsed.manifest], [[], own]);
  const changed = replace("tag: {type: string}", "tag: {type: number}")(mine);
  const changedAndPruned = updated({ ...first, manifest: changed }, PETS, { isPruning: true });
  assert.is(changedAndPruned.manifest, changed);
});

test("an operation with the same operationId at another path is the same one", () => {
  const first = firstImport(PETS);
  const mine = replace("name: getPet", "name: pet")(first.manifest);
  const changedDocument = replace("  /pets/{id}:", "  /v2/animals/{id}:")(PETS);
  const result = updated({ ...first, manifest: mine }, changedDocument);
  assert.equal(result.codes, []);
  assert.is(
    result.manifest,
    mine
      .replaceAll('path: "/pets/{{id}}"', 'path: "/v2/animals/{{id}}"')
      .replaceAll(' /pets/{id}"', ' /v2/animals/{id}"'),
  );
  assert.is(updated(result, changedDocument).manifest, result.manifest);
  const gone = replace("operationId: getPet", "operationId: getAnimal")(changedDocument);
  assert.equal(updated({ ...first, manifest: mine }, gone).codes, ["MW6141"]);
});

test("an operationId says where an operation has moved, also if another one has a path of the same form", () => {
  const first = firstImport(PETS);
  const get = (id: string, name: string): string => `    get:
      operationId: ${id}
      summary: One pet
      parameters: [{name: ${name}, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
`;
  const withoutGet = replace(get("getPet", "id"), "")(PETS);
  const byName = `  /pets/{name}:\n${get("findPetByName", "name")}`;
  const inDocument = (paths: string) =>
    replace("components:\n", `${paths}components:\n`)(withoutGet);
  const moved = updated(first, inDocument(`${byName}  /v2/pets/{id}:\n${get("getPet", "id")}`));
  assert.is(pathOf(moved, "getPet"), "/v2/pets/{{id}}");
  assert.is(toolNamed(moved, "findPetByName"), undefined);
  assert.not.match(moved.manifest, "renamedFrom");
  const post = get("getPet", "id").replace("get:", "post:");
  const elsewhere = updated(first, inDocument(`${byName}  /v2/pets/{id}:\n${post}`));
  assert.equal([pathOf(elsewhere, "getPet"), elsewhere.codes], ["/pets/{{id}}", ["MW6141"]]);
  const swapped = replace(
    "components:\n",
    `  /pets/{name}:\n${get("listPets", "name")}components:\n`,
  )(withoutGet.replace(/ {4}get:\n(?: {6}.*\n)*(?= {4}post:)/, ""));
  const taken = updated(first, swapped);
  assert.is(pathOf(taken, "listPets"), "/pets/{{name}}");
  assert.is(pathOf(taken, "getPet"), "/pets/{{id}}");
});

test("a second document that the manifest names with a selection is imported at once", () => {
  const first = firstImport(PETS);
  const named = replace(
    "{pets: {openapi: pets.yaml}}",
    "{shop: {openapi: pets.yaml, select: {operation: [listPets]}}, pets: {openapi: pets.yaml}}",
  )(first.manifest);
  const mine = replace("- name: listPets", "- name: pets_of_pets")(named);
  const result = updated({ ...first, manifest: mine }, PETS);
  assert.equal([result.codes, result.update.added], [[], ["listPets"]]);
  assert.equal(result.update.offered, []);
  const again = updated(result, PETS);
  assert.equal([again.codes, again.manifest], [[], result.manifest]);
  const tool = toolNamed(result, "listPets");
  assert.equal(tool?.["x-import"], { from: "shop", at: "GET /pets" });
  assert.equal((tool?.["http"] as JsonObject)["upstream"], "shop");
});

test("a new operation is only offered, until it is named or selected; then its tool follows the document's order", () => {
  const first = firstImport(PETS);
  const changedDocument = replace(
    "  /pets/{id}:\n",
    `  /pets/count:
    get: {operationId: countPets, summary: Count, tags: [count], responses: {}}
$&`,
  )(PETS);
  const offered = updated(first, changedDocument);
  assert.is(offered.manifest, first.manifest);
  assert.equal(offered.update.offered.map(nameOfOperation), ["GET /pets/count"]);
  assert.equal(updated(offered, changedDocument).update.offered, []);
  const names = (result: UpdatedProject) =>
    (result.value["tools"] as JsonObject[]).map(({ name }) => name);
  const order = ["listPets", "createPet", "countPets", "getPet", "deletePet"];
  const named = updated(first, changedDocument, {
    selection: { ...OPEN, operations: ["countPets"] },
  });
  assert.equal(names(named), order);
  assert.equal(named.update.added, ["countPets"]);
  const select = replace("{openapi: pets.yaml}", "{openapi: pets.yaml, select: {tag: count}}");
  const selected = updated({ ...first, manifest: select(first.manifest) }, changedDocument);
  assert.equal(names(selected), order);
});

test("a name in the manifest's selection that the document does not have is reported where it stands", () => {
  const first = firstImport(PETS);
  const select = replace(
    "{openapi: pets.yaml}",
    "{openapi: pets.yaml, select: {tag: count, path: ['/pets', '/pet/*'], exclude: getPets}}",
  )(first.manifest);
  const result = updated({ ...first, manifest: select }, PETS);
  assert.equal(result.codes, ["MW6148", "MW6148", "MW6148"]);
  assert.is(result.manifest, select, "a warning holds nothing back");
  const line = select.split("\n").findIndex((text) => text.includes("select:")) + 1;
  assert.equal(result.said.split("\n"), [
    `${line}: the document has no tag "count"`,
    `${line}: the document has no path "/pet/*"; did you mean "/pets" or "/pets/{id}"?`,
    `${line}: the document has no operation "getPets"; did you mean "getPet"?`,
  ]);
  assert.equal(
    result.update.diagnostics.map(({ column }) => select.split("\n")[line - 1]?.slice(column - 1)),
    [
      "count, path: ['/pets', '/pet/*'], exclude: getPets}}}",
      "'/pet/*'], exclude: getPets}}}",
      "getPets}}}",
    ],
  );
});

test("a tool that the author deleted stays deleted until it is named", () => {
  const first = firstImport(PETS, { ...OPEN, paths: ["/**"] });
  const mine = first.manifest.replace(/\n\n  - name: deletePet[^]*$/, "\n");
  const stated = replace(
    "{openapi: pets.yaml}",
    "{openapi: pets.yaml, select: {path: '/**'}}",
  )(mine);
  const changedDocument = replace("Delete a pet", "Remove a pet")(PETS);
  const result = updated({ ...first, manifest: stated }, changedDocument, {
    selection: { ...OPEN, paths: ["/**"] },
  });
  assert.is(result.manifest, stated);
  assert.is(updated(result, changedDocument).manifest, stated);
  const named = updated(result, changedDocument, {
    selection: { ...OPEN, operations: ["deletePet"] },
  });
  assert.is(toolNamed(named, "deletePet")?.["description"], "Remove a pet");
});

test("a tool whose operation was removed stays with a warning until --prune", () => {
  const first = firstImport(PETS);
  const changedDocument = PETS.replace(/    delete:\n[^]*?(?=components)/, "");
  const result = updated(first, changedDocument);
  assert.is(result.manifest, first.manifest);
  assert.equal(result.codes, ["MW6141"]);
  const pruned = updated(result, changedDocument, { isPruning: true });
  assert.is(toolNamed(pruned, "deletePet"), undefined);
  assert.equal(pruned.update.pruned, ["deletePet"]);
  assert.ok(first.manifest.startsWith(pruned.manifest.trimEnd()));
});

test("a changed operationId renames the tool, unless the author renamed it", () => {
  const first = firstImport(PETS);
  const changedDocument = replace("operationId: getPet", "operationId: fetchPet")(PETS);
  const renamed = updated(first, changedDocument);
  assert.is(toolNamed(renamed, "fetchPet")?.["renamedFrom"], "getPet");
  assert.is(updated(renamed, changedDocument).manifest, renamed.manifest, "it is said once");
  const mine = replace("name: getPet", "name: pet")(first.manifest);
  const result = updated({ ...first, manifest: mine }, changedDocument);
  assert.is(result.manifest, mine);
  assert.equal(result.codes, ["MW6140"]);
});

test("a tool that is renamed again has all its former names, and none that a tool has now", () => {
  const named = (id: string) => replace("operationId: getPet", `operationId: ${id}`)(PETS);
  const first = firstImport(PETS);
  const twice = updated(updated(first, named("fetchPet")), named("readPet"));
  assert.equal(toolNamed(twice, "readPet")?.["renamedFrom"], ["getPet", "fetchPet"]);
  const back = updated(twice, PETS);
  assert.equal(toolNamed(back, "getPet")?.["renamedFrom"], ["fetchPet", "readPet"]);
  const swapped = PETS.replace("operationId: getPet", "operationId: x")
    .replace("operationId: deletePet", "operationId: getPet")
    .replace("operationId: x", "operationId: deletePet");
  const result = updated(first, swapped);
  assert.equal(result.codes, []);
  for (const name of ["getPet", "deletePet"]) {
    assert.not("renamedFrom" in (toolNamed(result, name) ?? {}), name);
  }
});

test("a renamed path parameter renames the argument of the same tool", () => {
  const first = firstImport(PETS);
  const mine = replace("description: One pet", "description: My own words")(first.manifest);
  const changedDocument = PETS.replaceAll("/pets/{id}", "/pets/{petId}").replaceAll(
    "{name: id,",
    "{name: petId,",
  );
  const result = updated({ ...first, manifest: mine }, changedDocument);
  assert.equal(result.codes, []);
  assert.equal([result.update.added, result.update.offered], [[], []]);
  assert.equal(toolNamed(result, "getPet"), {
    name: "getPet",
    title: "One pet",
    description: "My own words",
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: { petId: { type: "string" } },
      required: ["petId"],
      additionalProperties: false,
    },
    http: { upstream: "pets", path: "/pets/{{petId}}" },
    "x-import": { from: "pets", at: "GET /pets/{petId}" },
  });
  const again = updated(result, changedDocument);
  assert.is(again.manifest, result.manifest);
});

test("a deleted tool stays deleted if a parameter of its path is renamed", () => {
  const first = firstImport(PETS);
  const without = first.manifest.replace(/^ {2}- name: deletePet\n(?: {4}.*\n|\n(?= {4}))*/m, "");
  assert.is.not(without, first.manifest);
  const changedDocument = PETS.replaceAll("/pets/{id}", "/pets/{petId}").replaceAll(
    "{name: id,",
    "{name: petId,",
  );
  const result = updated({ ...first, manifest: without }, changedDocument);
  assert.equal([result.update.added, result.update.offered, result.codes], [[], [], []]);
  assert.is(toolNamed(result, "deletePet"), undefined);
});

test("shared schemas are merged by key, and are added and removed with the tools that use them", () => {
  const first = firstImport(PETS);
  const mine = replace(
    /(Pet:\n[^]*?tag: )\{type: string\}/,
    "$1{type: string, maxLength: 5}",
  )(first.manifest);
  const changedDocument = replace(
    "tag: {type: string}",
    "tag: {type: string}, owner: {$ref: '#/components/schemas/Owner'}",
  )(`${PETS}    Owner: {type: object, properties: {name: {type: string}}}\n`);
  const result = updated({ ...first, manifest: mine }, changedDocument);
  const { Pet, Owner } = result.value["schemas"] as Record<string, JsonObject>;
  assert.equal(Pet?.["properties"], {
    name: { type: "string" },
    tag: { type: "string", maxLength: 5 },
    owner: { $ref: "#/schemas/Owner" },
  });
  assert.ok(Owner);
  const back = updated(result, PETS);
  assert.equal(Object.keys(back.value["schemas"] as object), ["Pet"]);
  assert.is(back.manifest, mine);
});

test("a new argument is added to a request that the author has written out", () => {
  const first = firstImport(PETS);
  const mine = replace(
    /(http: \{upstream: pets, path: \/pets)\}/,
    '$1, query: {limit: "{{limit}}", fixed: "x"}}',
  )(first.manifest);
  const changedDocument = replace(
    "parameters:\n",
    "$&        - {name: page, in: query, schema: {type: integer}}\n",
  )(PETS);
  const result = updated({ ...first, manifest: mine }, changedDocument);
  const { http } = toolNamed(result, "listPets") as { http: JsonObject };
  assert.equal(http["query"], { limit: "{{limit}}", fixed: "x", page: "{{page}}" });
});

test("without a record nothing is overwritten, and the next import has a record", () => {
  const first = firstImport(PETS);
  const changedDocument = replace("maximum: 100", "maximum: 50")(PETS);
  const result = updated({ ...first, record: "{}" }, changedDocument);
  assert.is(result.manifest, first.manifest);
  assert.equal(result.codes, ["MW6146", "MW6140"]);
  const next = updated(result, replace("One pet", "A pet")(changedDocument));
  assert.is(next.manifest, first.manifest.replaceAll("One pet", "A pet"));
});

test("comments on changed values and line ends are kept", () => {
  const first = firstImport(PETS);
  const mine = replace(
    "title: One pet",
    "title: One pet # short",
  )(first.manifest).replaceAll("\n", "\r\n");
  const changedDocument = replace("summary: One pet", "summary: A pet")(PETS);
  const result = updated({ ...first, manifest: mine }, changedDocument);
  assert.is(result.manifest, mine.replaceAll("One pet", "A pet"));
});

test("records of two branches with different updates are merged, also from conflict markers", () => {
  const first = firstImport(PETS);
  const one = replace("maximum: 100", "maximum: 50")(PETS);
  const other = replace("maximum: 100", "maximum: 70")(PETS);
  const [left, right] = [updated(first, one), updated(first, other)];
  const record = `<<<<<<< a\n${left.record}=======\n${right.record}>>>>>>> b\n`;
  const same = updated({ manifest: left.manifest, record }, one);
  assert.is(same.manifest, left.manifest);
  assert.equal(same.codes, []);
  assert.is(same.record, left.record);
  const both = updated({ manifest: right.manifest, record }, one);
  assert.is(both.manifest, right.manifest);
  assert.equal(both.codes, ["MW6140"]);
});

test.run();
