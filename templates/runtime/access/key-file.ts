import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { VerificationServer } from "../authentication/authenticate.js";
import { describeError } from "../engine/describe-error.js";
import { readRegularFile, UnusableFileError } from "../engine/regular-file.js";
import { apiKeys } from "./api-keys.js";
import type { SettingValue } from "./settings.js";
import type { TokenVerifier } from "./verification.js";

/** The minimum time between two checks whether the file has changed, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Makes a verifier for the API keys in a file. The file may change while the server runs: after a second at
 * most, added keys are valid and removed keys are refused. Without a file no key is valid.
 *
 * @param now Returns the time in milliseconds.
 * @throws SettingError if a line is not a key when the server starts
 */
export function apiKeysIn(
  file: SettingValue,
  server: VerificationServer,
  now: () => number = () => performance.now(),
): TokenVerifier {
  if (file === undefined || file === "") return apiKeys(undefined);
  const keys = new KeyFile(String(file), server);
  let checkedAt = now();
  return {
    verify: (token) => {
      if (now() - checkedAt >= CHECK_INTERVAL_MS) {
        checkedAt = now();
        keys.refresh();
      }
      return keys.verifier.verify(token);
    },
  };
}

/** The verifier for the keys in a file, and the version of the file that it was made from. */
class KeyFile {
  readonly #file: string;
  readonly #path: string;
  readonly #log: VerificationServer["log"];
  /** Changes when the file changes. Undefined if the file could not be read. */
  #version: string | undefined;
  verifier: TokenVerifier = apiKeys(undefined);

  constructor(file: string, { root, log }: VerificationServer) {
    this.#file = file;
    this.#path = resolve(root, file);
    this.#log = log;
    this.#read();
  }

  /** Reads the file again if it has changed. If a line is invalid, the previous keys stay valid. */
  refresh(): void {
    if (this.#version === this.#fileVersion()) return;
    try {
      this.#read();
    } catch (error) {
      const data = { file: this.#file, cause: describeError(error) };
      this.#log.error("the file of API keys is wrong, and the keys of before stay valid", data);
    }
  }

  #read(): void {
    this.#version = this.#fileVersion();
    try {
      this.verifier = apiKeys(readRegularFile(this.#path).toString("utf8"));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const cause = error instanceof UnusableFileError ? message : code;
      if (cause === undefined) throw error;
      this.verifier = apiKeys(undefined);
      const data = { file: this.#file, cause };
      this.#log.error("the file of API keys cannot be read, and so no key is known", data);
    }
  }

  #fileVersion(): string | undefined {
    try {
      const { ino, size, mtimeNs } = statSync(this.#path, { bigint: true });
      return `${ino}:${size}:${mtimeNs}`;
    } catch {
      return undefined;
    }
  }
}
