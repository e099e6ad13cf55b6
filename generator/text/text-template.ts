import type { TextPart, TextTemplate } from "../model/text-template.js";

export type TextTemplateProblemKind =
  | "unknown name"
  | "unclosed section"
  /** `{{/name}}` that closes no section, or not the innermost one. */
  | "section not open"
  | "sections too deep"
  /** Text that resembles a placeholder of an existing name, such as `{{ name }}`. Only a warning. */
  | "near miss";

/** A problem of a text; offset and length are in UTF-16 units. */
export interface TextTemplateProblem {
  readonly kind: TextTemplateProblemKind;
  readonly offset: number;
  readonly length: number;
  /** The name without braces and marks. */
  readonly name: string;
}

const DEEPEST_SECTION = 16;

interface Section {
  readonly parts: TextPart[];
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly wrap: (then: TextTemplate) => TextPart;
}

/**
 * Compiles text with `{{name}}`, `{{#name}}…{{/name}}` and `{{^name}}…{{/name}}`; `{{{{` is a literal `{{`, and all other
 * braces are text. The time is linear in the length of the text.
 *
 * @param names the names that placeholders may have
 * @returns a template without the faulty placeholders, and the problems in text order
 */
export function parseTextTemplate(
  text: string,
  names: ReadonlySet<string>,
): { template: TextTemplate; problems: readonly TextTemplateProblem[] } {
  return new TextTemplateParser(text, names).parse();
}

class TextTemplateParser {
  readonly #text: string;
  readonly #names: ReadonlySet<string>;
  /** The most characters up to `}}`, so that the search for it is short. */
  readonly #longestPlaceholder: number;
  readonly #problems: TextTemplateProblem[] = [];
  readonly #root: TextPart[] = [];
  readonly #sections: Section[] = [];
  #literalStart = 0;

  constructor(text: string, names: ReadonlySet<string>) {
    this.#text = text;
    this.#names = names;
    this.#longestPlaceholder =
      64 + [...names].reduce((longest, { length }) => Math.max(longest, length), 0);
  }

  parse(): { template: TextTemplate; problems: readonly TextTemplateProblem[] } {
    let at = this.#text.indexOf("{{");
    while (at !== -1) {
      at = this.#text.indexOf("{{", at + this.#readBraces(at));
    }
    this.#pushText(this.#text.length);
    while (this.#sections.length > 0) this.#endUnclosed();
    this.#problems.sort((a, b) => a.offset - b.offset);
    return { template: this.#root, problems: this.#problems };
  }

  /** Reads a `{{` and what follows; returns the number of characters read. */
  #readBraces(at: number): number {
    if (this.#text.startsWith("{{{{", at)) {
      this.#pushText(at);
      this.#push("{{");
      this.#literalStart = at + 4;
      return 4;
    }
    const window = this.#text.slice(at + 2, at + 2 + this.#longestPlaceholder);
    const content = window.slice(0, Math.max(0, window.indexOf("}}")));
    const sigil = /^[#^/]/.exec(content)?.[0] ?? "";
    const name = content.slice(sigil.length);
    const length = content.length + 4;
    if (this.#names.has(name) || isNameLike(name)) {
      this.#pushText(at);
      this.#literalStart = at + length;
      this.#readPlaceholder(sigil, name, at, length);
      return length;
    }
    if (this.#names.has(name.trim())) this.#report("near miss", name.trim(), at, length);
    return 1;
  }

  #readPlaceholder(sigil: string, name: string, offset: number, length: number): void {
    const isExistingName = this.#names.has(name);
    if (!isExistingName && sigil !== "/") this.#report("unknown name", name, offset, length);
    if (sigil === "/") this.#closeSection(name, offset, length);
    else if (sigil !== "") this.#openSection(sigil, name, offset, length);
    else if (isExistingName) this.#push({ argument: name });
  }

  #openSection(sigil: string, name: string, offset: number, length: number): void {
    if (this.#sections.length === DEEPEST_SECTION) {
      this.#report("sections too deep", name, offset, length);
    }
    const wrap = (then: TextTemplate): TextPart =>
      sigil === "#" ? { when: name, then } : { unless: name, then };
    this.#sections.push({ parts: [], name, offset, length, wrap });
  }

  #closeSection(name: string, offset: number, length: number): void {
    if (this.#sections.at(-1)?.name !== name) {
      this.#report("section not open", name, offset, length);
      return;
    }
    this.#endSection();
  }

  #endUnclosed(): void {
    const section = this.#sections.at(-1);
    if (section !== undefined && this.#names.has(section.name)) {
      this.#report("unclosed section", section.name, section.offset, section.length);
    }
    this.#endSection();
  }

  #endSection(): void {
    const section = this.#sections.pop();
    const isTooDeep = this.#sections.length >= DEEPEST_SECTION;
    if (section !== undefined && !isTooDeep) this.#push(section.wrap(section.parts));
  }

  #report(kind: TextTemplateProblemKind, name: string, offset: number, length: number): void {
    this.#problems.push({ kind, name, offset, length });
  }

  /** Adds the text between the last placeholder and `end`. */
  #pushText(end: number): void {
    if (end > this.#literalStart) this.#push(this.#text.slice(this.#literalStart, end));
    this.#literalStart = end;
  }

  #push(part: TextPart): void {
    const parts = this.#sections.at(-1)?.parts ?? this.#root;
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
}

const isNameLike = (text: string): boolean => /^[^\s{}]+$/.test(text);
