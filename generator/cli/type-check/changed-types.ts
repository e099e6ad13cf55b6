/** The words that a module mentions if it depends on a type that changes. */
export interface ChangedTypes {
  /** Names of declarations, and of environment variables. */
  readonly names: ReadonlySet<string>;
  /** Names of items, which modules write in quotes as arguments of generic types and of functions. */
  readonly texts: ReadonlySet<string>;
}

/** An exported declaration of a module of types. */
interface Declaration {
  readonly code: string;
  /**
   * True for a generic type, or for the table that a generic type looks names up in. Its change affects only modules
   * that mention a changed entry.
   */
  readonly isTable: boolean;
}

type Declarations = ReadonlyMap<string, Declaration>;

/**
 * Compares two versions of generated modules of types. Collects the declarations that differ, the declarations that
 * mention one of these, and the entries of tables that differ or mention one of these.
 *
 * @param before the present text of the modules
 * @param after their text after the plan
 */
export function changedTypes(before: string, after: string): ChangedTypes {
  const [former, current] = [declarationsOf(before), declarationsOf(after)];
  const names = changedNames(former, current);
  const texts = new Set<string>();
  for (const [name, { code, isTable }] of former) {
    if (!isTable && name !== "ServerControls") continue;
    const lines = new Set(membersOf(current.get(name)?.code ?? ""));
    for (const member of membersOf(code)) {
      if (lines.has(member) && !hasWordOf(member, names)) continue;
      for (const text of textsIn(member)) texts.add(text);
    }
  }
  for (const name of changedVariables(former, current)) names.add(name);
  return { names, texts };
}

/** True if the text of a module mentions a type that changes. */
export function mentions(text: string, { names, texts }: ChangedTypes): boolean {
  if (hasWordOf(text, names)) return true;
  return [...texts].some((name) => text.includes(`"${name}"`) || text.includes(`'${name}'`));
}

/** Where a statement begins: what a module imports, or does with its types, is no part of the declaration before it. */
const STATEMENT = /^(?=(?:export|import|const|async|function)\b|\/\/)/m;

function declarationsOf(source: string): Declarations {
  const module = source.replace(/\/\*\*[\s\S]*?\*\//g, "");
  const tables = new Set([...module.matchAll(/\bkeyof (\w+)/g)].map(([, name]) => name));
  const declarations = new Map<string, Declaration>();
  for (const declaration of module.split(STATEMENT)) {
    const [, name, next] = /^export (?:interface|type) (\w+)(.?)/.exec(declaration) ?? [];
    if (name === undefined) continue;
    declarations.set(name, { code: declaration.trim(), isTable: next === "<" || tables.has(name) });
  }
  return declarations;
}

/** Up to this number of names, the text is first searched for each name, which is faster if none occurs. */
const FEW_NAMES = 16;

/** True if a text contains one of the names as a whole word. */
function hasWordOf(text: string, names: ReadonlySet<string>): boolean {
  if (names.size <= FEW_NAMES && ![...names].some((name) => text.includes(name))) return false;
  return text.match(/\w+/g)?.some((word) => names.has(word)) ?? false;
}

function changedNames(former: Declarations, current: Declarations): Set<string> {
  const types = [...former].filter(([, { isTable }]) => !isTable);
  const changed = new Set(
    types.filter(([name, { code }]) => current.get(name)?.code !== code).map(([name]) => name),
  );
  let others = types.filter(([name]) => !changed.has(name));
  for (let size = -1; size !== changed.size;) {
    size = changed.size;
    others = others.filter(([name, { code }]) => {
      const isAffected = hasWordOf(code, changed);
      if (isAffected) changed.add(name);
      return !isAffected;
    });
  }
  return changed;
}

/** The lines of an interface's code that follow the first one. Each line is a member. */
function membersOf(code: string): string[] {
  return code.split("\n").slice(1);
}

/** The key of a member, and the string literals in its type. */
function textsIn(member: string): string[] {
  const key = /^\s*(?:readonly )?"?([^":?]+)"?\??:/.exec(member)?.[1];
  const texts = [...member.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);
  return key === undefined ? texts : [key, ...texts];
}

/** The names of environment variables whose type changes. Handlers read them from their context. */
function changedVariables(former: Declarations, current: Declarations): string[] {
  const lines = membersOf(current.get("Env")?.code ?? "");
  return membersOf(former.get("Env")?.code ?? "").flatMap((member) =>
    lines.includes(member) ? [] : (/(\w+)\??:/.exec(member)?.[1] ?? []),
  );
}
