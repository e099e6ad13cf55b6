import { meaningsOf } from "../../templates/runtime/search/synonyms.js";
import { ToolIndex } from "../../templates/runtime/search/tool-index.js";
import { stemsOf } from "../../templates/runtime/search/words.js";
import { intentMissed } from "../model/catalogue/rules-items.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import type { ServerModel, ToolModel } from "../model/server-model.js";
import { quoted } from "../text/value-words.js";
import { searchWords } from "./search-words.js";

/** The texts under `intents` of a tool. */
function intentsOf(tool: unknown): readonly string[] {
  const intents = isJsonObject(tool) ? tool["intents"] : undefined;
  return Array.isArray(intents)
    ? intents.filter((intent): intent is string => typeof intent === "string")
    : [];
}

function toolsOf({ value }: LoadedManifest): readonly unknown[] {
  return Array.isArray(value["tools"]) ? value["tools"] : [];
}

/** Whether a tool of the manifest says what it is for. The model of others need not be made to know. */
export function hasIntents(manifest: LoadedManifest): boolean {
  return toolsOf(manifest).some((tool) => intentsOf(tool).length > 0);
}

/** Reports each intent for which the search of the server ranks another tool higher than the one that states it. */
export function checkIntents(manifest: LoadedManifest, { tools }: ServerModel): Diagnostic[] {
  const entries = tools.map((tool) => ({
    ...searchWords(tool),
    name: tool.name,
    reads:
      isJsonObject(tool.wire["annotations"]) && tool.wire["annotations"]["readOnlyHint"] === true,
  }));
  const index = new ToolIndex(entries);
  const toolNamed = new Map(tools.map((tool) => [tool.name, tool]));
  return toolsOf(manifest).flatMap((written, position) =>
    intentsOf(written).flatMap((intent, number) => {
      const name = (written as JsonObject)["name"];
      const [first] = index.find(intent, 1, () => true);
      const own = toolNamed.get(String(name));
      if (own === undefined || first === name) return [];
      const place = manifest.locate(["tools", position, "intents", number], "value");
      const sibling = first === undefined ? undefined : toolNamed.get(first);
      return [
        intentMissed(place, {
          ...{ intent: quoted(intent), name: quoted(own.name) },
          ...(sibling && { sibling: quoted(sibling.name), ...sharedWords(intent, own, sibling) }),
        }),
      ];
    }),
  );
}

/** The words of an intent that both tools have, and those that only the sibling has. */
function sharedWords(
  intent: string,
  own: ToolModel,
  sibling: ToolModel,
): { readonly shared: readonly string[]; readonly onlySibling: readonly string[] } {
  const words = intent.match(/[\p{L}\p{N}]+/gu) ?? [];
  const inSibling = words.filter((word) => hasWord(sibling, word));
  return {
    shared: inSibling.filter((word) => hasWord(own, word)).map(quoted),
    onlySibling: inSibling.filter((word) => !hasWord(own, word)).map(quoted),
  };
}

/** Whether a search finds a tool by a word: it has the word, or one with the same meaning. */
function hasWord(tool: ToolModel, word: string): boolean {
  const { heading, text } = searchWords(tool);
  const stems = new Set(`${heading} ${text}`.split(" "));
  return stemsOf(word).some((stem) => meaningsOf(stem).some((meaning) => stems.has(meaning.stem)));
}
