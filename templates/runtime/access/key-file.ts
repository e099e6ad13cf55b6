import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { VerificationServer } from "../authentication/authenticate.js";
import { describeError } from "../engine/describe-error.js";
import { apiKeys } from "./api-keys.js";
import type { SettingValue } from "./settings.js";
import type { TokenVerifier } from "./verification.js";

/** How long a change of the file may go unseen, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Knows machines by the keys of a file, which may change while the server runs: a key counts from a second
 * after it stands in the file, and a key that is taken out is refused as soon. Without a file there are none.
 *
 * @param now the time in milliseconds
 * @throws SettingError where a line is no key when the server starts
 */
export function apiKeysIn(
  file: SettingValue,
  server: VerificationServer,
  now: () => number = () => performance.now(),
): TokenVerifier {
  if (file === undefined || file === "") return apiKeys(undefined);
  const keys = new KeyFile(String(file), server);
  let lookedAt = now();
  return {
    verify: (token) => {
      if (now() - lookedAt >= LOOK_AGAIN_MS) {
        lookedAt = now();
        keys.lookAgain();
      }
      return keys.verifier.verify(token);
    },
  };
}

class KeyFile {
  readonly #file: string;
  readonly #path: string;
  readonly #log: VerificationServer["log"];
  /** What tells one state of the file from another; undefined where it could not be read. */
  #version: string | undefined;
  verifier: TokenVerifier = apiKeys(undefined);

  constructor(file: string, { root, log }: VerificationServer) {
    this.#file = file;
    this.#path = resolve(root, file);
    this.#log = log;
    this.#read();
  }

  /** Reads the file again where it has changed. While a line of it is no key, the keys of before are valid. */
  lookAgain(): void {
    if (this.#version === this.#found()) return;
    try {
      this.#read();
    } catch (error) {
      const data = { file: this.#file, cause: describeError(error) };
      this.#log.error("the file of API keys is wrong, and the keys of before stay valid", data);
    }
  }

  #read(): void {
    this.#version = this.#found();
    try {
      this.verifier = apiKeys(readFileSync(this.#path, "utf8"));
    } catch (error) {
      const { code: cause } = error as NodeJS.ErrnoException;
      if (cause === undefined) throw error;
      this.verifier = apiKeys(undefined);
      const data = { file: this.#file, cause };
      this.#log.error("the file of API keys cannot be read, and so no key is known", data);
    }
  }

  #found(): string | undefined {
    try {
      const { ino, size, mtimeNs } = statSync(this.#path, { bigint: true });
      return `${ino}:${size}:${mtimeNs}`;
    } catch {
      return undefined;
    }
  }
}
