import { ToolError } from "../engine/errors.js";

/** An answer of an upstream, or a part of it, cannot be read as its reader wants it. */
export class UnreadableError extends ToolError {
  /** What is wrong with it, in words that follow on "its answer breaks the schema". */
  readonly problem: string;
  /** The sentence about it, without what follows from the status. */
  readonly sentence: string;

  /** @param carriedOut says that the request was carried out; empty if it may be repeated */
  constructor(sentence: string, problem: string, carriedOut = "") {
    super([sentence, carriedOut].filter(Boolean).join(" "));
    this.problem = problem;
    this.sentence = sentence;
  }
}

/** The words that a request with this status must not be repeated; they follow "It had" or "The upstream". */
export function carriedOutWith(status: string): string {
  return `answered ${status}: the request was carried out and needs no repetition.`;
}

/** What is wrong with an answer of which only some bytes could be read. @param sentence why */
export function breakageProblem(status: string, bytes: number, sentence: string): string {
  const reason = sentence.replace(/\.$/, "");
  return `only ${bytes} bytes of the answer ${status} could be read: ${reason}`;
}
