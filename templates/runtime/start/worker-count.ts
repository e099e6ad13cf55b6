import { availableParallelism } from "node:os";
import type { TransportDefinition } from "../engine/definition.js";
import type { HttpDefinition } from "../http/definition.js";
import {
  workersOption,
  workersVariable,
  type StartFlags,
  type TransportType,
} from "./command-line.js";

/** Most processes that serve together. */
const maxWorkers = 256;

/**
 * The number of processes that serve together. With 1, this process serves alone.
 * @param text What the option or the variable says.
 * @param served The transports that are served.
 * @throws Error with a message for the user if the number is none, or something that is served cannot be divided
 */
export function workerCount(
  text: string,
  { values, mock }: StartFlags,
  declared: readonly TransportDefinition[],
  served: ReadonlySet<TransportType>,
): number {
  const hasOption = values[workersOption.name] !== undefined;
  const setting = hasOption ? `--${workersOption.name}` : workersVariable;
  const count = readCount(setting, text);
  if (count === 1) return 1;
  const problem = mock ? "--mock serves in one process" : undivided(declared, served);
  if (problem === undefined) return count;
  throw new Error(`${setting} asks for ${count} processes, and ${problem}`);
}

/** @throws Error with a message for the user if the text is no such number */
function readCount(setting: string, text: string): number {
  if (text === "auto") return availableParallelism();
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= maxWorkers) return count;
  throw new Error(`${setting} must be auto, or a whole number from 1 to ${maxWorkers}`);
}

/** Why several processes cannot serve these transports together; undefined if they can. */
function undivided(
  declared: readonly TransportDefinition[],
  served: ReadonlySet<TransportType>,
): string | undefined {
  const others = [...served].filter((type) => type !== "http");
  if (!served.has("http"))
    return `only the transport http can be divided, not ${others.join(", ")}`;
  if (others.length > 0) {
    return `only the transport http can be divided, not ${others.join(", ")}: start with --http alone`;
  }
  const http = declared.find(isHttp);
  return hasSessions(declared) && http?.trustProxy !== 0
    ? "a session belongs to one process, which the address of its client finds: behind a proxy (`trustProxy`), all clients have the same one"
    : undefined;
}

/** Whether clients over HTTP have sessions. */
export function hasSessions(declared: readonly TransportDefinition[]): boolean {
  return declared.find(isHttp)?.sessions === "memory";
}

function isHttp(transport: TransportDefinition): transport is HttpDefinition {
  return transport.type === "http";
}
