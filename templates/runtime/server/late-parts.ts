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
  const loaded = await Promise.all(lateParts.map((part) => part(definition)));
  return Object.assign({}, definition, ...loaded) as ServerDefinition;
}

/** The parts that a server needs for some of its items and settings. */
export const itemParts: readonly LatePart[] = [
  partIf(hasResources, async () => {
    const { createResources } = await import("../resources/resources.js");
    return { createResources };
  }),
  partIf(
    ({ prompts }) => prompts.length > 0,
    async () => {
      const { createPrompts } = await import("../prompts/prompts.js");
      return { createPrompts };
    },
  ),
  partIf(hasCompletions, async () => {
    const { createCompletion } = await import("../completion/completion.js");
    return { createCompletion };
  }),
  partIf(needsPagedList, async () => {
    const { createPagedList } = await import("../engine/paged-item-list.js");
    return { createPagedList };
  }),
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

function hasResources({ resources, resourceTemplates }: ServerDefinition): boolean {
  return resources.length + resourceTemplates.length > 0;
}

function hasCompletions({ prompts, resourceTemplates }: ServerDefinition): boolean {
  return [...prompts, ...resourceTemplates].some(({ complete }) => complete !== undefined);
}

/** True unless another part brings a list with pages, such as one that depends on the caller. */
function needsPagedList(definition: ServerDefinition): boolean {
  const { createPagedList, pageSize } = definition;
  return createPagedList === undefined && (pageSize !== undefined || hasResources(definition));
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
