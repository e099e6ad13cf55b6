import { keepIssues } from "./nested-issues.js";

/**
 * Weighs what the alternatives of a union found of a value that fits none of them, so that callers read what
 * the closest alternative misses.
 */

/**
 * What a validator finds.
 *
 * @typedef {object} Issue
 * @property {string} instancePath
 * @property {string} [keyword]
 * @property {string} [message]
 * @property {Readonly<Record<string, unknown>>} [params]
 */

/**
 * What is known of the alternatives that were tried.
 *
 * @typedef {object} Closest
 * @property {number} rank how much of the value the closest took: 0 for nothing, since it is of another kind; 1
 *   where only its tag is wrong; 2 where it is of the right kind
 * @property {readonly Issue[]} decisive what shut out each alternative of this rank; of rank 2, nothing did
 * @property {readonly Issue[]} errors what the one with the fewest findings found
 * @property {number} number of that one, counted from 1
 * @property {number} rivals how many are of this rank
 * @property {number} tried
 */

/**
 * Moves all issues but the first ones to those of the alternatives that were tried. Nothing is weighed yet,
 * since another alternative may fit.
 *
 * @param {unknown[][]} tried
 * @param {import("./checks.js").Issues} issues
 * @param {number} count how many stay
 */
export function setAside(tried, issues, count) {
  tried.push(issues.list.slice(count));
  keepIssues(issues, count);
}

/**
 * What a union finds of a value that fits none of its alternatives.
 *
 * @param {readonly (readonly Issue[])[]} tried what each alternative found
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
 * The closest of the alternatives before and the next one.
 *
 * @param {Closest | null} closest
 * @param {readonly Issue[]} errors what the next one found
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
 * Whether a finding says that a value is of another kind than the schema's: its type, its constant, or that of
 * a member.
 *
 * @param {Issue} issue
 * @param {string} path of the union
 */
function isDecisive({ instancePath, keyword }, path) {
  if (instancePath === path) return ["type", "const", "enum"].includes(keyword ?? "");
  return keyword === "const" && !instancePath.slice(path.length + 1).includes("/");
}

/**
 * One finding for all that a value at one place could have been.
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
