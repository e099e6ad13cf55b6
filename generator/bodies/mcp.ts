import type { McpBodyModel } from "../model/bodies.js";
import type { JsonValue } from "../model/json.js";
import type {
  ManifestMcpCall,
  ManifestMcpResource,
  ManifestMcpResourceTemplate,
} from "../model/manifest.js";
import { defineRule } from "../model/semantic-rule.js";
import { compareSelections, comparisonOfKeys, selectionChanged } from "./comparison.js";
import { NOT_NULL, type BodyDefinition, type BodyOwner } from "./definition.js";
import { jsonValue } from "./values.js";

/** What an item of any kind may say under `mcp`. */
type GivenRequest = ManifestMcpCall & ManifestMcpResource & ManifestMcpResourceTemplate;

export const passedOtherwise = defineRule<{ key: string }>({
  id: "passed-otherwise",
  severity: "warning",
  message: ({ key }) => `the ${key} of what is asked of another MCP server has changed`,
});

const comparePassed = comparisonOfKeys(
  ["upstream", "name", "arguments", "uri", "uriTemplate"],
  passedOtherwise,
);

/** `mcp`: a request to another MCP server. */
export const mcp: BodyDefinition<McpBodyModel, GivenRequest> = {
  words: "another MCP server",
  isSource: false,
  service: "upstreams",
  read: readRequest,
  selected: () => ({ answer: NOT_NULL }),
  rules: [passedOtherwise.rule, selectionChanged.rule],
  compare: (former, present, place) => [
    ...comparePassed(former, present, place),
    ...compareSelections(former, present, place),
  ],
};

/** @throws if 2-validate has not checked that an item has the body */
function readRequest(given: GivenRequest, owner: BodyOwner): McpBodyModel {
  const { upstream: server, arguments: passed } = given;
  const { counterpart } = owner;
  if (counterpart === undefined) throw new Error("unvalidated source");
  if ("uri" in counterpart) {
    const uri = given.uri ?? counterpart.uri;
    return { kind: "mcp", asks: "resource", server, uri, isTemplate: false };
  }
  if ("uriTemplate" in counterpart) {
    const uri = given.uriTemplate ?? counterpart.uriTemplate;
    return { kind: "mcp", asks: "resource", server, uri, isTemplate: true };
  }
  const names: ReadonlySet<string> = new Set(owner.arguments);
  return {
    kind: "mcp",
    server,
    asks: counterpart.asks,
    name: given.name ?? counterpart.name,
    ...(passed !== undefined && { arguments: jsonValue(passed as JsonValue, names) }),
  };
}
