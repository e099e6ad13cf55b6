import type { CredentialModel } from "../model/auth.js";
import type { ManifestSetting } from "../model/manifest.js";

/**
 * A kind of credentials that callers show: all that the phases must know of it. Its members are methods, so that a
 * table can hold all kinds.
 *
 * @typeParam Given what the manifest has under its key: one, or one entry of the list
 */
export interface CredentialDefinition<Model = CredentialModel, Given = object> {
  /** In words, for people. */
  readonly words: string;
  /** True for tokens of an authorization server, which are issued for `resource`. */
  readonly isToken: boolean;
  /** True if the key of `auth` has a list of them. */
  readonly isList: boolean;
  /** The settings that may come from an environment variable, and what they hold. */
  readonly settings: Readonly<Record<string, "url" | "text" | "secret" | "keys">>;
  /** The runtime's type of a caller who has shown them. */
  readonly callerType: string;
  /** The functions of the runtime that read them. */
  readonly factories: readonly string[];
  /** The packages that the project needs for them. */
  readonly packages: readonly "jose"[];

  /**
   * Fills in every default.
   *
   * @param audience whom tokens must be issued for, unless the manifest says it
   */
  read(given: Given, audience: readonly ManifestSetting[]): Model;

  /** In words, what is accepted. What two manifests name alike is the same. */
  accepted(given: Given): string;
  /** In words, what one accepts and the other does not, where both are named alike. */
  acceptedOnlyBy?(one: Given, other: Given): string[];

  /** The call of the runtime's function that reads them. */
  factoryCall(model: Model): FactoryCall;

  /** What SERVER.md says of them: an entry of a list, in Markdown. */
  sentence(model: Model): string;
  /** True if a call may have to wait for an authorization server. */
  asksServer(model: Model): boolean;
  /** When that server is asked, as a sentence of SERVER.md; absent if it is asked for every new token. */
  readonly askedWhen?: string;
  /** True if they can be withdrawn before they expire. */
  mayBeWithdrawn(model: Model): boolean;
  /** The environment variable that says where they are, with its description. */
  variable?(model: Model): { readonly name: string; readonly description: string } | undefined;
}

/** A call of one of the runtime's functions. */
export interface FactoryCall {
  /** The entry of the runtime that has the function. */
  readonly entry: string;
  readonly name: string;
  /** What the function gets: one setting, or an object in which `settings` of the kind says what is one. */
  readonly given: { readonly setting: ManifestSetting } | { readonly settings: object };
}
