import { AnsweredError, eras } from "../clients/connection.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, shown } from "../expectation.js";
import type { ProbedServer, TestRegistry } from "../clients/probed-server.js";

/** Items of one kind that can be switched on and off. */
export interface SwitchableItems {
  readonly kind: "tools" | "resources" | "prompts";
  /** The list that has them. */
  readonly method: string;
  readonly key: string;
  readonly items: readonly {
    readonly name: string;
    readonly enabled?: boolean;
    /** A request that is refused while the item is switched off; absent where none is known. */
    readonly use?: ItemRequest | undefined;
  }[];
}

export interface ItemRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** Registers a test for each item that can be switched; it leaves the item switched on. */
export function testSwitches(
  test: TestRegistry,
  what: SwitchableItems,
  server: ProbedServer,
): void {
  const { kind, items } = what;
  for (const item of items.filter(({ enabled }) => enabled !== undefined)) {
    test(`${shown(item.name)} can be switched on and off`, async () => {
      const switches = server.controls[kind];
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

/** Checks that clients of both eras hear so many times of a change of a list. */
async function expectTold(
  kind: SwitchableItems["kind"],
  server: ProbedServer,
  times: number,
  change: () => Promise<void>,
): Promise<void> {
  const method = `notifications/${kind}/list_changed`;
  const listening = await server.listen({ [`${kind}ListChanged`]: true });
  for (const era of eras) await server.toldOf(method, era);
  await change();
  for (const era of eras) {
    const told = await server.toldOf(method, era);
    expectEqual(told.length, times, `times that clients hear ${method} (${era})`);
  }
  await server.stopListening(listening);
}

/** Registers the test that clients of both eras can watch the resource at a URI. */
export function testWatching(
  test: TestRegistry,
  { name, uri }: { readonly name: string; readonly uri: string },
  server: ProbedServer,
): void {
  const method = "notifications/resources/updated";
  const expectUpdates = async (expected: readonly string[]): Promise<void> => {
    server.controls.notify.resourceUpdated(uri);
    for (const era of eras) {
      const told = await server.toldOf(method, era);
      const uris = told.map(({ params }) => params?.["uri"]);
      expectEqual(uris, expected, `URIs of updates (${era})`);
    }
  };
  test(`${shown(name)} can be subscribed to`, async () => {
    await expectUpdates([]);
    await server.request("resources/subscribe", { uri }, "legacy");
    const listening = await server.listen({ resourceSubscriptions: [uri] });
    await expectUpdates([uri]);
    await server.request("resources/unsubscribe", { uri }, "legacy");
    await server.stopListening(listening);
    await expectUpdates([]);
  });
}
