/**
 * The functions with which compiled validators weigh what the alternatives of a union found. Their
 * text goes into the generated module: see `runtime-pieces.ts`.
 */

/** What a validator finds. */
export interface Issue {
  readonly instancePath: string;
  readonly keyword?: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What is known of the alternatives that were tried. */
export interface Closest {
  /** How much of the value the closest took: 0 for nothing, since it is of another kind; 1 where only its tag is wrong; 2 where it is of the right kind. */
  readonly rank: number;
  /** What shut out each alternative of this rank; of rank 2, nothing did. */
  readonly decisive: readonly Issue[];
  /** What the one with the fewest findings found. */
  readonly errors: readonly Issue[];
  readonly number: number;
  /** How many are of this rank. */
  readonly rivals: number;
  readonly tried: number;
}

/** Whether a finding says that a value is of another kind than the schema's: its type, its constant, or that of a member. */
export function isDecisive({ instancePath, keyword }: Issue, path: string): boolean {
  if (instancePath === path) return ["type", "const", "enum"].includes(keyword ?? "");
  return keyword === "const" && !instancePath.slice(path.length + 1).includes("/");
}

/** The closest of the alternatives before and the next one. */
export function nearerAlternative(
  closest: Closest | null,
  errors: readonly Issue[],
  path: string,
): Closest {
  const decisive = errors.filter((issue) => isDecisive(issue, path));
  const [first] = decisive;
  const rank = first === undefined ? 2 : first.instancePath === path ? 0 : 1;
  const number = (closest?.tried ?? 0) + 1;
  if (closest === null || rank > closest.rank) {
    return { rank, decisive, errors, number, rivals: 1, tried: number };
  }
  if (rank < closest.rank) return { ...closest, tried: number };
  const nearer = errors.length < closest.errors.length ? { errors, number } : closest;
  return {
    rank,
    decisive: [...closest.decisive, ...decisive].slice(0, 20),
    errors: nearer.errors,
    number: nearer.number,
    rivals: closest.rivals + 1,
    tried: number,
  };
}

/** What a union finds of a value that fits none of its alternatives. */
export function unionIssues(
  tried: readonly (readonly Issue[])[],
  keyword: string,
  instancePath: string,
): { readonly errors: readonly Issue[] } {
  let closest: Closest | null = null;
  for (const errors of tried) closest = nearerAlternative(closest, errors, instancePath);
  const { rank = 2, decisive = [], errors = [], number = 1, rivals = 2 } = closest ?? {};
  const [first] = decisive;
  if (rank < 2 && first !== undefined) {
    const isOne = decisive.every((issue) => issue.instancePath === first.instancePath);
    if (isOne) return { errors: [joinDecisive(decisive, first)] };
  }
  if (rivals === 1 && errors.length > 0) return { errors };
  const message = `must match one of ${tried.length} schemas in ${keyword}, of which number ${number} comes closest`;
  return { errors: [{ instancePath, keyword, message }, ...errors] };
}

/** One finding for all that a value at one place could have been. */
export function joinDecisive(decisive: readonly Issue[], first: Issue): Issue {
  const { instancePath } = first;
  const types = decisive.filter(({ keyword }) => keyword === "type");
  const allowedValues = decisive.flatMap(({ params = {} }) => [
    ...(Array.isArray(params["allowedValues"]) ? (params["allowedValues"] as unknown[]) : []),
    ...("allowedValue" in params ? [params["allowedValue"]] : []),
  ]);
  if (types.length === 0) {
    const message = "must be equal to one of the allowed values";
    return { instancePath, keyword: "enum", message, params: { allowedValues } };
  }
  const names = types.map(({ message = "" }) => message.replace("must be ", ""));
  const values = allowedValues.map((value) => JSON.stringify(value));
  const message = `must be ${[...new Set([...names, ...values])].join(" or ")}`;
  return { instancePath, keyword: "type", message };
}
