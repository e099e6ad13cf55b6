import { hasOnly, isObject, type RequestParameters } from "../engine/request-parameters.js";
import { LONGEST_QUERY, MOST_RESULTS, USUAL_RESULTS } from "./gateway-tools.js";

/** The description of arguments that do not match the schema. */
interface Broken {
  readonly problem: string;
}

interface Search {
  readonly query: string;
  readonly limit: number;
}

interface Call {
  readonly name: string;
  readonly arguments: RequestParameters;
}

/** Reads and checks the arguments of `search_tools`. */
export function readSearch(input: RequestParameters): Search | Broken {
  if (!hasOnly(input, ["query", "limit"])) return { problem: "it takes only query and limit" };
  const { query, limit = USUAL_RESULTS } = input;
  if (typeof query !== "string" || query.trim() === "" || query.length > LONGEST_QUERY) {
    return { problem: `query must be a text of 1 to ${LONGEST_QUERY} characters` };
  }
  if (typeof limit !== "number" || !(limit >= 1 && limit <= MOST_RESULTS) || limit % 1 !== 0) {
    return { problem: `limit must be a whole number from 1 to ${MOST_RESULTS}` };
  }
  return { query, limit };
}

/** Reads and checks the arguments of `read_tool` and `call_tool`. */
export function readCall(input: RequestParameters): Call | Broken {
  if (!hasOnly(input, ["name", "arguments"])) {
    return { problem: "it takes only name and arguments; those of the tool belong into arguments" };
  }
  const { name, arguments: sent } = input;
  const given = sent ?? {};
  if (typeof name !== "string") return { problem: "name must be a text" };
  if (!isObject(given)) return { problem: "arguments must be an object" };
  return { name, arguments: given };
}
