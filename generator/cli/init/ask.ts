import { printable } from "../../text/printable.js";
import type { Questions } from "../questions.js";
import { transportsOf } from "../specification.js";
import { BODY_STARTERS, nameProblem, toolProblem, usualTool, type Starter } from "./starter.js";

/** What the command line has said already, and what is suggested for the name. */
export interface GivenAnswers {
  readonly suggestedName: string;
  readonly name?: string;
  readonly transports?: ReadonlySet<string>;
  readonly tool?: Starter["tool"];
  /** Whether the minimal manifest is wanted, so that its tool is code. */
  readonly isMinimal: boolean;
}

/** Asks for what is missing; says why an answer will not do, and asks again. `undefined` when the person gave up. */
export async function askStarter(
  questions: Questions,
  say: (text: string) => void,
  given: GivenAnswers,
): Promise<Starter | undefined> {
  const ask = (question: Question): Promise<string | undefined> => answer(questions, say, question);

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
  const body = BODY_STARTERS.find((one) => one === kind);
  if (body !== undefined) return body;
  const name = await ask(toolQuestion);
  if (name === undefined) return undefined;
  const description = await ask(descriptionQuestion(name));
  return description === undefined ? undefined : { name, description };
}

interface Question {
  readonly text: string;
  readonly suggestion: string;
  /** Why an answer will not do; `undefined` for a good one. */
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

/** A tool or a resource may be said in the manifest, without code. */
const kindQuestion: Question = {
  text: "What it starts with: code of yours, a directory of files, exec of a program, an http request, or an sql statement",
  suggestion: "code",
  problem: (kind) =>
    ["code", ...BODY_STARTERS].includes(kind)
      ? undefined
      : "write code, directory, exec, http or sql",
};

const toolQuestion: Question = {
  text: "Name of its first tool",
  suggestion: usualTool.name,
  problem: (name) => toolProblem({ ...usualTool, name }),
};

function descriptionQuestion(name: string): Question {
  return {
    text: `What ${name} does`,
    suggestion: usualTool.description,
    problem: (description) => toolProblem({ name, description }),
  };
}

async function answer(
  questions: Questions,
  say: (text: string) => void,
  { text, suggestion, problem }: Question,
): Promise<string | undefined> {
  for (;;) {
    const given = await questions.ask(`${text} (${suggestion}): `);
    if (given === undefined) return undefined;
    const chosen = given === "" ? suggestion : given;
    const reason = problem(chosen);
    if (reason === undefined) return chosen;
    say(`  ${printable(reason)}\n`);
  }
}
