/**
 * Rewrites the code that AJV generated for a validator: findings are added by functions that limit their
 * number, and parts of findings that the generated project never reads are left out.
 *
 * AJV writes one statement per line (option `code.lines`), and no literal in its output spans lines.
 * Two kinds of patterns therefore match code only, whatever strings the schema holds: patterns of whole
 * lines, and patterns that read a line from its start with each string as one token. All patterns here
 * are of these kinds. They fit one exact version of AJV; if another version writes other code,
 * `refuseUnknownShapes` fails the generation.
 */

/** The first statement of each function: the empty list of findings. */
const NO_ISSUES = "const issues = { count: 0, list: [] };";

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** Code and whole strings of one line, as few as possible. */
const CODE = String.raw`(?:${STRING}|[^"\n])*?`;

/** AJV's variables at the start of a function. */
const START = /^let vErrors = null;\nlet errors = 0;$/m;

/** AJV's last statements in a function. */
const END = /^(\w+)\.errors = vErrors;\n([^]*)^return errors === 0;$/m;

/** AJV's statements that add one finding. */
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

/** The body of a function for the schema `false`. */
const REFUSAL = /^(\w+)\.errors = \[\{(.*)\}\];\nreturn false;$/m;

/** AJV's statements that remove the findings of a passing union. */
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

/** The statements by which `unions.ts` moves the findings of one alternative to a list of their own. */
const SET_ASIDE =
  /^(tried\d+)\.push\(func\d+\(vErrors, (_errs\d+)\)\);\nkeepIssues\(issues, \2\);$/gm;

/** Statements that append the findings of a called function or of a union. */
const JOIN = new RegExp(
  String.raw`^vErrors = vErrors === null \? (found\d+|\w+(?:\.validate)?\.errors) : vErrors\.concat\(\1\);
errors = vErrors\.length;$`,
  "gm",
);

/** The same of a union after `JOIN` was rewritten. */
const JOIN_OF_UNION = /^const (found\d+) = (.*);\njoinIssues\(issues, \1\);$/gm;

/** The members of a finding's object literal. */
const FINDING = new RegExp(
  String.raw`^instancePath(?::(?<place>${CODE}))?,schemaPath:${CODE},keyword:"(?<keyword>[^"]+)",params:\{(?<parameters>${CODE})\},message:(?<message>${CODE})(?:,propertyName:\w+)?$`,
);

/** Keywords whose findings keep their parameters: servers read them to say more than the message. */
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

/** A call for the value itself, or for one of its property names (`propertyNames`). */
const CALL_IN_PLACE = new RegExp(
  String.raw`^(${CODE})\{instancePath,parentData(?::\w+)?,parentDataProperty,rootData\}`,
  "gm",
);

/** AJV's counters of errors, outside strings. */
const COUNTER = new RegExp(String.raw`${STRING}|(?<![\w$.])(?:errors|_errs(\d+))\b`, "g");

const NO_STATEMENT = /^if\((.*)\)\{\n\}\nelse \{$/gm;

/** A statement that creates the record of evaluated properties. */
const NEW_RECORD = /^(var props\d+ = |(props\d+) = \2 \|\| )\{\};$/gm;

/**
 * Makes the records of evaluated properties objects without a prototype. Otherwise `toString` would
 * always count as evaluated, and `__proto__` could not be recorded.
 */
function withoutPrototypes(code: string): string {
  return code.replace(NEW_RECORD, "$1Object.create(null);");
}

/** How much the findings of a validator say. */
export interface FindingOptions {
  /** True if findings give their place and keyword only. */
  readonly namesKeywordsOnly: boolean;
  /** True if the schema has unions, which compare findings by keyword. */
  readonly hasUnions: boolean;
}

/**
 * Rewrites the code of one function as described above.
 *
 * @throws if the code has statements that AJV is not known to write
 */
export function rewriteCode(code: string, options: FindingOptions): string {
  const rewritten = withoutPrototypes(code)
    .trim()
    // The only statement that AJV breaks into lines: the parameters of `dependentRequired`.
    .replaceAll("\n    ", " ")
    .replace(START, NO_ISSUES)
    .replace(REPORT, (_, _name: string, finding: string) => writeReport(finding, options))
    .replace(FORGET, "keepIssues(issues, $1);")
    .replace(SET_ASIDE, "setAside($1, issues, $2);")
    .replace(JOIN, "joinIssues(issues, $1);")
    .replace(JOIN_OF_UNION, "joinIssues(issues, $2);")
    .replace(END, "$2return conclude($1, issues);")
    .replace(REFUSAL, (_, name: string, finding: string) => writeRefusal(name, finding, options))
    .replace(SIGNATURE, "function $1(data, instancePath){")
    .replace(CALL, "$1$2")
    .replace(CALL_IN_PLACE, "$1instancePath")
    .replace(NO_STATEMENT, "if(!($1)){")
    .replace(/^let (data\d+) = /gm, "const $1 = ");
  const renamed = renameCounters(rewritten);
  refuseUnknownShapes(renamed);
  return renamed;
}

function writeReport(finding: string, { namesKeywordsOnly, hasUnions }: FindingOptions): string {
  // AJV writes an empty finding where nobody will read it.
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

function writeRefusal(name: string, finding: string, options: FindingOptions): string {
  return `${NO_ISSUES}
${writeReport(finding, options)}
return conclude(${name}, issues);`;
}

/** `_errs3` becomes `before3`, and `errors` becomes `issues.count`. */
function renameCounters(code: string): string {
  return code.replace(COUNTER, (token: string, number?: string) => {
    if (number !== undefined) return `before${number}`;
    return token === "errors" ? "issues.count" : token;
  });
}

/**
 * Names that only AJV's own code has. A match never follows a dot, since a property in a schema can have any
 * name: `data.require`.
 */
const REMNANT =
  /(?<![\w$.])(?:vErrors|parentData|rootData|dynamicAnchors|schemaPath|require|this)\b/;

function refuseUnknownShapes(code: string): void {
  const remnant = REMNANT.exec(code.replace(new RegExp(STRING, "g"), '""'));
  if (remnant !== null) throw new Error(`AJV wrote code of an unknown shape: ${remnant[0]}`);
}
