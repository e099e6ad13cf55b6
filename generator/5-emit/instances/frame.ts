import type { JsonObject, JsonValue } from "../../model/json.js";
import { pointerSegment } from "../validators/plain-schema.js";
import type { Site } from "./breaking-values.js";
import { MAXIMUM_ITEMS } from "./instance-builder.js";
import type { PlacedSite } from "./sites.js";
import { MAXIMUM_STRING } from "./string-values.js";
import { reaches, replaceAt, valueAt } from "./value-paths.js";

/** A site in a valid value, into which others can be put there. */
export class Frame implements Site {
  readonly #site: PlacedSite;
  readonly #whole: JsonValue;
  readonly value: JsonValue;
  #known: { readonly isOpen: boolean; readonly pointer: string } | undefined;

  constructor(site: PlacedSite, whole: JsonValue) {
    this.#site = site;
    this.#whole = whole;
    this.value = valueAt(whole, site.path);
  }

  get schemas(): readonly JsonObject[] {
    return this.#site.schemas;
  }

  /** The value with another one at the site. */
  with(candidate: JsonValue): JsonValue {
    return replaceAt(this.#whole, this.#site.path, candidate);
  }

  /** Whether the whole is as good as what is put into it, by validity and by size. */
  get isOpen(): boolean {
    return this.#facts.isOpen;
  }

  /** JSON pointer of the site. */
  get pointer(): string {
    return this.#facts.pointer;
  }

  get #facts(): { readonly isOpen: boolean; readonly pointer: string } {
    return (this.#known ??= this.#findOut());
  }

  #findOut(): { isOpen: boolean; pointer: string } {
    const { path, isDecidedAlone } = this.#site;
    const pointer = path.map((step) => pointerSegment(String(step))).join("");
    return {
      isOpen: isDecidedAlone && reaches(this.#whole, path) && isSmall(this.#whole),
      pointer,
    };
  }
}

/** Whether a value is one that people can be shown. */
export function isSmall(value: JsonValue): boolean {
  if (typeof value === "string") return value.length <= 2 * MAXIMUM_STRING;
  if (typeof value !== "object" || value === null) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.length <= MAXIMUM_ITEMS && members.every(isSmall);
}
