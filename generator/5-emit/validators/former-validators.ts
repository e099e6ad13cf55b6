import { FORMAT_CHECKS } from "../../model/formats/format-checks.js";
import type { ValidatorRequest } from "./emit-validators.js";
import { pieceTexts } from "./piece-texts.js";
import { formatConstant, type Section } from "./write-section.js";

/** The start of a statement, with the validator that it belongs to. */
const STATEMENT =
  /^(?:(?<exported>export )?(?:function|const) )?(?<owner>[A-Za-z_]\w*)(?:\$\w+)?(?:\(| = |\.evaluated = )/;

/**
 * The validators of a former generation. What a section says follows from the name and the schema that it
 * was asked for, so it holds where both are as they were.
 */
export class FormerValidators {
  readonly #text: () => string | undefined;
  readonly #requests: () => readonly ValidatorRequest[];
  #known: Former | undefined;

  /**
   * @param text the module as the same generator wrote it; asked for when it is first needed
   * @param requests what it was asked for then
   */
  constructor(text: () => string | undefined, requests: () => readonly ValidatorRequest[]) {
    this.#text = text;
    this.#requests = requests;
  }

  /** `undefined` where it was asked for something else, or was equal to another one. */
  section({
    exportName,
    schema,
    namesKeywordsOnly = false,
  }: ValidatorRequest): Section | undefined {
    const { sections, requests } = (this.#known ??= this.#read());
    const text = sections.get(exportName);
    const former = requests.get(exportName);
    const isSame =
      former !== undefined &&
      (former.namesKeywordsOnly ?? false) === namesKeywordsOnly &&
      JSON.stringify(former.schema) === JSON.stringify(schema);
    return isSame && text !== undefined ? { text, ...usedIn(text) } : undefined;
  }

  #read(): Former {
    const text = this.#text();
    if (text === undefined) return { sections: new Map(), requests: new Map() };
    const requests = this.#requests().map((request) => [request.exportName, request] as const);
    return { sections: sectionsIn(text), requests: new Map(requests) };
  }
}

interface Former {
  readonly sections: ReadonlyMap<string, string>;
  readonly requests: ReadonlyMap<string, ValidatorRequest>;
}

/** The sections by the names of the validators that they export. */
function sectionsIn(javascript: string): Map<string, string> {
  const lines = new Map<string, string[]>();
  const exported = new Set<string>();
  let owned: string[] = [];
  for (const line of javascript.split("\n")) {
    const { exported: isExported, owner } = STATEMENT.exec(line)?.groups ?? {};
    if (owner !== undefined) {
      owned = lines.get(owner) ?? [];
      lines.set(owner, owned);
      if (isExported !== undefined && line.includes("(")) exported.add(owner);
    }
    owned.push(line);
  }
  return new Map([...exported].map((name) => [name, (lines.get(name) ?? []).join("\n").trimEnd()]));
}

const STRINGS = /"(?:[^"\\\n]|\\.)*"/g;
const CALLED = /(?<![\w$.])([A-Za-z_]\w*)(?=\()/g;
const TESTED = /(?<![\w$.])(format\w+)(?=\.test\()/g;

/** The runtime pieces and the formats that a section uses. */
export function usedIn(text: string): Pick<Section, "pieces" | "formats"> {
  const code = text.replace(STRINGS, '""');
  const called = new Set([...code.matchAll(CALLED)].map(([name]) => name));
  const tested = new Set([...code.matchAll(TESTED)].map(([name]) => name));
  const formats = [...FORMAT_CHECKS]
    .filter(([format, { kind }]) => kind === "expression" && tested.has(formatConstant(format)))
    .map(([format]) => format);
  return {
    pieces: new Set([...pieceTexts().keys()].filter((name) => called.has(name))),
    formats: new Set(formats),
  };
}
