/**
 * Selects the issues of a union for a value that fits none of its alternatives: those of the closest one.
 */

/**
 * An issue of a validator.
 *
 * @typedef {object} Issue
 * @property {string} instancePath
 * @property {string} [keyword]
 * @property {string} [message]
 * @property {Readonly<Record<string, unknown>>} [params]
 */

/**
 * The closest of the alternatives that were tried.
 *
 * @typedef {object} Closest
 * @property {number} rank 0 if the value is of another kind; 1 if only its tag is wrong; 2 if its kind is right
 * @property {readonly Issue[]} decisive the issues that excluded the alternatives of this rank; none for rank 2
 * @property {readonly Issue[]} errors the issues of the alternative with the fewest
 * @property {number} number the number of that alternative, counted from 1
 * @property {number} rivals the number of alternatives of this rank
 * @property {number} tried the number of all alternatives
 */

/**
 * The issues of a union for a value that fits none of its alternatives.
 *
 * @param {readonly (readonly Issue[])[]} tried the issues of each alternative
 * @param {string} keyword
 * @param {string} instancePath
 * @returns {readonly Issue[]}
 */
export function unionIssues(tried, keyword, instancePath) {
  /** @type {Closest | null} */
  let closest = null;
  for (const errors of tried) closest = nearerAlternative(closest, errors, instancePath);
  const { rank = 2, decisive = [], errors = [], number = 1, rivals = 2 } = closest ?? {};
  const [first] = decisive;
  if (rank < 2 && first !== undefined) {
    const isOnePlace = decisive.every((issue) => issue.instancePath === first.instancePath);
    if (isOnePlace) return [joinDecisive(decisive, first.instancePath)];
  }
  if (rivals === 1 && errors.length > 0) return errors;
  const message = `must match one of ${tried.length} schemas in ${keyword}, of which number ${number} comes closest`;
  return [{ instancePath, keyword, message }, ...errors];
}

/**
 * Compares the next alternative with the closest one so far.
 *
 * @param {Closest | null} closest
 * @param {readonly Issue[]} errors the issues of the next alternative
 * @param {string} path of the union
 * @returns {Closest}
 */
function nearerAlternative(closest, errors, path) {
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

/**
 * Whether an issue shows that a value is of another kind than the schema: by its type, its constant, or the
 * constant of a member.
 *
 * @param {Issue} issue
 * @param {string} path of the union
 */
function isDecisive({ instancePath, keyword }, path) {
  if (instancePath === path) return ["type", "const", "enum"].includes(keyword ?? "");
  return keyword === "const" && !instancePath.slice(path.length + 1).includes("/");
}

/**
 * Combines issues of the same part of a value into one that names all alternatives.
 *
 * @param {readonly Issue[]} decisive
 * @param {string} instancePath
 * @returns {Issue}
 */
function joinDecisive(decisive, instancePath) {
  const types = decisive.filter(({ keyword }) => keyword === "type");
  const allowedValues = decisive.flatMap(({ params = {} }) => [
    ...(Array.isArray(params["allowedValues"]) ? params["allowedValues"] : []),
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
