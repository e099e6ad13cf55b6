import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { SkillFolder } from "../../skills/definition.js";
import { eras } from "../clients/connection.js";
import { expectCompletion } from "./completions.js";
import type { ResourceContract, ResourcesContract, TemplateContract } from "./resource-contract.js";
import { type TestedProject, type JsonObject, type ListSettings } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import {
  expectCacheHints,
  listedAtFirst,
  ProbedServer,
  type CreateServer,
  type SkippingRegistry,
  type TestRegistry,
} from "../clients/probed-server.js";
import { skip } from "../starter.js";

const resourceList = { method: "resources/list", key: "resources" };
const templatesList = { method: "resources/templates/list", key: "resourceTemplates" };

/** Registers the tests of all resources and templates: lists, contents, and which URIs match. */
export function testResources(
  test: SkippingRegistry,
  contract: ResourcesContract & { readonly project: TestedProject },
  createServer: CreateServer,
): void {
  const { list, templateList, resources, templates, unknown, settings, skills, project } = contract;
  const server = new ProbedServer(createServer);
  test.after(() => server.close());

  test("resources/list is what the manifest says", () => {
    const expected = listedAtFirst(list, resources);
    return skills === undefined
      ? server.expectList(resourceList, expected, settings)
      : expectBesideSkills(expected, skills, server);
  });
  for (const template of templates.filter(({ lists }) => lists)) {
    test(`the instances of ${shown(template.name)} are listed`, () =>
      expectListed(template, server));
  }
  test("resources/templates/list is what the manifest says", async () => {
    await server.expectList(templatesList, listedAtFirst(templateList, templates), settings);
    server.enable("resources", [...resources, ...templates]);
  });
  test("a resource that does not exist is refused", async () => {
    for (const uri of unknown) {
      const data = await server.expectInvalid("resources/read", { uri }, uri);
      expectEqual(data, { uri }, "data of the error");
    }
  });
  for (const resource of resources) {
    const title = `resource ${shown(resource.name)} can be read`;
    const { file, uri, isTooLong } = resource;
    if (isTooLong)
      skip(test, title, `its URI is too long: raise \`limits.uriLength\` to ${uri.length}`);
    else if (file !== undefined && !existsSync(fileUrl(file, project)))
      skip(test, title, `there is no ${file}: put one there`);
    else test(title, () => expectContents(resource, settings, server, project));
  }
  for (const template of templates) testTemplate(test, template, settings, server);
}

/** Checks the list of resources of a server that adds the texts of skills to it. */
async function expectBesideSkills(
  expected: readonly JsonObject[],
  skills: readonly SkillFolder[],
  server: ProbedServer,
): Promise<void> {
  const isOfSkill = ({ uri }: JsonObject): boolean =>
    skills.some(({ template }) => String(uri).startsWith(`skill://${template}/`));
  for (const era of eras) {
    const listed = await server.listAll(resourceList, era);
    const stated = listed.filter((resource) => !isOfSkill(resource));
    expectEqual(stated, [...expected], `resources/list (${era})`);
  }
}

function fileUrl(path: string, { folder }: TestedProject): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), folder);
}

async function expectContents(
  resource: ResourceContract,
  settings: ListSettings,
  server: ProbedServer,
  project: TestedProject,
): Promise<void> {
  const { name, uri, mimeType, text, blob, file, ui } = resource;
  server.returned = "the probe's answer";
  const result = await server.request("resources/read", { uri });
  expectCacheHints(result, { ...settings.cache, ...resource.cache }, "modern", uri);
  const contents = result["contents"] as Record<string, unknown>[];
  expectEqual(contents.length, 1, "number of contents");
  const { text: foundText, blob: foundBlob, ...head } = contents[0] ?? {};
  const expected = {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    ...(ui !== undefined && { _meta: { ui } }),
  };
  expectEqual(head, expected, "contents");
  if (file !== undefined) {
    const bytes = Buffer.from(
      String(foundText ?? foundBlob),
      foundText === undefined ? "base64" : "utf8",
    );
    expectThat(bytes.equals(await readFile(fileUrl(file, project))), `contents of ${file} differ`);
  } else if (text !== undefined || blob !== undefined) {
    expectEqual([foundText, foundBlob], [text, blob], "text and blob");
  } else {
    expectEqual(server.calls, [{ kind: "resource", name, input: uri }], "calls of the handler");
    expectEqual(foundText, server.returned, "text");
  }
}

function testTemplate(
  test: TestRegistry,
  template: TemplateContract,
  settings: ListSettings,
  server: ProbedServer,
): void {
  const { name, uriTemplate, matching, refused, completions } = template;
  test(`template ${shown(name)} takes its URIs apart`, async () => {
    for (const { uri, variables } of matching) {
      const result = await expectMatch(template, uri, variables, server);
      expectCacheHints(result, { ...settings.cache, ...template.cache }, "modern", uri);
    }
  });
  if (refused.length > 0) {
    test(`template ${shown(name)} refuses URIs that lead elsewhere`, async () => {
      for (const uri of refused) await server.expectInvalid("resources/read", { uri }, uri);
    });
  }
  if (completions.length === 0) return;
  test(`template ${shown(name)} offers values`, async () => {
    const ref = { type: "ref/resource", uri: uriTemplate };
    const item = { kind: "resourceTemplateCompletion", name } as const;
    for (const one of completions) await expectCompletion(server, ref, item, one);
  });
}

/** What the probes return as the only instance of a template. */
const INSTANCE = "the probe's instance";

async function expectListed(
  { name, enabled, matching }: TemplateContract,
  server: ProbedServer,
): Promise<void> {
  const [first] = matching;
  if (first === undefined) return;
  if (enabled === false) server.controls?.resources.enable(name);
  const listed = await listInstance({ name: INSTANCE, variables: first.variables }, name, server);
  server.returned = "the probe's answer";
  await server.request("resources/read", { uri: listed["uri"] ?? "" });
  const calls = [{ kind: "resourceTemplate", name, input: first.variables }];
  expectEqual(server.calls, calls, "calls of the handler");
  if (enabled === false) server.controls?.resources.disable(name);
}

/** The listed resource that becomes of an instance of this template. Texts of skills may stand behind it. */
async function listInstance(
  instance: JsonObject,
  template: string,
  server: ProbedServer,
): Promise<JsonObject> {
  const { resultOf } = server;
  server.resultOf = ({ name }) => (name === template ? [instance] : []);
  try {
    const resources = await server.listAll(resourceList, "modern");
    const listed = resources.find(({ name }) => name === instance["name"]);
    expectThat(listed !== undefined, `no resource that is listed has the name ${INSTANCE}`);
    return listed;
  } finally {
    server.resultOf = resultOf;
  }
}

async function expectMatch(
  { name, mimeType }: TemplateContract,
  uri: string,
  variables: unknown,
  server: ProbedServer,
): Promise<JsonObject> {
  server.returned = "the probe's answer";
  const result = await server.request("resources/read", { uri });
  const calls = [{ kind: "resourceTemplate", name, input: variables }];
  expectEqual(server.calls, calls, `${uri}, given to the handler`);
  const text = server.returned;
  const contents = [{ uri, ...(mimeType !== undefined && { mimeType }), text }];
  expectEqual(result["contents"], contents, `${uri}: contents`);
  return result;
}
