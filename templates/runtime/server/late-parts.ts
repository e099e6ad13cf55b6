import type { ServerDefinition } from "../engine/definition.js";
import { itemsOf } from "../engine/item.js";
import type { ToolEntry } from "../tools/definition.js";
import { checkNeededParts } from "./needed-parts.js";
import type { LatePart, StatedDefinition } from "./server-part.js";

/**
 * Imports the late parts of a server, all at once.
 * @returns the whole definition, with which a server can be made
 * @throws TypeError if an item needs a part that is absent
 */
export async function loadParts({
  lateParts,
  ...definition
}: StatedDefinition): Promise<ServerDefinition> {
  checkNeededParts(definition);
  const ofItems = itemsOf(definition).flatMap((item) => item.lateParts ?? []);
  const parts = new Set([...ofItems, ...lateParts]);
  const loaded = await Promise.all([...parts].map((part) => part(definition)));
  return Object.assign({}, definition, ...loaded) as ServerDefinition;
}

/** The parts that servers of tools need for some of these and for settings. Items of other kinds bring their own parts. */
export const settingParts: readonly LatePart[] = [
  partIf(
    // Another part may bring a list with pages, such as one that depends on the caller.
    ({ createPagedList, pageSize }) => createPagedList === undefined && pageSize !== undefined,
    async () => {
      const { createPagedList } = await import("../engine/paged-item-list.js");
      return { createPagedList };
    },
  ),
  partIf(
    ({ env }) => env.length > 0,
    async () => {
      const { checkEnvironment } = await import("../start/env.js");
      return { checkEnvironment };
    },
  ),
  partIf(
    ({ tools }) => tools.some(({ defaults }) => defaults !== undefined),
    async () => {
      const { withDefaults } = await import("../tools/defaults.js");
      return { withDefaults };
    },
  ),
  partIf(
    ({ tools }) => tools.some(({ handler }) => handler === undefined),
    async () => {
      const { renderFixed } = await import("../tools/fixed.js");
      return { renderFixed };
    },
  ),
  partIf(
    ({ tools }) => tools.some(({ text }) => text !== undefined),
    async () => {
      const { shortText } = await import("../tools/short-content.js");
      return { shortText };
    },
  ),
  partIf(
    (definition) => itemsOf(definition).some(({ deprecated }) => deprecated !== undefined),
    async () => {
      const { createDeprecations } = await import("../observe/deprecations.js");
      return { createDeprecations };
    },
  ),
  partIf(
    ({ tools }) => tools.some(takesNumbers),
    async () => {
      const { convertMessage, exactNumbers, prepareArguments } =
        await import("../tools/exact-numbers.js");
      return { convertMessage, exactNumbers, prepareArguments };
    },
  ),
  partIf(mayNeedSdk, async () => {
    const { legacyExceptions } = await import("../fast-path/legacy-exceptions.js");
    return { legacyExceptions };
  }),
];

function partIf(
  isNeeded: (definition: ServerDefinition) => boolean,
  load: () => Promise<Partial<ServerDefinition>>,
): LatePart {
  return (definition) => (isNeeded(definition) ? load() : undefined);
}

/** True if arguments of the tool may contain numbers, some of which JavaScript would round. */
function takesNumbers({ definition: { inputSchema } }: ToolEntry): boolean {
  const schema = JSON.stringify(inputSchema);
  return /"(?:integer|number)"/.test(schema) || !schema.includes('"additionalProperties":false');
}

/** True if only the SDK may be able to answer some requests of older eras. */
function mayNeedSdk({ createHandlerRunner, tools }: ServerDefinition): boolean {
  const hasOutput = tools.some(({ definition: { outputSchema } }) => outputSchema !== undefined);
  return createHandlerRunner !== undefined || hasOutput;
}
