import type { JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { ManifestEditor } from "./manifest-editor.js";

/** Changes the values of a manifest, each in the file where it stands. */
export class FilesEditor {
  readonly #editors: ReadonlyMap<string, ManifestEditor>;
  protected readonly manifest: LoadedManifest;
  /** The files of the manifest, in the order of their items. */
  protected readonly files: readonly string[];
  /** The file of each tool before the changes. */
  protected readonly toolFiles: readonly string[];

  constructor(manifest: LoadedManifest) {
    this.manifest = manifest;
    this.files = [...manifest.texts.keys()];
    this.#editors = new Map(
      [...manifest.texts].map(([file, text]) => [file, new ManifestEditor(text)]),
    );
    const { tools } = manifest.value;
    this.toolFiles = (Array.isArray(tools) ? tools : []).map(
      (_, index) => manifest.locate(["tools", index], "value").file,
    );
  }

  /** The texts of all files with all changes. */
  get texts(): ReadonlyMap<string, string> {
    return new Map([...this.#editors].map(([file, { text }]) => [file, text]));
  }

  /** As {@link ManifestEditor.isRemovable}. */
  isRemovable(path: ManifestPath): boolean {
    const at = this.inFile(path);
    return this.editor(at.file).isRemovable(at.path);
  }

  /** Replaces the value at a path below an item, a section or an entry. @param from the present value */
  change(path: ManifestPath, from: JsonValue, to: JsonValue): void {
    const at = this.inFile(path);
    this.editor(at.file).change(at.path, from, to);
  }

  /** As {@link ManifestEditor.whyUnchangeable}. */
  whyUnchangeable(path: ManifestPath, to: JsonValue | undefined): string | undefined {
    const at = this.inFile(path);
    return this.editor(at.file).whyUnchangeable(at.path, to);
  }

  /** The file where a path of the manifest leads, and the path in that file. */
  protected inFile(path: ManifestPath): { readonly file: string; readonly path: ManifestPath } {
    const [section, entry, ...inner] = path;
    if (section === "tools" && typeof entry === "number") {
      const file = this.toolFiles[entry] ?? this.manifest.file;
      return { file, path: [section, entry - this.toolFiles.indexOf(file), ...inner] };
    }
    return { file: this.manifest.locate(path.slice(0, 2), "key").file, path };
  }

  /** The editor of one of the files. */
  protected editor(file: string): ManifestEditor {
    const editor = this.#editors.get(file);
    if (editor === undefined) throw new Error(`${file} is no file of the manifest`);
    return editor;
  }
}
