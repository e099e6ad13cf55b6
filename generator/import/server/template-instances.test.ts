import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { commandLinePlace } from "../../model/catalogue/command-line.js";
import type { JsonObject } from "../../model/json.js";
import { importServer } from "./import-server.js";

const resources = [
  { uri: "desk://summary", name: "summary" },
  { uri: "incident://INC-1", name: "Slow", title: "Incident" },
  { uri: "incident://INC-2", name: "Down", title: "Incident" },
  { uri: "book://db/a%2Fb", name: "encoded" },
];
const resourceTemplates = [
  { uriTemplate: "incident://{id}", name: "incident" },
  { uriTemplate: "desk://summary{?team}", name: "team" },
  { uriTemplate: "book://{team}/{name}", name: "book" },
];

interface Imported {
  readonly resources: readonly unknown[];
  readonly templates: readonly unknown[];
  readonly lists: readonly unknown[];
  readonly bodies: readonly unknown[];
  readonly messages: readonly string[];
}

function imported(
  listed: JsonObject[],
  { findsInstances = true, isProxy = false, listedTemplates = resourceTemplates },
): Imported {
  const { manifest = "", diagnostics } = importServer(
    {
      about: { name: "desk", version: "1.0.0" },
      capabilities: {},
      lists: { tools: [], resources: listed, resourceTemplates: listedTemplates, prompts: [] },
    },
    {
      transport: "stdio",
      place: commandLinePlace(0),
      findsInstances,
      ...(isProxy && {
        proxy: {
          upstream: "far",
          manifestKeys: { upstreams: { far: { mcp: { command: ["far"] } } } },
        },
      }),
    },
  );
  const { resources: kept = [], resourceTemplates: templates = [] } = parse(manifest) as Record<
    string,
    JsonObject[]
  >;
  return {
    resources: kept.map(({ name }) => name),
    templates: templates.map(({ name }) => name),
    lists: templates.map(({ list }) => list),
    bodies: templates.map(({ mcp }) => mcp),
    messages: diagnostics.map(({ message }) => message),
  };
}

test("listed resources that fit a template become its instances, which code lists", () => {
  const found = imported(resources, {});
  assert.equal(found.resources, ["summary", "encoded"]);
  assert.equal(found.lists, ["code", undefined, undefined]);
  assert.equal(found.messages, [
    'resource template "incident": 2 listed resources fit it, "incident://INC-1" first, are left out, and come from `list: code` here',
  ]);
});

test("one instance is named", () => {
  assert.equal(imported(resources.slice(0, 2), {}).messages, [
    'resource template "incident": the listed resource "incident://INC-1" fits it, is left out, and comes from `list: code` here',
  ]);
});

test("a template keeps the name that its instances have", () => {
  const files = [1, 2, 3].map((id) => ({ uri: `user://${id}`, name: "user" }));
  const listedTemplates = [{ uriTemplate: "user://{id}", name: "user" }];
  const found = imported(files, { listedTemplates });
  assert.equal(found.resources, []);
  assert.equal(found.templates, ["user"]);
  assert.equal(found.messages, [
    'resource template "user": 3 listed resources fit it, "user://1" first, are left out, and come from `list: code` here',
  ]);
});

test("a resource that fits a template and states another MIME type is one of its own", () => {
  const listedTemplates = [{ uriTemplate: "a://{id}", name: "one", mimeType: "text/plain" }];
  const listed = [
    { uri: "a://1", name: "json", mimeType: "application/json" },
    { uri: "a://2", name: "plain", mimeType: "text/plain", description: "Plain." },
    { uri: "a://3", name: "unstated" },
  ];
  const found = imported(listed, { listedTemplates });
  assert.equal(found.resources, ["json"]);
  assert.equal(found.lists, ["code"]);
});

test("the only resource that fits a template is one of its own if it has its own description", () => {
  const listedTemplates = [{ uriTemplate: "a://{id}", name: "one", description: "Any." }];
  const listed = { uri: "a://1", name: "app", description: "Mine." };
  const found = imported([listed], { listedTemplates });
  assert.equal(found.resources, ["app"]);
  assert.equal(found.lists, [undefined]);
  assert.equal(found.messages, []);
  const same = imported([{ ...listed, description: "Any." }], { listedTemplates });
  assert.equal(same.resources, []);
  const two = imported([listed, { ...listed, uri: "a://2" }], { listedTemplates });
  assert.equal(two.resources, []);
});

test("a proxy keeps instances, and says that it lists no later ones", () => {
  const found = imported(resources, { isProxy: true });
  assert.equal(found.resources, ["summary", "Slow", "Down", "encoded"]);
  assert.equal(found.lists, [undefined, undefined, undefined]);
  assert.equal(found.bodies, [{ upstream: "far" }, { upstream: "far" }, { upstream: "far" }]);
  assert.equal(found.messages, [
    'resource template "incident": 2 listed resources fit it, "incident://INC-1" first: the proxy lists these, and none that comes later',
  ]);
});

test("instances are kept where lists are compared", () => {
  const found = imported(resources, { findsInstances: false });
  assert.equal(found.resources, ["summary", "Slow", "Down", "encoded"]);
  assert.equal(found.messages, []);
});

test.run();
