import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import type { ValidatorRequest } from "./emit-validators.js";
import { pieceTexts } from "./piece-texts.js";
import { formatConstant, type Section } from "./write-section.js";

/** The start of a statement, with the validator that it belongs to. */
const STATEMENT =
  /^(?:(?:export )?(?:function|const) )?(?<owner>[A-Za-z_]\w*)(?:\$\w+)?(?:\(| = |\.evaluated = )/;

/** What is known of a former generation of validators. */
export interface FormerModule {
  /** The module as the same generator wrote it, in UTF-8; asked for when it is first needed. */
  bytes(): Buffer | undefined;
  /** What to write in the place of a part of it. */
  standIn(part: Buffer): string;
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
    const bytes = this.#bytesOf(exportName);
    if (bytes === undefined) return undefined;
    const former = this.#readRequests().get(exportName);
    const isSame =
      former !== undefined &&
      (former.namesKeywordsOnly ?? false) === namesKeywordsOnly &&
      JSON.stringify(former.schema) === JSON.stringify(schema);
    if (!isSame) return undefined;
    const text = bytes.toString();
    return { text, ...usedIn(text) };
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

  /** What stands in for the section of a kept request; `undefined` where it had none of its own. */
  keptText(exportName: string): string | undefined {
    const bytes = this.#module.kept.has(exportName) ? this.#bytesOf(exportName) : undefined;
    return bytes && this.#module.standIn(bytes);
  }

  /**
   * What sections use together.
   *
   * @param kept the names of those that are taken from here
   * @param own what the others use
   */
  usesBeside(kept: ReadonlySet<string>, own: Uses): Uses {
    const { sections, shared } = this.#readParts();
    const gone = [...sections.keys()].filter((name) => !kept.has(name));
    // What those that are gone used may be there for them alone.
    const known = isWithin(this.#usedBy(gone), own) ? shared : this.#usedBy(kept);
    return {
      pieces: new Set([...own.pieces, ...known.pieces]),
      formats: new Set([...own.formats, ...known.formats]),
    };
  }

  #usedBy(names: Iterable<string>): Uses {
    const { text, sections } = this.#readParts();
    const texts = Array.from(names, (name) => {
      const { start, end } = sections.get(name) ?? { start: 0, end: 0 };
      return text.slice(start, end);
    });
    return usedIn(texts.join("\n"));
  }

  #bytesOf(exportName: string): Buffer | undefined {
    const { bytes, sections } = this.#readParts();
    const place = sections.get(exportName);
    return place && bytes.subarray(place.start, place.end);
  }

  #readParts(): FormerParts {
    return (this.#parts ??= partsOf(this.#module.bytes() ?? Buffer.alloc(0)));
  }

  #readRequests(): ReadonlyMap<string, ValidatorRequest> {
    return (this.#requests ??= new Map(
      this.#module.requests().map((request) => [request.exportName, request]),
    ));
  }
}

/** Where something stands in the bytes of a module. */
interface Place {
  readonly start: number;
  end: number;
}

interface FormerParts {
  readonly bytes: Buffer;
  /** A character for each byte: what is looked for in it is ASCII. */
  readonly text: string;
  /** By the name of the validator that each exports. */
  readonly sections: ReadonlyMap<string, Place>;
  /** The validators that are other names of earlier ones, with their names. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly shared: Uses;
}

const DECLARED = /^(?:function|const) (\w+)/gm;
const ALIAS = /^export const (\w+) = (\w+);$/gm;

function partsOf(bytes: Buffer): FormerParts {
  const text = bytes.toString("latin1");
  const owned = new Map<string, Place>();
  const aliases = new Map<string, string>();
  let last: Place | undefined;
  for (const place of blocksOf(text)) {
    const block = text.slice(place.start, place.end);
    if (/^export const /.test(block)) {
      for (const [, name = "", owner = ""] of block.matchAll(ALIAS)) aliases.set(name, owner);
      continue;
    }
    const { owner } = STATEMENT.exec(block)?.groups ?? {};
    if (owner !== undefined && !owned.has(owner)) owned.set(owner, place);
    // What belongs to one validator stands together.
    if (owner !== undefined) last = owned.get(owner);
    if (last !== undefined) last.end = place.end;
  }
  const sections = new Map<string, Place>();
  const shared = new Set<string>();
  for (const [name, place] of owned) {
    const part = text.slice(place.start, place.end);
    if (part.includes(`export function ${name}(`)) sections.set(name, place);
    else for (const [, declared = ""] of part.matchAll(DECLARED)) shared.add(declared);
  }
  return { bytes, text, sections, aliases, shared: usesOf(shared, shared) };
}

/** The parts of a module between which there are empty lines. */
function* blocksOf(text: string): Generator<Place> {
  const length = text.trimEnd().length;
  for (let start = 0; start < length;) {
    const found = text.indexOf("\n\n", start);
    const end = found < 0 ? length : found;
    yield { start, end };
    start = end + 2;
  }
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
