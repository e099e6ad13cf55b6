import type { Era } from "../../context/context.js";
import { AnsweredError, eras, type Connection } from "../clients/connection.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, shown } from "../expectation.js";
import {
  ProbedServer,
  type Controls,
  type CreateServer,
  type TestRegistry,
} from "../clients/probed-server.js";

/** Items of one kind that can be switched on and off. */
interface SwitchableItems {
  readonly kind: "tools" | "resources" | "prompts";
  /** The method that lists them. */
  readonly method: string;
  readonly key: string;
  readonly items: readonly {
    readonly name: string;
    readonly enabled?: boolean;
    /** A request that is refused while the item is switched off; absent if none is known. */
    readonly use?: ItemRequest | undefined;
  }[];
}

interface ItemRequest {
  readonly method: string;
  readonly params: JsonObject;
}

interface SwitchableItem {
  readonly name: string;
  readonly enabled?: boolean;
  readonly subscribe?: boolean;
}

/** The parts of the contracts about items that may change. */
export interface ChangingItems {
  readonly tools?: {
    readonly tools: readonly (SwitchableItem & {
      readonly accepted: readonly { readonly arguments: JsonObject }[];
    })[];
  };
  readonly resources?: {
    readonly resources: readonly (SwitchableItem & {
      readonly uri: string;
      readonly isTooLong?: boolean;
    })[];
    readonly templates: readonly (SwitchableItem & {
      readonly matching: readonly { readonly uri: string }[];
    })[];
  };
  readonly prompts?: {
    readonly prompts: readonly (SwitchableItem & {
      readonly cases: readonly { readonly arguments: JsonObject }[];
    })[];
  };
}

/** Registers the tests of changes while the server runs: switched items, watched resources. */
export function testChanges(
  test: TestRegistry,
  { tools, resources, prompts }: ChangingItems,
  createServer: CreateServer,
): void {
  const server = new ProbedServer(createServer);
  test.after(() => server.close());
  // Handlers that list instances return none.
  server.returned = [];
  if (tools !== undefined) {
    const items = tools.tools.map((tool) => {
      const { name, accepted } = tool;
      const params = { name, arguments: accepted[0]?.arguments ?? {} };
      return { ...tool, use: { method: "tools/call", params } };
    });
    testSwitches(test, { kind: "tools", method: "tools/list", key: "tools", items }, server);
  }
  if (prompts !== undefined) {
    const items = prompts.prompts.map((prompt) => {
      const { name, cases } = prompt;
      const params = { name, arguments: cases[0]?.arguments ?? {} };
      return { ...prompt, use: { method: "prompts/get", params } };
    });
    testSwitches(test, { kind: "prompts", method: "prompts/list", key: "prompts", items }, server);
  }
  if (resources !== undefined) testResourceChanges(test, resources, server);
}

function testResourceChanges(
  test: TestRegistry,
  { resources, templates }: NonNullable<ChangingItems["resources"]>,
  server: ProbedServer,
): void {
  const read = (uri: string | undefined): ItemRequest | undefined =>
    uri === undefined ? undefined : { method: "resources/read", params: { uri } };
  const items = resources.map((resource) => ({
    ...resource,
    use: resource.isTooLong ? undefined : read(resource.uri),
  }));
  const ofResources = { kind: "resources", method: "resources/list", key: "resources" } as const;
  testSwitches(test, { ...ofResources, items }, server);
  const instances = templates.map((one) => ({ ...one, uri: one.matching[0]?.uri }));
  const ofTemplates = { method: "resources/templates/list", key: "resourceTemplates" };
  const used = instances.map((one) => ({ ...one, use: read(one.uri) }));
  testSwitches(test, { kind: "resources", ...ofTemplates, items: used }, server);
  for (const { subscribe, name, uri } of [...resources, ...instances]) {
    if (subscribe && uri !== undefined) testWatching(test, { name, uri }, server);
  }
}

/** Registers a test for each item that can be switched. At its end, the item is on. */
function testSwitches(test: TestRegistry, what: SwitchableItems, server: ProbedServer): void {
  const { kind, items } = what;
  for (const item of items.filter(({ enabled }) => enabled !== undefined)) {
    test(`${shown(item.name)} can be switched on and off`, async () => {
      const switches = controlsOf(server)[kind];
      await expectState(what, item, item.enabled === true, server);
      await expectTold(kind, server, item.enabled === true ? 2 : 3, async () => {
        for (const isOn of [true, false, true]) {
          if (isOn) switches.enable(item.name);
          else switches.disable(item.name);
          await expectState(what, item, isOn, server);
        }
      });
    });
  }
}

async function expectState(
  { method, key }: SwitchableItems,
  { name, use }: SwitchableItems["items"][number],
  isOn: boolean,
  server: ProbedServer,
): Promise<void> {
  for (const era of eras) {
    const listed = await server.listAll({ method, key }, era);
    const isListed = listed.some((item) => item["name"] === name);
    expectEqual(isListed, isOn, `${name} is in ${method} (${era})`);
    if (use === undefined) continue;
    const isThere = await server.request(use.method, use.params, era).then(
      () => true,
      (error: unknown) => !(error instanceof AnsweredError && error.code === -32602),
    );
    expectEqual(isThere, isOn, `${name} is there (${era})`);
  }
}

/** Checks that clients of both eras get this number of notifications of a list's change. */
async function expectTold(
  kind: SwitchableItems["kind"],
  server: ProbedServer,
  times: number,
  change: () => Promise<void>,
): Promise<void> {
  const method = `notifications/${kind}/list_changed`;
  const listening = await listen(server, { [`${kind}ListChanged`]: true });
  for (const era of eras) await notificationsOf(server, method, era);
  await change();
  for (const era of eras) {
    const notifications = await notificationsOf(server, method, era);
    expectEqual(notifications.length, times, `times that clients hear ${method} (${era})`);
  }
  await stopListening(server, listening);
}

/** Registers the test that clients of both eras can subscribe to a resource. */
function testWatching(
  test: TestRegistry,
  { name, uri }: { readonly name: string; readonly uri: string },
  server: ProbedServer,
): void {
  const method = "notifications/resources/updated";
  const expectUpdates = async (expected: readonly string[]): Promise<void> => {
    controlsOf(server).notify.resourceUpdated(uri);
    for (const era of eras) {
      const notifications = await notificationsOf(server, method, era);
      const uris = notifications.map(({ params }) => params?.["uri"]);
      expectEqual(uris, expected, `URIs of updates (${era})`);
    }
  };
  test(`${shown(name)} can be subscribed to`, async () => {
    await expectUpdates([]);
    await server.request("resources/subscribe", { uri }, "legacy");
    const listening = await listen(server, { resourceSubscriptions: [uri] });
    await expectUpdates([uri]);
    await server.request("resources/unsubscribe", { uri }, "legacy");
    await stopListening(server, listening);
    await expectUpdates([]);
  });
}

/** Starts to listen in the newest era. Returns the identifier of the subscription. */
async function listen(server: ProbedServer, notifications: JsonObject): Promise<number> {
  return (await server.connection("modern")).start("subscriptions/listen", { notifications });
}

/** Ends a subscription. */
async function stopListening(server: ProbedServer, id: number): Promise<void> {
  await (await server.connection("modern")).notify("notifications/cancelled", { requestId: id });
}

/** Returns the notifications of a method since the last call of this function. */
async function notificationsOf(
  server: ProbedServer,
  method: string,
  era: Era,
): Promise<Connection["notifications"]> {
  // When this is answered, all earlier messages have arrived.
  await server.request(era === "modern" ? "server/discover" : "ping", {}, era);
  const { notifications } = await server.connection(era);
  const matching = notifications.filter((one) => one.method === method);
  const others = notifications.filter((one) => one.method !== method);
  notifications.splice(0, notifications.length, ...others);
  return matching;
}

function controlsOf({ controls }: ProbedServer): Controls {
  if (controls === undefined) throw new Error("nothing can be changed");
  return controls;
}
