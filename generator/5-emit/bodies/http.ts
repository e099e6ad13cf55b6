import type { HttpBodyModel } from "../../model/bodies.js";
import { code } from "../../text/markdown.js";
import { upstreamSources } from "../contract-tests/bodies/source-contracts.js";
import { upstreamContract, upstreamItems } from "../contract-tests/bodies/upstream-contracts.js";
import type { SourceKind } from "./body-kind.js";
import { httpCode, pathInWords } from "./http-code.js";
import { httpSource } from "./http-source.js";

/** An `http` body. */
export const httpBody: SourceKind<HttpBodyModel> = {
  code: httpCode,
  answerer: ({ upstream }) => `the service ${code(upstream)}`,
  sentence: ({ upstream, method, path }) =>
    `The service ${code(upstream)} answers: ${code(`${method} ${pathInWords(path)}`)}.`,
  isRunnable: ({ upstream }, { upstreams = [] }) => upstreams.some(({ name }) => name === upstream),
  source: httpSource,
  contracts: {
    name: "bodies",
    items: upstreamItems,
    contract: upstreamContract,
    sources: upstreamSources,
  },
};
