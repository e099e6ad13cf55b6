import { bodyIn } from "../../bodies/index.js";
import { readOnlyMayWrite } from "../../model/catalogue/rules-guards.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { itemsOf, mappingIn, textIn, type Mapping } from "../manifest-view.js";

/** Warns of tools that say that they only read although their bodies can change something. */
export function checkReadOnlyHints(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const annotations = mappingIn(tool, "annotations");
    if (annotations?.value["readOnlyHint"] !== true) return [];
    const writing = writingPart(tool);
    if (writing === undefined) return [];
    const { path, words: found } = writing;
    const name = quoted(textIn(tool.value, "name") ?? "");
    const hint = manifest.locate([...annotations.path, "readOnlyHint"], "value");
    return [
      readOnlyMayWrite(manifest.locate(path, "key"), { name, found }, [
        { ...hint, message: "says that it changes nothing" },
      ]),
    ];
  });
}

/** The part of a tool's body that may change something. Statements of `sql` that may are reported with their bodies. */
function writingPart(tool: Mapping): { path: ManifestPath; words: string } | undefined {
  const body = bodyIn(tool.value);
  const part = body?.definition.writing?.(body.given);
  if (body === undefined || part === undefined) return undefined;
  const below = part.under === undefined ? [] : [part.under];
  return { path: [...tool.path, body.kind, ...below], words: part.words };
}
