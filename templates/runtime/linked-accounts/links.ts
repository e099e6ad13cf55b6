import { hash, randomBytes } from "node:crypto";
import { Seal } from "../sealing/seal.js";

/** How long a person may take from the question to the sign-in, in milliseconds. */
const LINK_MS = 10 * 60_000;

/** What the sign-in of one caller at one upstream is about. It is sealed, so that nobody else can make or read it. */
interface SignIn {
  readonly upstream: string;
  /** The digest of the principal, which has the same length for all. */
  readonly holder: string;
  /** Used up by the first answer of the authorization server. */
  readonly nonce: string;
  /** The process that knows whether the nonce was used. */
  readonly issuer: string;
  readonly expires: number;
}

/** What comes back from the authorization server as `state`. */
interface SignInState extends SignIn {
  /** The secret of PKCE, of which the authorization server has got the digest. */
  readonly verifier: string;
  /** The digest of the cookie of the browser that has opened the link. */
  readonly browser: string;
}

/** A link that a browser has opened, on its way to the authorization server. */
export interface OpenedLink {
  /** The `state` for the authorization server. */
  readonly state: string;
  /** The `code_challenge` for it, by the method S256. */
  readonly challenge: string;
  /** The value of the cookie by which the same browser is known when it comes back. */
  readonly cookie: string;
}

/** Why a link or a state is of no use, for the log. */
export class UselessLink extends Error {}

/** Seals links and states. A link is no state, and a state is no link. */
export class Links {
  readonly #links: Seal;
  readonly #states: Seal;
  readonly #issuer: string;
  readonly #now: () => number;

  /** @param keys The first seals, all open. @param issuer who knows which nonces were used */
  constructor(keys: readonly string[], issuer: string, now: () => number) {
    this.#links = new Seal(keys, "mcp account link");
    this.#states = new Seal(keys, "mcp account state");
    this.#issuer = issuer;
    this.#now = now;
  }

  /** The text of a link for one caller and one upstream. */
  make(upstream: string, holder: string): string {
    const signIn: SignIn = {
      ...{ upstream, holder, issuer: this.#issuer },
      nonce: randomBytes(18).toString("base64url"),
      expires: this.#now() + LINK_MS,
    };
    return this.#links.seal(signIn);
  }

  /** Opens a link of an upstream in a browser. @throws UselessLink */
  open(upstream: string, text: string | undefined): OpenedLink {
    const signIn = this.#checked(this.#links, upstream, text);
    const [verifier, cookie] = [randomText(), randomText()];
    const state: SignInState = { ...signIn, verifier, browser: sha256Of(cookie) };
    return { state: this.#states.seal(state), challenge: sha256Of(verifier), cookie };
  }

  /**
   * What a browser brings back from the authorization server.
   * @param cookie the cookie of the browser; undefined if it has none, or several
   * @throws UselessLink if it is not the browser that has opened the link, or the state is of another upstream or too old
   */
  return(upstream: string, text: string | undefined, cookie: string | undefined): SignInState {
    const state = this.#checked(this.#states, upstream, text) as SignInState;
    if (cookie === undefined || sha256Of(cookie) !== state.browser) {
      throw new UselessLink("another browser has opened the link");
    }
    return state;
  }

  #checked(seal: Seal, upstream: string, text: string | undefined): SignIn {
    const signIn = text === undefined ? undefined : (seal.open(text) as SignIn | undefined);
    if (signIn === undefined) throw new UselessLink("it was not sealed with this server's key");
    if (signIn.upstream !== upstream) throw new UselessLink("it belongs to another upstream");
    if (signIn.issuer !== this.#issuer) throw new UselessLink("another process has made it");
    const remainingMs = signIn.expires - this.#now();
    if (remainingMs < 0 || remainingMs > 2 * LINK_MS) throw new UselessLink("it has expired");
    return signIn;
  }
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** The SHA-256 digest of a text, as PKCE wants it. */
export function sha256Of(text: string): string {
  return hash("sha256", text, "base64url");
}
