import { stemsOf } from "../../../templates/runtime/search/words.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { ServerModel, ToolModel } from "../../model/server-model.js";
import { listInLines, literalOf } from "../../text/code.js";
import type { FileStatements } from "../typescript-printer.js";
import { constant, importTypes } from "./structures.js";

/**
 * `src/generated/search-index.ts`: what tools are found by. What a word counts for depends on all tools and
 * is not in it, so that branches that change different tools merge.
 */
export function searchIndexModule({ tools }: ServerModel): FileStatements {
  const entries = tools.map(searchEntry);
  return [
    importTypes("./runtime/search/definition.ts", ["SearchEntry"]),
    constant({
      name: "searchIndex",
      type: "readonly SearchEntry[]",
      value: listInLines(entries.map(literalOf)),
      docs: "What tools are found by, in the manifest's order.",
    }),
  ];
}

function searchEntry({ name, wire, input }: ToolModel): JsonObject {
  const { title = "", description = "", annotations } = wire;
  const properties = isJsonObject(input.wire) ? input.wire["properties"] : undefined;
  const parameters = isJsonObject(properties) ? Object.keys(properties) : [];
  return {
    name,
    reads: isJsonObject(annotations) && annotations["readOnlyHint"] === true,
    heading: stemsOf(`${name} ${String(title)}`).join(" "),
    text: stemsOf(`${String(description)} ${parameters.join(" ")}`).join(" "),
  };
}
