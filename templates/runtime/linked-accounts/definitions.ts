import type { Tool } from "@modelcontextprotocol/server";

/** The tools with which callers link accounts and forget them, in the order in which they are listed after all others. */
export function accountTools(
  upstreams: readonly string[],
): readonly [connect: Tool, disconnect: Tool] {
  const upstream = {
    type: "string",
    enum: [...upstreams],
    description: "The service with which the user has an account.",
  };
  const code = {
    type: "string",
    maxLength: 32,
    description: "The code that the page has shown to the user; absent at first.",
  };
  const object = {
    type: "object" as const,
    required: ["upstream"],
    additionalProperties: false,
  };
  return [
    {
      name: "connect",
      title: "Connect an account",
      description:
        "Connects the user's own account with a service that other tools ask in the user's name. Without a code, it answers with a link for the user to sign in; a page then shows a code. Call it when another tool says that the account is not connected.",
      inputSchema: { ...object, properties: { upstream, code } },
      annotations: { idempotentHint: true },
    },
    {
      name: "disconnect",
      title: "Disconnect an account",
      description:
        "Forgets the user's account with a service, so that no tool asks the service in the user's name any more.",
      inputSchema: { ...object, properties: { upstream } },
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
  ];
}
