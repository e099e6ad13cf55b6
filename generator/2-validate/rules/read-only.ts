import { readOnlyMayWrite } from "../../model/catalogue/rules-guards.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { has, itemsOf, mappingIn, methodOf, textIn, type Mapping } from "../manifest-view.js";

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
  if (has(tool.value, "exec")) {
    return { path: [...tool.path, "exec"], words: "`exec` runs a program" };
  }
  const http = mappingIn(tool, "http");
  if (http === undefined || !has(http.value, "method")) return undefined;
  const method = methodOf(http.value);
  if (method === "GET" || method === "HEAD") return undefined;
  return { path: [...http.path, "method"], words: `its request is a ${method}` };
}
