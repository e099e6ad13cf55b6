/*
 * Our own, since `@clack/prompts` 1.9 loses answers that are typed or pasted ahead of the next question, and does not
 * take Ctrl-D for giving up.
 */

/** Questions to a person, one after the other. */
export interface Questions {
  /** The answer without white space around it; `undefined` when the person gave up (Ctrl-C, Ctrl-D). */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

/**
 * Asks on a terminal. Lines are read through one iterator, so that answers typed or pasted ahead
 * are kept for the questions to come.
 */
export function openQuestions(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Questions {
  // Of no use to most runs, which it would cost time.
  const { createInterface } = process.getBuiltinModule("node:readline");
  const lines = createInterface({ input, output });
  const answers = lines[Symbol.asyncIterator]();
  return {
    ask: async (question) => {
      lines.setPrompt(question);
      lines.prompt();
      const { value, done } = await answers.next();
      if (done !== true) return value.trim();
      output.write("\n");
      return undefined;
    },
    close: () => lines.close(),
  };
}
