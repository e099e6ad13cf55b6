import type { ts } from "ts-morph";
import type { Splice } from "../../text/splice.js";
import { compiler } from "./compiler.js";

const FILE = "/handler.ts";

/** Finds the places that refer to a binding, by the compiler, so that other bindings of the same name do not change. */
export class BindingFinder {
  private source = "";
  private version = 0;
  private service: ts.LanguageService | undefined;

  /**
   * Renames a binding and all references to it.
   *
   * @param position offset of its declaration
   * @returns undefined if the new name is already used at a place with the old name, or if it would capture
   *   another reference
   */
  rename(source: string, position: number, name: string): Splice[] | undefined {
    const locations = this.locations(source, position);
    const splices = locations.map(({ textSpan, prefixText = "", suffixText = "" }) => ({
      start: textSpan.start,
      end: textSpan.start + textSpan.length,
      text: prefixText + name + suffixText,
    }));
    return this.meansTheSame(source, splices, locations, name) ? splices : undefined;
  }

  /** True if the new binding has, in the renamed text, exactly the places of the old one. */
  private meansTheSame(
    source: string,
    splices: readonly Splice[],
    locations: readonly ts.RenameLocation[],
    name: string,
  ): boolean {
    let renamed = "";
    let end = 0;
    const places = splices.map((splice, index) => {
      renamed += source.slice(end, splice.start) + splice.text;
      end = splice.end;
      return renamed.length - (locations[index]?.suffixText ?? "").length - name.length;
    });
    renamed += source.slice(end);
    const found = this.locations(renamed, places[0] ?? 0).map(({ textSpan }) => textSpan.start);
    return places.length > 0 && found.join() === places.join();
  }

  private locations(source: string, position: number): readonly ts.RenameLocation[] {
    this.source = source;
    this.version++;
    const options = { providePrefixAndSuffixTextForRename: true };
    this.service ??= compiler.createLanguageService(this.host());
    const found = this.service.findRenameLocations(FILE, position, false, false, options) ?? [];
    return [...found].sort((left, right) => left.textSpan.start - right.textSpan.start);
  }

  /** The program has one file and no library, so that globals are not bound. */
  private host(): ts.LanguageServiceHost {
    return {
      getScriptFileNames: () => [FILE],
      getScriptVersion: () => String(this.version),
      getScriptSnapshot: (path) =>
        path === FILE ? compiler.ScriptSnapshot.fromString(this.source) : undefined,
      getCurrentDirectory: () => "/",
      getCompilationSettings: () => ({
        noLib: true,
        noResolve: true,
        target: compiler.ScriptTarget.Latest,
        module: compiler.ModuleKind.ESNext,
      }),
      getDefaultLibFileName: () => "/lib.d.ts",
      fileExists: (path) => path === FILE,
      readFile: (path) => (path === FILE ? this.source : undefined),
    };
  }
}
