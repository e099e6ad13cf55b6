import { digestOf } from "../sealing/digest.js";
import { Seal } from "../sealing/seal.js";
import { ToolError } from "../engine/errors.js";
import type { NextPage } from "./pages.js";

/** The time for which a cursor is valid, in milliseconds. Services forget where a list was sooner or later, too. */
const LIFE_MS = 24 * 60 * 60 * 1_000;

/** A page in the form that callers keep. */
interface SealedPage {
  readonly page: NextPage;
  /** The digest of the request to which the page belongs. */
  readonly of: string;
  readonly expires: number;
}

/**
 * The cursors with which callers ask for further pages of one request. They are sealed, since an upstream may name a page
 * by a URL, which nobody else may choose, or which has a secret.
 */
export class PageCursors {
  readonly #seal: Seal;
  readonly #request: string;
  readonly #now: () => number;

  /**
   * @param keys the first seals, all open
   * @param request what the cursors belong to: a request without its page, and who sends it, as a JSON value
   */
  constructor(keys: readonly string[], request: unknown, now = Date.now) {
    this.#seal = new Seal(keys, "mcp page cursor");
    this.#request = digestOf(request);
    this.#now = now;
  }

  seal(page: NextPage): string {
    const sealed: SealedPage = { page, of: this.#request, expires: this.#now() + LIFE_MS };
    return this.#seal.seal(sealed);
  }

  /** @throws ToolError for anything but a cursor of this request, and for one that has expired */
  open(cursor: string): NextPage {
    const sealed = this.#seal.open(cursor) as SealedPage | undefined;
    if (sealed === undefined) throw refused("is none of this tool");
    if (sealed.of !== this.#request) throw refused("belongs to a call with other arguments");
    if (sealed.expires < this.#now()) throw refused("has expired");
    return sealed.page;
  }
}

function refused(reason: string): ToolError {
  const advice = "Repeat the arguments of the call that gave it, or leave it out to begin again.";
  return new ToolError(`The cursor ${reason}. ${advice}`);
}
