import { FORMAT_CHECKS } from "../../model/formats/format-checks.js";
import type { ValidatorRequest } from "./emit-validators.js";
import { pieceTexts } from "./piece-texts.js";
import { formatConstant, type Section } from "./write-section.js";

/** The start of a statement, with the validator that it belongs to. */
const STATEMENT =
  /^(?:(?:export )?(?:function|const) )?(?<owner>[A-Za-z_]\w*)(?:\$\w+)?(?:\(| = |\.evaluated = )/;

/** What is known of a former generation of validators. */
export interface FormerModule {
  /** The module as the same generator wrote it; asked for when it is first needed. */
  text(): string | undefined;
  /** What it was asked for then. */
  requests(): readonly ValidatorRequest[];
  /** Names that are known to be asked for now as they were then. */
  readonly kept: ReadonlySet<string>;
}

/** What sections use of what they have in common. */
export type Uses = Pick<Section, "pieces" | "formats">;

/**
 * The validators of a former generation. What a section says follows from the name and the schema that it
 * was asked for, so it holds where both are as they were.
 */
export class FormerValidators {
  readonly #module: FormerModule;
  #parts: FormerParts | undefined;
  #requests: ReadonlyMap<string, ValidatorRequest> | undefined;

  constructor(module: FormerModule) {
    this.#module = module;
  }

  /** `undefined` where it was asked for something else, or was equal to another one. */
  section({
    exportName,
    schema,
    namesKeywordsOnly = false,
  }: ValidatorRequest): Section | undefined {
    const text = this.#readParts().sections.get(exportName);
    if (text === undefined) return undefined;
    const former = this.#readRequests().get(exportName);
    const isSame =
      former !== undefined &&
      (former.namesKeywordsOnly ?? false) === namesKeywordsOnly &&
      JSON.stringify(former.schema) === JSON.stringify(schema);
    return isSame ? { text, ...usedIn(text) } : undefined;
  }

  /**
   * The name of the validator that did the work of one that is asked for now as it was then: its own, or
   * that of an earlier one that was equal. `undefined` for any other request.
   */
  keptOwner(exportName: string): string | undefined {
    if (!this.#module.kept.has(exportName)) return undefined;
    const { sections, aliases } = this.#readParts();
    return sections.has(exportName) ? exportName : aliases.get(exportName);
  }

  /** The text of the section of a kept request; `undefined` where it had none of its own. */
  keptText(exportName: string): string | undefined {
    return this.#module.kept.has(exportName)
      ? this.#readParts().sections.get(exportName)
      : undefined;
  }

  /**
   * What sections use together.
   *
   * @param kept the names of those that are taken from here
   * @param own what the others use
   */
  usesBeside(kept: ReadonlySet<string>, own: Uses): Uses {
    const { sections, shared } = this.#readParts();
    const others = [...sections].filter(([name]) => !kept.has(name));
    const left = usedIn(others.map(([, text]) => text).join("\n"));
    // What those that are gone used may be there for them alone.
    const known = isWithin(left, own)
      ? shared
      : usedIn([...kept].map((name) => sections.get(name) ?? "").join("\n"));
    return {
      pieces: new Set([...own.pieces, ...known.pieces]),
      formats: new Set([...own.formats, ...known.formats]),
    };
  }

  #readParts(): FormerParts {
    return (this.#parts ??= partsOf(this.#module.text() ?? ""));
  }

  #readRequests(): ReadonlyMap<string, ValidatorRequest> {
    return (this.#requests ??= new Map(
      this.#module.requests().map((request) => [request.exportName, request]),
    ));
  }
}

interface FormerParts {
  /** By the name of the validator that each exports. */
  readonly sections: ReadonlyMap<string, string>;
  /** The validators that are other names of earlier ones, with their names. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly shared: Uses;
}

const DECLARED = /^(?:function|const) (\w+)/gm;
const ALIAS = /^export const (\w+) = (\w+);$/gm;

function partsOf(javascript: string): FormerParts {
  const blocks = new Map<string, string[]>();
  const aliases = new Map<string, string>();
  let owned: string[] = [];
  for (const block of javascript.trimEnd().split("\n\n")) {
    if (/^export const /.test(block)) {
      for (const [, name = "", owner = ""] of block.matchAll(ALIAS)) aliases.set(name, owner);
      continue;
    }
    const { owner } = STATEMENT.exec(block)?.groups ?? {};
    if (owner !== undefined) {
      owned = blocks.get(owner) ?? [];
      blocks.set(owner, owned);
    }
    owned.push(block);
  }
  const sections = new Map<string, string>();
  const shared = new Set<string>();
  for (const [name, texts] of blocks) {
    const text = texts.join("\n\n");
    if (text.includes(`export function ${name}(`)) sections.set(name, text);
    else for (const [, declared = ""] of text.matchAll(DECLARED)) shared.add(declared);
  }
  return { sections, aliases, shared: usesOf(shared, shared) };
}

function isWithin(some: Uses, all: Uses): boolean {
  return (
    [...some.pieces].every((name) => all.pieces.has(name)) &&
    [...some.formats].every((name) => all.formats.has(name))
  );
}

const STRINGS = /"(?:[^"\\\n]|\\.)*"/g;
const CALLED = /(?<![\w$.])([A-Za-z_]\w*)(?=\()/g;
const TESTED = /(?<![\w$.])(format\w+)(?=\.test\()/g;

/** The runtime pieces and the formats that a section uses. */
export function usedIn(text: string): Uses {
  const code = text.replace(STRINGS, '""');
  const called = new Set([...code.matchAll(CALLED)].map(([name]) => name));
  const tested = new Set([...code.matchAll(TESTED)].map(([name]) => name));
  return usesOf(called, tested);
}

function usesOf(called: ReadonlySet<string>, tested: ReadonlySet<string>): Uses {
  const formats = [...FORMAT_CHECKS]
    .filter(([format, { kind }]) => kind === "expression" && tested.has(formatConstant(format)))
    .map(([format]) => format);
  return {
    pieces: new Set([...pieceTexts().keys()].filter((name) => called.has(name))),
    formats: new Set(formats),
  };
}
