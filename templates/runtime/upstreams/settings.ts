import { resolve } from "node:path";
import { readRegularFile, UnusableFileError } from "../engine/regular-file.js";
import { textOfVariable } from "../engine/variable-url.js";
import type { Setting, UpstreamDefinition } from "./definition.js";

/** A setting with which the server cannot start. The message names the setting and does not have its value. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Reads the settings of an upstream from its definition and the environment. */
export class Settings {
  readonly #env: Readonly<Record<string, unknown>>;
  readonly #root: string;

  /** @param root the folder that paths are relative to */
  constructor(env: unknown, root: string) {
    this.#env = (env ?? {}) as Readonly<Record<string, unknown>>;
    this.#root = root;
  }

  /** The text of a setting; undefined if its variable is not set. */
  text(setting: Setting): string | undefined {
    if (typeof setting === "string") return setting;
    const value = this.#env[setting.env];
    return value === undefined ? undefined : textOfVariable(value);
  }

  /**
   * The http or https URL in a setting.
   *
   * @param description of the setting, for messages
   * @throws SettingError if the setting has no such URL; the message does not have the value
   */
  url(setting: Setting, description: string): URL {
    const text = this.text(setting);
    const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
    const isWeb = url !== undefined && /^https?:$/.test(url.protocol);
    if (!isWeb || url.username !== "" || url.password !== "" || url.hash !== "") {
      const origin = typeof setting === "string" ? "" : ` (${setting.env})`;
      throw new SettingError(
        `${description}${origin} must be an http or https URL without a user, a password and a fragment`,
      );
    }
    return url;
  }

  /** The contents of an upstream's certificate files. @throws SettingError if a file cannot be read */
  certificates({ ca, cert, key }: UpstreamDefinition): Readonly<Record<string, Buffer>> {
    return Object.fromEntries(
      Object.entries({ ca, cert, key }).flatMap(([option, variable]) => {
        const path = variable === undefined ? undefined : this.text({ env: variable });
        return path === undefined ? [] : [[option, this.#file(path, variable ?? "")]];
      }),
    );
  }

  #file(path: string, variable: string): Buffer {
    try {
      return readRegularFile(resolve(this.#root, path));
    } catch (error) {
      const reason = error instanceof UnusableFileError ? `: ${error.message}` : "";
      throw new SettingError(`the file that ${variable} names cannot be read${reason}`);
    }
  }
}
