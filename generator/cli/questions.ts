/*
 * This is not `@clack/prompts`: version 1.9 loses answers that a person types or pastes before the question
 * appears, and Ctrl-D does not end it.
 */

/** Asks a person questions, one after the other. */
export interface Questions {
  /** Returns the trimmed answer, or `undefined` if the person gave up with Ctrl-C or Ctrl-D. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

/**
 * Asks on a terminal. One iterator reads all lines, so that answers that a person types or pastes early are used
 * for the next questions.
 */
export function openQuestions(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Questions {
  // Loaded here, since most runs do not need it and would take longer.
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
