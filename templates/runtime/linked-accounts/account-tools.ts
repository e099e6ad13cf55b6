import type { Authentication } from "../authentication/authentication.js";
import type { CreateFeature, ServerDefinition } from "../engine/definition.js";
import { ToolError } from "../engine/errors.js";
import { hasOnly, textMember, type RequestParameters } from "../engine/request-parameters.js";
import type { Runtime } from "../engine/runtime.js";
import type { ToolEntry } from "../tools/definition.js";
import { createTools } from "../tools/tools.js";
import { LinkNeeded, type LinkedAccounts } from "./accounts.js";
import { accountTools } from "./definitions.js";
import { holderOfCaller } from "./holders.js";
import { GONE, type RuntimeWithAccounts } from "./runner.js";

/** What the context of a handler says of its caller. */
interface CallerContext {
  readonly auth?: Authentication | undefined;
}

type AccountTool = (
  accounts: LinkedAccounts,
  upstream: string,
  holder: string,
  code: string | undefined,
) => Promise<string>;

const connect: AccountTool = async (accounts, upstream, holder, code) => {
  if (code === undefined) {
    if (await accounts.isLinked(upstream, holder))
      return `The account with ${upstream} is connected.`;
    throw new LinkNeeded(upstream, accounts.linkOf(upstream, holder));
  }
  const outcome = await accounts.enter(upstream, holder, code);
  if (outcome === "linked") return `The account with ${upstream} is connected.`;
  throw new ToolError(
    outcome === "wrong" ? "That is not the code which the page has shown." : GONE,
  );
};

const disconnect: AccountTool = async (accounts, upstream, holder) =>
  (await accounts.forget(upstream, holder))
    ? `The account with ${upstream} is forgotten. What the user has allowed there stays until the user withdraws it there.`
    : `No account with ${upstream} was connected.`;

/** Makes the tools of a server with `connect` and `disconnect` after them. @param create Makes the other tools. */
export function withAccountTools(create: CreateFeature = createTools): CreateFeature {
  return (definition, runtime) => create(withEntries(definition, runtime), runtime);
}

function withEntries(definition: ServerDefinition, runtime: Runtime): ServerDefinition {
  const { accounts } = runtime as Runtime & Partial<RuntimeWithAccounts>;
  const { tools, upstreams = [], exposure } = definition;
  const names = upstreams.filter(({ auth }) => auth?.kind === "perCaller").map(({ name }) => name);
  const [connectTool, disconnectTool] = accountTools(names);
  // They are listed for callers of every group, who may all have accounts.
  const groups = [...new Set(tools.flatMap((tool) => tool.groups ?? []))];
  const entry = (tool: ToolEntry["definition"], run: AccountTool, keys: string[]): ToolEntry => ({
    definition: tool,
    groups,
    validators: () => ({ input: () => true }),
    handler:
      () =>
      async (input: RequestParameters, { auth }: CallerContext) => {
        const upstream = textMember(input, "upstream") ?? "";
        const code = textMember(input, "code");
        if (
          !names.includes(upstream) ||
          !hasOnly(input, keys) ||
          (code === undefined && "code" in input)
        ) {
          throw new ToolError(
            `${tool.name} takes only: ${keys.join(", ")}, where upstream is ${names.join(" or ")}`,
          );
        }
        const holder = holderOfCaller(upstream, auth);
        if (accounts === undefined)
          throw new ToolError("No accounts are linked while the server runs with --mock.");
        return run(accounts, upstream, holder, code);
      },
  });
  const entries = [
    entry(connectTool, connect, ["upstream", "code"]),
    entry(disconnectTool, disconnect, ["upstream"]),
  ];
  const listed = [...(exposure?.listed ?? []), connectTool.name, disconnectTool.name];
  return {
    ...definition,
    tools: [...tools, ...entries],
    ...(exposure !== undefined && { exposure: { ...exposure, listed } }),
  };
}
