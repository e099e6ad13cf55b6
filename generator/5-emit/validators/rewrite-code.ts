/**
 * Rewrites the body that AJV generated for a validator: findings go through functions that keep
 * their list short, and what the generated project never reads is left out.
 *
 * AJV writes one statement a line (`code.lines`), and no literal of its output spans lines. So a
 * pattern of whole lines can only match code, whatever strings the schema holds, and so can one
 * that reads a line from its start with each string as one token. All patterns are of these kinds.
 * The shapes are those of one exact version of AJV; `refuseUnknownShapes` fails the generation where
 * a later one writes something else.
 */

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** The shortest run of code and whole strings. */
const CODE = String.raw`(?:${STRING}|[^"\n])*?`;

const REPORT = new RegExp(
  String.raw`^const (err\d+) = (\{.*\});
if\(vErrors === null\)\{
vErrors = \[\1\];
\}
else \{
vErrors\.push\(\1\);
\}
errors\+\+;$`,
  "gm",
);

const FORGET = new RegExp(
  String.raw`^if\(vErrors !== null\)\{
if\((_errs\d+)\)\{
vErrors\.length = \1;
\}
else \{
vErrors = null;
\}
\}$`,
  "gm",
);

const JOIN = new RegExp(
  String.raw`^vErrors = vErrors === null \? (\w+(?:\.validate)?\.errors) : vErrors\.concat\(\1\);
errors = vErrors\.length;$`,
  "gm",
);

const SCHEMA_PATH = new RegExp(
  String.raw`^(${CODE}\{instancePath${CODE}),schemaPath:${CODE},keyword:`,
  "gm",
);

/** Only of these keywords does a server say more than the message. */
const READ_PARAMETERS = "enum|const|additionalProperties|unevaluatedProperties";
const UNREAD_PARAMETERS = new RegExp(
  String.raw`^(${CODE}keyword:"(?!(?:${READ_PARAMETERS})")[^"]+"),params:\{${CODE}\},message:`,
  "gm",
);

/** Where the message says all, nobody reads which keyword it was. */
const UNREAD_KEYWORD = new RegExp(
  String.raw`^(${CODE}\{instancePath${CODE}),keyword:"(?!(?:${READ_PARAMETERS})")[^"]+",message:`,
  "gm",
);

/** The same where unions ask. */
const KEYWORD_UNREAD_BY_UNIONS = new RegExp(
  String.raw`^(${CODE}\{instancePath${CODE}),keyword:"(?!(?:type|${READ_PARAMETERS})")[^"]+",message:`,
  "gm",
);

const SIGNATURE = /^function (\w+)\(data, \{instancePath="".*\}=\{\}\)\{$/m;

const CALL = new RegExp(
  String.raw`^(${CODE})\{instancePath:(${CODE}),parentData:${CODE},parentDataProperty:${CODE},rootData\}`,
  "gm",
);

const CALL_IN_PLACE = new RegExp(
  String.raw`^(${CODE})\{instancePath,parentData,parentDataProperty,rootData\}`,
  "gm",
);

/** What follows the keyword of a finding. */
const SAID_OF_KEYWORD = new RegExp(
  String.raw`^(${CODE}\{instancePath${CODE}keyword:"[^"]+"),.*(\}(?:\)|\]);)$`,
  "gm",
);

const COUNTING_LINE = /^(?:let errors = 0|errors\+\+|errors \+= [\w.]+\.errors\.length);\n/gm;

/** Where no alternative asks how many findings there are, whether there is one says enough. */
function withoutCounter(code: string): string {
  const plain = code
    .replace(COUNTING_LINE, "")
    .replace(/^return errors === 0;$/m, "return vErrors === null;");
  const isAsked = /(?<![\w$.])(?:errors|_errs\d+)\b/.test(withoutStrings(plain));
  return isAsked ? code : plain;
}

function withoutStrings(code: string): string {
  return code.replace(new RegExp(STRING, "g"), '""');
}

const INHERITING_LOOK_UP = /^if\(!(props\d+) \|\| !\1\[(key\d+)\]\)\{$/gm;

/** Keeps a property called `toString` from passing for an evaluated one, because every object has it. */
export function lookUpOwnKeys(code: string): string {
  return code.replace(INHERITING_LOOK_UP, "if(!$1 || !Object.hasOwn($1, $2)){");
}

export interface RewrittenCode {
  readonly code: string;
  /** The runtime pieces that it now calls. */
  readonly pieces: readonly string[];
}

/** How a validator's findings are read. */
export interface Reading {
  /** Nobody reads what a finding says beside its place and its keyword. */
  readonly namesKeywordsOnly: boolean;
  /** Unions in the schema weigh the findings of their alternatives. */
  readonly hasUnions: boolean;
}

export function rewriteCode(
  code: string,
  { namesKeywordsOnly, hasUnions }: Reading,
): RewrittenCode {
  const unread = hasUnions ? KEYWORD_UNREAD_BY_UNIONS : UNREAD_KEYWORD;
  const reporting = lookUpOwnKeys(code)
    .trim()
    // The one statement that AJV breaks: the parameters of `dependentRequired`.
    .replaceAll("\n    ", " ")
    .replace(REPORT, "vErrors = addIssue(vErrors, $2);\nerrors++;")
    .replace(FORGET, "vErrors = keepIssues(vErrors, $1);")
    .replace(JOIN, "vErrors = joinIssues(vErrors, $1);\nerrors += $1.length;")
    .replace(SCHEMA_PATH, "$1,keyword:")
    .replace(UNREAD_PARAMETERS, "$1,message:")
    .replace(SIGNATURE, 'function $1(data, instancePath = ""){')
    .replace(CALL, "$1$2")
    .replace(CALL_IN_PLACE, "$1instancePath");
  const rewritten = withoutCounter(
    namesKeywordsOnly
      ? reporting.replace(SAID_OF_KEYWORD, "$1$2")
      : reporting.replace(unread, "$1,message:"),
  );
  refuseUnknownShapes(rewritten);
  const pieces = ["addIssue", "keepIssues", "joinIssues"].filter((name) =>
    rewritten.includes(`vErrors = ${name}(`),
  );
  return { code: rewritten, pieces };
}

/** None of them follows a dot, where a schema's property can have any name: `data.require`. */
const REMNANT =
  /(?<![\w$.])(?:vErrors(?: =(?! (?:null|(?:add|keep|join)Issues\())|\.|\[)|parentData|rootData|dynamicAnchors|schemaPath|require|this)\b/;

function refuseUnknownShapes(code: string): void {
  const remnant = REMNANT.exec(withoutStrings(code));
  if (remnant !== null) throw new Error(`AJV wrote code of an unknown shape: ${remnant[0]}`);
}

/** Indents statements, by the braces at the ends of their lines, and sets spaces as people do. */
export function indentCode(code: string): string {
  let depth = 0;
  const lines = code.split("\n").map((line) => {
    if (line.startsWith("}")) depth -= 1;
    const spaced = line.replace(/^(if|for)\(/, "$1 (").replace(/\)\{$/, ") {");
    const indented = "  ".repeat(depth) + spaced;
    if (line.endsWith("{")) depth += 1;
    return indented;
  });
  return lines.join("\n");
}
