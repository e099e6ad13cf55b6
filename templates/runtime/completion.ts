import type { CompleteResult } from "@modelcontextprotocol/server";
import type { ServerDefinition } from "./definition.js";
import { invalidParams } from "./errors.js";
import {
  echo,
  objectParameter,
  textParameter,
  type RequestParameters,
} from "./request-parameters.js";

/** The protocol's cap on the values of one answer. */
const mostValues = 100;

interface Candidate {
  readonly value: string;
  readonly folded: string;
}

/** The values offered for each argument of one prompt, or each variable of one template. */
type Candidates = ReadonlyMap<string, readonly Candidate[]>;

/** Answers `completion/complete` from the lists of the manifest. */
export class Completion {
  readonly #prompts: ReadonlyMap<string, Candidates>;
  readonly #resources: ReadonlyMap<string, Candidates>;

  constructor({ prompts, resources, resourceTemplates }: ServerDefinition) {
    this.#prompts = new Map(
      prompts.map(({ definition, complete }) => [definition.name, candidates(complete)]),
    );
    this.#resources = new Map([
      ...resources.map(({ definition }) => [definition.uri, candidates({})] as const),
      ...resourceTemplates.map(
        ({ definition, complete }) => [definition.uriTemplate, candidates(complete)] as const,
      ),
    ]);
  }

  /** Whether any argument or variable has values to offer. */
  get isOffered(): boolean {
    return [...this.#prompts.values(), ...this.#resources.values()].some((one) => one.size > 0);
  }

  /**
   * The values that start with what was typed, whatever its case.
   * @throws ProtocolError -32602 for a prompt or template that does not exist
   */
  complete(parameters: RequestParameters): CompleteResult {
    const offered = this.#find(objectParameter(parameters, "ref"));
    const argument = objectParameter(parameters, "argument");
    const typed = textParameter(argument, "value").toLowerCase();
    const all = offered.get(textParameter(argument, "name")) ?? [];
    const matching = all.filter(({ folded }) => folded.startsWith(typed));
    const values = matching.slice(0, mostValues).map(({ value }) => value);
    const total = matching.length;
    return { completion: { values, total, hasMore: total > values.length } };
  }

  #find(reference: RequestParameters): Candidates {
    const type = textParameter(reference, "type");
    if (type === "ref/prompt") {
      const name = textParameter(reference, "name");
      const found = this.#prompts.get(name);
      if (found === undefined) throw invalidParams(`Prompt ${echo(name)} not found`);
      return found;
    }
    if (type !== "ref/resource") throw invalidParams(`Unknown reference type ${echo(type)}`);
    const uri = textParameter(reference, "uri");
    const found = this.#resources.get(uri);
    if (found === undefined) throw invalidParams(`Resource template ${echo(uri)} not found`);
    return found;
  }
}

function candidates(lists: Readonly<Record<string, readonly string[]>> = {}): Candidates {
  return new Map(
    Object.entries(lists).map(([name, values]) => [
      name,
      values.map((value) => ({ value, folded: value.toLowerCase() })),
    ]),
  );
}
