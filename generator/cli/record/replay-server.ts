import type { ServerDefinition } from "../../../templates/runtime/engine/definition.js";
import type { ToolEntry } from "../../../templates/runtime/tools/definition.js";
import { receivedArguments } from "../../5-emit/contract-tests/tool-contracts.js";
import type { ServerModel, ToolModel } from "../../model/server-model.js";
import { exampleAnswer, previewDefinition } from "../preview/preview-definition.js";

/**
 * Serves a manifest over stdio from its examples: each call with the arguments of an example gets its answer. The promise is
 * fulfilled when it serves. The process ends after a signal, or when stdin ends.
 *
 * @param root the folder that `file` resources are relative to
 */
export async function startReplay(root: string, model: ServerModel): Promise<void> {
  const { start } = await import("../../../templates/runtime/start.js");
  const { stdio } = await import("../../../templates/runtime/stdio.js");
  const transport = stdio();
  // The server reads its options from there. Handlers that are not written answer as the examples say.
  process.argv.splice(2, Infinity, "--stdio", "--mock");
  await start({
    definition: {
      ...replayDefinition(model, root),
      lateParts: [],
      transports: [transport.definition],
    },
    transports: [transport],
    root,
    context: async () => ({}),
  });
}

/**
 * The definition of a server that knows nothing but what the manifest says of its answers.
 *
 * @param root the absolute path of the folder with the manifest
 */
export function replayDefinition(
  model: ServerModel,
  root: string,
): Omit<ServerDefinition, "transports" | "loadPage"> {
  const definition = previewDefinition(model, root);
  const { tools, resources, resourceTemplates, prompts } = definition;
  return {
    ...definition,
    tools: tools.map((entry, index) => replayed(entry, model.tools[index])),
    resources: resources.map(withoutMock),
    resourceTemplates: resourceTemplates.map(withoutMock),
    prompts: prompts.map(withoutMock),
  };
}

function replayed(entry: ToolEntry, tool: ToolModel | undefined): ToolEntry {
  if (tool === undefined || tool.behaviour.kind === "fixed") return entry;
  const mocks = tool.examples.map((example) => ({
    arguments: receivedArguments(tool, example.arguments),
    answer: exampleAnswer(example),
  }));
  const error = `No example of ${tool.name} has these arguments. Record such a call, or add an example to the manifest.`;
  return { ...entry, mocks, mock: { kind: "error", error } };
}

/** An entry that has no answer but what the manifest fixes. */
function withoutMock<Entry extends object>(entry: Entry): Entry {
  return Object.hasOwn(entry, "mock") ? { ...entry, mock: undefined } : entry;
}
