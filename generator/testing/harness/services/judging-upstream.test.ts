import { test } from "uvu";
import * as assert from "uvu/assert";
import { JudgingUpstream, type JudgedRequest } from "./judging-upstream.js";

/** The judge of imported requests: what it lets pass, and what not. */

const TEXT = { type: "string" };

const DOCUMENT = {
  openapi: "3.0.0",
  info: { title: "Shelves", version: "1.0.0" },
  paths: {
    "/shelves/": { get: { operationId: "shelves", responses: {} } },
    "/shelves/{id}": {
      parameters: [
        { name: "id", in: "path", required: true, schema: { ...TEXT, pattern: "^[a-z\\-\\:]+$" } },
        { name: "key", in: "query", explode: false, schema: TEXT },
      ],
      get: { responses: { "2XX": {} } },
      put: null,
      delete: { operationId: "shelves", responses: {} },
    },
    "/other": {
      get: {
        operationId: "other",
        parameters: [{ $ref: "#/paths/~1shelves~1{id}/parameters/1" }],
        responses: {},
      },
    },
    "/broken": {
      get: {
        operationId: "broken",
        parameters: [{ name: "a", in: "query", schema: { ...TEXT, required: true } }],
        responses: {},
      },
    },
  },
};

/** What is said of a request: the operation, and problems. */
async function judged(method: string, path: string): Promise<JudgedRequest | undefined> {
  const upstream = new JudgingUpstream(DOCUMENT, "/api/v1");
  const url = await upstream.start();
  try {
    await (await fetch(`${url}/api/v1${path}`, { method })).text();
    return upstream.requests.at(-1);
  } finally {
    upstream.stop();
  }
}

const RIGHT: readonly (readonly [
  method: string,
  path: string,
  operation: string,
  cause: string,
])[] = [
  ["GET", "/shelves/", "shelves", "a path that ends with a slash"],
  [
    "GET",
    "/shelves/a-b",
    "GET /shelves/{id}",
    "no operationId, and a pattern with needless escapes",
  ],
  ["DELETE", "/shelves/a", "DELETE /shelves/{id}", "an operationId that another operation has"],
  ["GET", "/shelves/a?key=b,c", "GET /shelves/{id}", "a plain value that is not exploded"],
  ["GET", "/other?key=b", "other", "a reference with an escaped slash"],
];

for (const [method, path, operation, cause] of RIGHT) {
  test(`${cause}: the request is matched with its operation`, async () => {
    const request = await judged(method, path);
    assert.equal([request?.operation, request?.problems], [operation, []]);
  });
}

test("an unknown path, a value against its schema and a broken schema are reported as problems", async () => {
  assert.equal((await judged("GET", "/shelves"))?.problems, ["no operation has this path"]);
  assert.match((await judged("GET", "/shelves/A"))?.problems[0] ?? "", '"keyword":"pattern"');
  assert.match((await judged("GET", "/broken?a=b"))?.problems[0] ?? "", "required must be array");
});

test.run();
