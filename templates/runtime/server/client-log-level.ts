import { invalidParams } from "../engine/errors.js";
import type { LogLevel } from "../observe/log.js";
import { textParameter, type RequestParameters } from "../engine/request-parameters.js";

/** The protocol's levels, the least severe first. */
const levels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

/** Whether a value names a level. */
export function isLogLevel(value: unknown): boolean {
  return levels.some((level) => level === value);
}

/** The least severe level of which a client of the older eras wants log messages. At first it gets all. */
export class ClientLogLevel {
  #least = 0;

  /**
   * Sets the level that the parameters of `logging/setLevel` name.
   * @throws ProtocolError if they name no known level
   */
  set(parameters: RequestParameters): void {
    const level: string = textParameter(parameters, "level");
    const least = levels.findIndex((one) => one === level);
    if (least === -1) throw invalidParams(`Unknown log level; there are ${levels.join(", ")}`);
    this.#least = least;
  }

  /** Whether the client wants messages of a level. */
  includes(level: LogLevel): boolean {
    return levels.indexOf(level) >= this.#least;
  }
}
