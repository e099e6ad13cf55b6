import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isJsonObject, parsedJson, type JsonValue } from "../../model/json.js";
import type { CallAnswer, RecordedCall } from "../../record/recorder.js";

/** The file of a recording, beside the manifest. */
export const RECORDING_PATH = "mcpwright.recording.json";

/** A recording as it is kept: without secrets. */
export interface Recording {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly calls: readonly RecordedCall[];
}

const VERSION = 1;
/** The largest file that is read, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Writes a recording that only its owner may read, in place of a former one. @throws Error of the file system */
export function writeRecording(folder: string, recording: Recording): void {
  const path = join(folder, RECORDING_PATH);
  rmSync(path, { force: true });
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const descriptor = openSync(path, O_CREAT | O_EXCL | O_WRONLY, 0o600);
  try {
    writeFileSync(descriptor, `${JSON.stringify({ version: VERSION, ...recording })}\n`);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the recording in a folder. @returns why there is none that can be read */
export function readRecording(folder: string): Recording | { readonly reason: string } {
  let text: string;
  try {
    text = textOf(join(folder, RECORDING_PATH));
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? { reason: `there is no ${RECORDING_PATH}; name a server: a command behind --, or --url` }
      : { reason: `${RECORDING_PATH} cannot be read: ${code}` };
  }
  const value = parsedJson(text);
  const { version, at, calls } = isJsonObject(value) ? value : {};
  if (version !== VERSION || typeof at !== "number" || !Array.isArray(calls)) {
    return { reason: `${RECORDING_PATH} is no recording` };
  }
  return { at, calls: calls.flatMap(readCall) };
}

/** Removes the recording in a folder. */
export function removeRecording(folder: string): void {
  rmSync(join(folder, RECORDING_PATH), { force: true });
}

function textOf(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error("it is no file");
    if (stat.size > MOST_BYTES) throw new Error("it is too large");
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function readCall(value: JsonValue): RecordedCall[] {
  if (!isJsonObject(value)) return [];
  const { tool, arguments: given = null, answer = null } = value;
  const isCall = typeof tool === "string" && isJsonObject(given) && isJsonObject(answer);
  return isCall ? [{ tool, arguments: given, answer: answer as CallAnswer }] : [];
}
