/** Columns of a line of code. */
const WIDTH = 100;

/** An `if` whose block is one simple statement, and that has no `else`. */
const SINGLE_STATEMENT = /^(if\(.*\))\{\n((?!(?:if|for|let|const|var)\b)[^\n]*;)\n\}$(?!\nelse)/gm;

/**
 * Indents and wraps code. Each of its lines must be a statement, the start of a block or the end of one, and
 * no literal may span lines.
 */
export function layOut(code: string): string {
  const lines: string[] = [];
  let depth = 0;
  for (const line of withElse(withoutBraces(code)).split("\n")) {
    if (line.startsWith("}")) depth -= 1;
    const [head, statement] = line.split("\t");
    const indentation = "  ".repeat(depth);
    const whole = indentation + [head, statement].filter(Boolean).join(" ");
    if (statement === undefined || whole.length <= WIDTH) lines.push(whole);
    else lines.push(indentation + head, `${indentation}  ${statement}`);
    if (line.endsWith("{")) depth += 1;
  }
  return lines.join("\n");
}

/** Removes the braces around single statements. A tab then separates condition and statement. */
function withoutBraces(code: string): string {
  return code.replace(SINGLE_STATEMENT, "$1\t$2");
}

function withElse(code: string): string {
  return code
    .replaceAll("\n}\nelse {\n", "\n} else {\n")
    .replace(/^(if|for)\(/gm, "$1 (")
    .replace(/^for \(let (i\d+)=(\w+); \1<(.+); \1\+\+\)/gm, "for (let $1 = $2; $1 < $3; $1++)")
    .replace(/(?<=\S)\{$/gm, " {");
}
