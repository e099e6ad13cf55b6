import { layOutAfter } from "./lay-out-expression.js";
import { isNarrow, LINE_WIDTH } from "./line-width.js";
import { quoted } from "./quoted.js";

/** The end of each test file. */
const RUN = "test.run();";

/** A starter test: there is one for each handler. */
const TEST_ONCE_WRITTEN =
  /^await testOnceWritten\(test, (?<title>"(?:[^"\\\n]|\\.)*"), async \(\) => \{\n *const answer = await (?<call>\w+\(.*\));\n *assert\.is\.not\(answer, undefined\);\n *\}\);$/;

/**
 * A statement of a test in prettier's layout.
 *
 * @returns `undefined` where only prettier knows the layout
 */
export function layOutTestStatement(text: string): string | undefined {
  if (text === RUN) return text;
  const { title = "", call } = TEST_ONCE_WRITTEN.exec(text)?.groups ?? {};
  if (call === undefined) return undefined;
  const opening = `await testOnceWritten(test, ${quoted(title)}, async () => {`;
  if (opening.length > LINE_WIDTH || !isNarrow(opening)) return undefined;
  const start = "  const answer = await ";
  const answer = layOutAfter(start, call);
  if (answer === undefined) return undefined;
  return `${opening}\n${start}${answer};\n  assert.is.not(answer, undefined);\n});`;
}
