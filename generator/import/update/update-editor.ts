import { FilesEditor } from "../../edit/files-editor.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { toolsOf } from "./import-entry.js";
import type { MergedTool } from "./merge-tools.js";
import { changedTools, listChanges } from "./tool-changes.js";

/** Changes a manifest to what an update of an import makes of it, each value in the file where it stands. */
export class UpdateEditor extends FilesEditor {
  /** The file for what is new. Without it, that stands beside what is there. */
  readonly #into: string | undefined;

  constructor(manifest: LoadedManifest, into: string | undefined) {
    super(manifest);
    this.#into = into;
  }

  /** The tools after an update in the order in which their files give them. */
  inFileOrder(tools: readonly MergedTool[]): readonly MergedTool[] {
    const files = this.#filesOf(tools);
    const rank = new Map(
      tools.map((tool, index) => [tool, this.files.indexOf(files[index] ?? "")]),
    );
    return [...tools].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
  }

  /** Changes the tools to those after an update, which are in the order of the files. */
  changeTools(tools: readonly MergedTool[]): void {
    const before = toolsOf(this.manifest.value);
    for (const [index, change] of changedTools(before, tools)) {
      const { file, path } = this.inFile(["tools", index]);
      this.editor(file).change(path, change.before, change.after);
    }
    const files = this.#filesOf(tools);
    for (const file of this.files) {
      const first = this.toolFiles.indexOf(file);
      const count = this.toolFiles.filter((one) => one === file).length;
      const own = tools
        .filter((_, index) => files[index] === file)
        .map(({ index, ...tool }) =>
          index === undefined ? tool : { ...tool, index: index - first },
        );
      const editor = this.editor(file);
      if (count > 0) editor.changeList(["tools"], listChanges(count, own));
      else if (own.length > 0) {
        const values = own.map(({ value }) => value);
        editor.setSection("tools", editor.has("tools") ? [] : undefined, values, "schemas");
      }
    }
  }

  /** Changes a key of the manifest alone. @param after the key after which a new key is added */
  changeOwn(key: string, to: JsonValue | undefined, after: string): void {
    this.editor(this.manifest.file).setSection(key, this.manifest.value[key], to, after);
  }

  /** Changes a mapping whose entries may stand in several files. @param after the key after which a new one is added */
  changeSection(section: string, to: JsonValue | undefined, after: string): void {
    if (!isJsonObject(to)) return;
    const from = this.manifest.value[section];
    const before = isJsonObject(from) ? from : {};
    const having = this.files.find((file) => this.editor(file).has(section));
    const forNew = this.#into ?? having ?? this.manifest.file;
    const fileOf = (key: string): string =>
      Object.hasOwn(before, key) ? this.manifest.locate([section, key], "key").file : forNew;
    for (const file of this.files) {
      const own = (value: JsonObject): JsonObject =>
        Object.fromEntries(Object.entries(value).filter(([key]) => fileOf(key) === file));
      const [editor, present] = [this.editor(file), own(to)];
      if (editor.has(section)) editor.setSection(section, own(before), present, after);
      else if (Object.keys(present).length > 0 || (file === forNew && having === undefined))
        editor.setSection(section, undefined, present, after);
    }
  }

  /** The file of each tool after an update. A new one goes where `into` says, or beside the tool before it. */
  #filesOf(tools: readonly MergedTool[]): string[] {
    const known = (tool: MergedTool): string | undefined =>
      tool.index === undefined ? this.#into : this.toolFiles[tool.index];
    const next = tools.find((tool) => tool.index !== undefined);
    let last = (next && known(next)) ?? this.manifest.file;
    return tools.map((tool) => {
      const file = known(tool) ?? last;
      if (tool.index !== undefined) last = file;
      return file;
    });
  }
}
