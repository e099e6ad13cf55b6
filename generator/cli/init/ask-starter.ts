import { BODIES, STARTING_BODIES } from "../../bodies/index.js";
import { eitherOf } from "../../model/catalogue/message-parts.js";
import { printable } from "../../text/printable.js";
import type { Questions } from "../questions.js";
import { transportsOf } from "../specification.js";
import { nameProblem, toolProblem, defaultTool, type Starter } from "./starter.js";

/** The answers that the command line already contains, and a suggestion for the name. */
export interface GivenAnswers {
  readonly suggestedName: string;
  readonly name?: string;
  readonly transports?: ReadonlySet<string>;
  readonly tool?: Starter["tool"];
  /** True if the command line asks for the minimal manifest, whose tool is code. */
  readonly isMinimal: boolean;
}

/**
 * Asks for all missing answers. After an answer that is not valid, it says why and asks again.
 *
 * @returns undefined if the person gave up
 */
export async function askStarter(
  questions: Questions,
  say: (text: string) => void,
  given: GivenAnswers,
): Promise<Starter | undefined> {
  const ask = (question: Question): Promise<string | undefined> =>
    askUntilValid(questions, say, question);

  const name = given.name ?? (await ask(nameQuestion(given.suggestedName)));
  if (name === undefined) return undefined;
  const transports = given.transports ?? transportsOf((await ask(transportQuestion)) ?? "");
  if (transports === undefined) return undefined;
  const tool = given.tool ?? (await askTool(ask, given.isMinimal));
  return tool === undefined ? undefined : { name, transports, tool };
}

async function askTool(
  ask: (question: Question) => Promise<string | undefined>,
  isMinimal: boolean,
): Promise<Starter["tool"] | undefined> {
  const kind = isMinimal ? "code" : await ask(kindQuestion);
  if (kind === undefined) return undefined;
  const body = STARTING_BODIES.find((starter) => starter === kind);
  if (body !== undefined) return body;
  const name = await ask(toolQuestion);
  if (name === undefined) return undefined;
  const description = await ask(descriptionQuestion(name));
  return description === undefined ? undefined : { name, description };
}

interface Question {
  readonly text: string;
  readonly suggestion: string;
  /** Why an answer is not valid. `undefined` if it is valid. */
  readonly problem: (answer: string) => string | undefined;
}

function nameQuestion(suggestion: string): Question {
  return { text: "Name of the server", suggestion, problem: nameProblem };
}

const transportQuestion: Question = {
  text: "Transports: stdio, http, or stdio,http",
  suggestion: "stdio",
  problem: (types) =>
    transportsOf(types) === undefined ? "write stdio, http, or stdio,http" : undefined,
};

const kinds = [...STARTING_BODIES].sort();

/** Asks whether the first item is code, or has a body in the manifest. */
const kindQuestion: Question = {
  text: `What it starts with: ${eitherOf(["code of yours", ...kinds.map((kind) => BODIES[kind].starter ?? kind)])}`,
  suggestion: "code",
  problem: (kind) =>
    ["code", ...kinds].includes(kind) ? undefined : `write ${eitherOf(["code", ...kinds])}`,
};

const toolQuestion: Question = {
  text: "Name of its first tool",
  suggestion: defaultTool.name,
  problem: (name) => toolProblem({ ...defaultTool, name }),
};

function descriptionQuestion(name: string): Question {
  return {
    text: `What ${name} does`,
    suggestion: defaultTool.description,
    problem: (description) => toolProblem({ name, description }),
  };
}

async function askUntilValid(
  questions: Questions,
  say: (text: string) => void,
  { text, suggestion, problem }: Question,
): Promise<string | undefined> {
  for (;;) {
    const typed = await questions.ask(`${text} (${suggestion}): `);
    if (typed === undefined) return undefined;
    const chosen = typed === "" ? suggestion : typed;
    const reason = problem(chosen);
    if (reason === undefined) return chosen;
    say(`  ${printable(reason)}\n`);
  }
}
