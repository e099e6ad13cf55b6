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

/** How a function of a validator starts: with what it has found so far. */
const NO_ISSUES = "const issues = { count: 0, list: [] };";

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** The shortest run of code and whole strings. */
const CODE = String.raw`(?:${STRING}|[^"\n])*?`;

const START = /^let vErrors = null;\nlet errors = 0;$/m;

const END = /^(\w+)\.errors = vErrors;\n([^]*)^return errors === 0;$/m;

const REPORT = new RegExp(
  String.raw`^const (err\d+) = \{(.*)\};
if\(vErrors === null\)\{
vErrors = \[\1\];
\}
else \{
vErrors\.push\(\1\);
\}
errors\+\+;$`,
  "gm",
);

/** The whole of a function for the schema `false`. */
const REFUSAL = /^(\w+)\.errors = \[\{(.*)\}\];\nreturn false;$/m;

const FORGET = new RegExp(
  String.raw`^errors = (_errs\d+);
if\(vErrors !== null\)\{
if\(\1\)\{
vErrors\.length = \1;
\}
else \{
vErrors = null;
\}
\}$`,
  "gm",
);

const SET_ASIDE =
  /^(tried\d+)\.push\(func\d+\(vErrors, (_errs\d+)\)\);\nkeepIssues\(issues, \2\);$/gm;

const JOIN = new RegExp(
  String.raw`^vErrors = vErrors === null \? (found\d+|\w+(?:\.validate)?\.errors) : vErrors\.concat\(\1\);
errors = vErrors\.length;$`,
  "gm",
);

const JOIN_OF_UNION = /^const (found\d+) = (.*);\njoinIssues\(issues, \1\);$/gm;

/** What stands between the braces of a finding. */
const FINDING = new RegExp(
  String.raw`^instancePath(?::(?<place>${CODE}))?,schemaPath:${CODE},keyword:"(?<keyword>[^"]+)",params:\{(?<parameters>${CODE})\},message:(?<message>${CODE})(?:,propertyName:\w+)?$`,
);

/** Only of these keywords does a server say more than the message. */
const READ_PARAMETERS: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
]);

const SIGNATURE = /^function (\w+)\(data, \{instancePath="".*\}=\{\}\)\{$/m;

const CALL = new RegExp(
  String.raw`^(${CODE})\{instancePath:(${CODE}),parentData:${CODE},parentDataProperty:${CODE},rootData\}`,
  "gm",
);

/** Where the value is itself, or a name in it, as `propertyNames` has it. */
const CALL_IN_PLACE = new RegExp(
  String.raw`^(${CODE})\{instancePath,parentData(?::\w+)?,parentDataProperty,rootData\}`,
  "gm",
);

/** Names of AJV's variables, outside strings. */
const VARIABLE = new RegExp(String.raw`${STRING}|(?<![\w$.])(?:errors|_errs(\d+))\b`, "g");

const NO_STATEMENT = /^if\((.*)\)\{\n\}\nelse \{$/gm;

const NEW_ACCOUNT = /^(var props\d+ = |(props\d+) = \2 \|\| )\{\};$/gm;

/**
 * Has evaluated properties kept in objects that inherit nothing: in others, each has a `toString`, and
 * `__proto__` cannot be kept.
 */
function withBareAccounts(code: string): string {
  return code.replace(NEW_ACCOUNT, "$1Object.create(null);");
}

/** How a validator's findings are read. */
export interface Reading {
  /** Nobody reads what a finding says beside its place and its keyword. */
  readonly namesKeywordsOnly: boolean;
  /** Unions in the schema weigh the findings of their alternatives. */
  readonly hasUnions: boolean;
}

export function rewriteCode(code: string, reading: Reading): string {
  const rewritten = withBareAccounts(code)
    .trim()
    // The one statement that AJV breaks: the parameters of `dependentRequired`.
    .replaceAll("\n    ", " ")
    .replace(START, NO_ISSUES)
    .replace(REPORT, (_, _name: string, finding: string) => writeReport(finding, reading))
    .replace(FORGET, "keepIssues(issues, $1);")
    .replace(SET_ASIDE, "setAside($1, issues, $2);")
    .replace(JOIN, "joinIssues(issues, $1);")
    .replace(JOIN_OF_UNION, "joinIssues(issues, $2);")
    .replace(END, "$2return conclude($1, issues);")
    .replace(REFUSAL, (_, name: string, finding: string) => writeRefusal(name, finding, reading))
    .replace(SIGNATURE, "function $1(data, instancePath){")
    .replace(CALL, "$1$2")
    .replace(CALL_IN_PLACE, "$1instancePath")
    .replace(NO_STATEMENT, "if(!($1)){")
    .replace(/^let (data\d+) = /gm, "const $1 = ");
  return withKnownNames(rewritten);
}

function writeReport(finding: string, { namesKeywordsOnly, hasUnions }: Reading): string {
  // Nobody will see it.
  if (finding === "") return "issues.count += 1;";
  const {
    place = "instancePath",
    keyword = "",
    parameters = "",
    message = "",
  } = FINDING.exec(finding)?.groups ?? {};
  if (keyword === "") throw new Error(`AJV wrote a finding of an unknown shape: ${finding}`);
  if (namesKeywordsOnly) return `addKeyword(issues, ${place}, "${keyword}");`;
  const details = READ_PARAMETERS.has(keyword)
    ? `, { keyword: "${keyword}", params: { ${parameters} } }`
    : hasUnions && keyword === "type"
      ? ', { keyword: "type" }'
      : "";
  return `addIssue(issues, ${place}, ${message}${details});`;
}

function writeRefusal(name: string, finding: string, reading: Reading): string {
  return `${NO_ISSUES}
${writeReport(finding, reading)}
return conclude(${name}, issues);`;
}

function withKnownNames(code: string): string {
  const named = code.replace(VARIABLE, (whole: string, number?: string) => {
    if (number !== undefined) return `before${number}`;
    return whole === "errors" ? "issues.count" : whole;
  });
  refuseUnknownShapes(named);
  return named;
}

/** None of them follows a dot, where a schema's property can have any name: `data.require`. */
const REMNANT =
  /(?<![\w$.])(?:vErrors|parentData|rootData|dynamicAnchors|schemaPath|require|this)\b/;

function refuseUnknownShapes(code: string): void {
  const remnant = REMNANT.exec(code.replace(new RegExp(STRING, "g"), '""'));
  if (remnant !== null) throw new Error(`AJV wrote code of an unknown shape: ${remnant[0]}`);
}
