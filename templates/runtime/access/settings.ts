import { SettingError } from "../http/setting-error.js";

/** The value of a setting: as the manifest has it, or that of an environment variable. */
export type SettingValue = string | URL | undefined;

/**
 * The text of a setting.
 *
 * @param what The setting's place in the manifest, for the message.
 * @throws SettingError where its variable is not set
 */
export function textOf(value: SettingValue, what: string): string {
  if (value === undefined || value === "") throw new SettingError(`${what} has no value`);
  return String(value);
}

/**
 * The texts that a setting stands for. A variable of the type `url` has lost whether a slash stood
 * after the host, and issuers are written in both ways.
 */
export function identifiersOf(value: SettingValue, what: string): string[] {
  const text = textOf(value, what);
  const mayEndWithoutSlash = value instanceof URL && value.pathname === "/" && value.search === "";
  return mayEndWithoutSlash ? [text, text.slice(0, -1)] : [text];
}

/**
 * The URL of an authorization server, or of a page of it.
 *
 * @throws SettingError unless it is https, or http on this machine
 */
export function secureUrl(value: SettingValue, what: string): URL {
  const text = textOf(value, what);
  if (!URL.canParse(text) || !isSecure(new URL(text))) {
    throw new SettingError(`${what} must be an https URL, or an http URL of this machine`);
  }
  const url = new URL(text);
  // `fetch` takes no such URL, and its message would have the password.
  if (url.username + url.password !== "") {
    throw new SettingError(`${what} must be a URL without a user and a password`);
  }
  return url;
}

/** Whether nobody between this machine and the URL's host can change what comes from there. */
export function isSecure({ protocol, hostname }: URL): boolean {
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
