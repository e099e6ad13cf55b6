import { SettingError } from "../engine/errors.js";
import { textOfVariable } from "../engine/variable-url.js";

/** The value of a setting, from the manifest or from an environment variable. */
export type SettingValue = string | URL | undefined;

/**
 * Returns the text of a setting.
 *
 * @param what The setting's path in the manifest, for the error message.
 * @throws SettingError if its environment variable is not set
 */
export function textOf(value: SettingValue, what: string): string {
  if (value === undefined || value === "") throw new SettingError(`${what} has no value`);
  return textOfVariable(value);
}

/**
 * Returns the identifiers that a setting may mean. A URL without a path gives two, with and without a final
 * slash, since issuers use both forms and people write either.
 */
export function identifiersOf(value: SettingValue, what: string): string[] {
  const text = textOf(value, what);
  const hasNoPath = value instanceof URL && value.pathname === "/" && value.search === "";
  return hasNoPath ? [value.href, value.href.slice(0, -1)] : [text];
}

/**
 * Returns the URL of an authorization server, or of a page on it.
 *
 * @throws SettingError if it is neither https nor http on this machine
 */
export function secureUrl(value: SettingValue, what: string): URL {
  const text = textOf(value, what);
  if (!URL.canParse(text) || !isSecure(new URL(text))) {
    throw new SettingError(`${what} must be an https URL, or an http URL of this machine`);
  }
  const url = new URL(text);
  // `fetch` refuses such a URL, and its error message would contain the password.
  if (url.username + url.password !== "") {
    throw new SettingError(`${what} must be a URL without a user and a password`);
  }
  return url;
}

/** Whether nobody on the network can change the answers. This holds for https and for this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
