/** What a text must mention to depend on a type that changes. */
export interface ChangedTypes {
  /** Names of declarations, and of environment variables. */
  readonly names: ReadonlySet<string>;
  /** Names of items, as they stand in the arguments of generic types and of functions. */
  readonly texts: ReadonlySet<string>;
}

/** An exported declaration of a module of types. */
interface Declaration {
  readonly code: string;
  /** Generic, or a table behind generic ones: it concerns whoever names one of its entries. */
  readonly isTable: boolean;
}

type Declarations = ReadonlyMap<string, Declaration>;

/**
 * What changes for the modules that use a generated module of types: the declarations that are not the
 * same any more, those that mention one of them, and the entries of tables that do.
 *
 * @param before the text of the module, and
 * @param after what it will be
 */
export function changedTypes(before: string, after: string): ChangedTypes {
  const [old, now] = [declarationsOf(before), declarationsOf(after)];
  const names = changedNames(old, now);
  const texts = new Set<string>();
  for (const [name, { code, isTable }] of old) {
    if (!isTable && name !== "ServerControls") continue;
    const lines = new Set(membersOf(now.get(name)?.code ?? ""));
    for (const member of membersOf(code)) {
      if (lines.has(member) && !hasWordOf(member, names)) continue;
      for (const text of textsIn(member)) texts.add(text);
    }
  }
  for (const name of changedVariables(old, now)) names.add(name);
  return { names, texts };
}

/** Whether a text mentions anything of what changes. */
export function mentions(text: string, { names, texts }: ChangedTypes): boolean {
  if (hasWordOf(text, names)) return true;
  return [...texts].some((one) => text.includes(`"${one}"`) || text.includes(`'${one}'`));
}

function declarationsOf(source: string): Declarations {
  const module = source.replace(/\/\*\*[\s\S]*?\*\//g, "");
  const tables = new Set([...module.matchAll(/\bkeyof (\w+)/g)].map(([, name]) => name));
  const declarations = new Map<string, Declaration>();
  for (const declaration of module.split(/^(?=export )/m)) {
    const [, name, next] = /^export (?:interface|type) (\w+)(.?)/.exec(declaration) ?? [];
    if (name === undefined) continue;
    declarations.set(name, { code: declaration.trim(), isTable: next === "<" || tables.has(name) });
  }
  return declarations;
}

/** More names than these are looked up word by word. */
const FEW_NAMES = 16;

/** Whether a text has one of some names as a whole word. */
function hasWordOf(text: string, names: ReadonlySet<string>): boolean {
  if (names.size <= FEW_NAMES && ![...names].some((name) => text.includes(name))) return false;
  return text.match(/\w+/g)?.some((word) => names.has(word)) ?? false;
}

function changedNames(old: Declarations, now: Declarations): Set<string> {
  const own = [...old].filter(([, { isTable }]) => !isTable);
  const changed = new Set(
    own.filter(([name, { code }]) => now.get(name)?.code !== code).map(([name]) => name),
  );
  let others = own.filter(([name]) => !changed.has(name));
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

/** The members of an interface, a line each as the module has them. */
function membersOf(code: string): string[] {
  return code.split("\n").slice(1);
}

/** The key of a member, and the texts in its type. */
function textsIn(member: string): string[] {
  const key = /^\s*(?:readonly )?"?([^":?]+)"?\??:/.exec(member)?.[1];
  const texts = [...member.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);
  return key === undefined ? texts : [key, ...texts];
}

/** Environment variables, which handlers reach through their context. */
function changedVariables(old: Declarations, now: Declarations): string[] {
  const lines = membersOf(now.get("Env")?.code ?? "");
  return membersOf(old.get("Env")?.code ?? "").flatMap((member) =>
    lines.includes(member) ? [] : (/(\w+)\??:/.exec(member)?.[1] ?? []),
  );
}
