import type { JsonObject, JsonValue } from "../../../model/json.js";
import { hostileString } from "./hostile-text.js";
import { randomNumbers } from "../runner/random-numbers.js";
import { icon, meta, type SlotKind } from "./slots.js";

const URI_TEMPLATES = [
  "{id}",
  "{+path}",
  "list{/a}",
  "v{.a}",
  "{id}{?q,r}",
  "tree{/path*}",
  "{a}/{b}",
];

const VALUES: readonly JsonObject[] = [
  { type: "string", minLength: 1, pattern: "^[a-z]+$" },
  { type: "integer", minimum: 1, maximum: 14, default: 3 },
  { type: "boolean" },
  { enum: ["a", "b", null] },
  { type: "array", items: { type: "number" }, uniqueItems: true },
  { $ref: "#/$defs/part" },
  { anyOf: [{ type: "string", format: "email" }, { const: 7 }] },
];

/** Outputs that are no objects. */
const OUTPUTS: readonly JsonObject[] = [
  { type: "string", maxLength: 10 },
  { type: "array", items: { type: "integer" } },
  { anyOf: [{ type: "boolean" }, { type: "null" }] },
];

/** The one entry of `schemas`, where a manifest has any. */
const SHARED: JsonObject = { type: "object", properties: { unit: { enum: ["km", "mi"] } } };

/** A valid manifest with items of every kind, its texts hostile; the same for the same seed. */
export function randomManifest(seed: number): JsonObject {
  return new RandomManifest(seed).whole();
}

class RandomManifest {
  readonly #random: (below: number) => number;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  whole(): JsonObject {
    return {
      name: "random",
      version: "1.0.0",
      ...this.#sometimes(() => ({ title: this.#text() })),
      ...this.#sometimes(() => ({ description: this.#text() })),
      ...this.#sometimes(() => ({ instructions: this.#text() })),
      ...this.#sometimes(() => ({ icons: [this.#icon()] })),
      ...this.#sometimes(() => ({ pageSize: 1 + this.#random(4) })),
      ...this.#sometimes(() => ({ websiteUrl: "https://example.com/" })),
      ...this.#sometimes(() => ({ schemaRefs: this.#pick(["defs", "inline", "verbatim"]) })),
      schemas: { Shared: { ...SHARED, description: this.#text() } },
      ...this.#tools(),
      resources: this.#several((index) => this.#resource(index)),
      resourceTemplates: this.#several((index) => this.#template(index)),
      prompts: this.#several((index) => this.#prompt(index)),
    };
  }

  #tools(): JsonObject {
    const tools = this.#several((index) => this.#tool(index));
    return { tools, ...(tools.length > 0 && this.#sometimes(() => ({ exposure: "search" }))) };
  }

  #tool(index: number): JsonObject {
    return {
      name: `tool_${index}`,
      description: this.#text(),
      ...this.#common(),
      ...this.#sometimes(() => ({ inputSchema: this.#objectSchema() })),
      ...this.#sometimes(() => ({
        outputSchema: this.#chance() ? this.#objectSchema() : this.#pick(OUTPUTS),
      })),
      ...this.#sometimes(() => ({ annotations: this.#toolAnnotations() })),
    };
  }

  #resource(index: number): JsonObject {
    return {
      uri: `random://things/${index}`,
      name: `thing ${index}`,
      ...this.#common(),
      ...this.#sometimes(() => ({ description: this.#text() })),
      ...this.#sometimes(() => ({ mimeType: "text/plain", size: this.#random(1000) })),
      ...this.#sometimes(() => ({ annotations: this.#annotations() })),
      ...this.#pick([{}, { text: this.#text() }, { blob: "AQID" }]),
      subscribe: this.#chance(),
    };
  }

  #template(index: number): JsonObject {
    return {
      uriTemplate: `random://kind-${index}/${this.#pick(URI_TEMPLATES)}`,
      name: `kind ${index}`,
      ...this.#common(),
      ...this.#sometimes(() => ({ description: this.#text() })),
      ...this.#sometimes(() => ({ mimeType: "application/json" })),
      ...this.#sometimes(() => ({ annotations: this.#annotations() })),
    };
  }

  #prompt(index: number): JsonObject {
    const declared = Array.from({ length: this.#random(3) }, (_, at) => ({
      name: `argument_${at}`,
      ...this.#sometimes(() => ({ title: this.#text() })),
      ...this.#sometimes(() => ({ description: this.#text() })),
      ...this.#sometimes(() => ({ required: this.#chance() })),
    }));
    return {
      name: `prompt_${index}`,
      ...this.#common(),
      ...this.#sometimes(() => ({ description: this.#text() })),
      ...(declared.length > 0 && { arguments: declared }),
    };
  }

  /** What items of every kind may have. */
  #common(): JsonObject {
    return {
      ...this.#sometimes(() => ({ title: this.#text() })),
      ...this.#sometimes(() => ({ icons: [this.#icon()] })),
      ...this.#sometimes(() => ({ _meta: meta("_meta", (_, kind) => this.#hostile(kind)) })),
      ...this.#sometimes(() => ({ enabled: this.#chance() })),
      ...this.#sometimes(() => ({ timeoutMs: 1000 })),
    };
  }

  #objectSchema(): JsonObject {
    const names = ["first", "second part", "__3"].filter(() => this.#chance());
    const values = [...VALUES, { $ref: "#/schemas/Shared" }];
    const properties = names.map((name) => [
      name,
      { description: this.#text(), ...this.#pick(values) },
    ]);
    return {
      type: "object",
      ...this.#sometimes(() => ({ description: this.#text() })),
      properties: Object.fromEntries(properties) as JsonObject,
      ...this.#sometimes(() => ({ required: names.slice(0, 1) })),
      ...this.#sometimes(() => ({ additionalProperties: false })),
      $defs: { part: { type: "object", properties: { deeper: { $ref: "#/$defs/part" } } } },
    };
  }

  #toolAnnotations(): JsonObject {
    return {
      ...this.#sometimes(() => ({ title: this.#text() })),
      ...this.#sometimes(() => ({ readOnlyHint: this.#chance() })),
      ...this.#sometimes(() => ({ destructiveHint: this.#chance() })),
      ...this.#sometimes(() => ({ idempotentHint: this.#chance() })),
      openWorldHint: this.#chance(),
    };
  }

  #annotations(): JsonObject {
    return {
      audience: this.#pick([["user"], ["user", "assistant"]]),
      priority: this.#random(10) / 10,
      ...this.#sometimes(() => ({ lastModified: "2026-11-20T08:00:00Z" })),
    };
  }

  #icon(): JsonObject {
    return {
      ...icon("icon", (_, kind) => this.#hostile(kind)),
      ...this.#sometimes(() => ({ sizes: ["48x48", "any"] })),
      ...this.#sometimes(() => ({ theme: this.#pick(["light", "dark"]) })),
    };
  }

  #text(): string {
    return this.#hostile("text");
  }

  #hostile(kind: SlotKind): string {
    return hostileString(this.#random, kind);
  }

  #several(make: (index: number) => JsonObject): JsonObject[] {
    return Array.from({ length: this.#random(5) }, (_, index) => make(index));
  }

  #sometimes<Value extends { [key: string]: JsonValue }>(make: () => Value): Value | object {
    return this.#chance() ? make() : {};
  }

  #pick<Value>(choices: readonly Value[]): Value {
    return choices[this.#random(choices.length)]!;
  }

  #chance(): boolean {
    return this.#random(2) === 0;
  }
}
