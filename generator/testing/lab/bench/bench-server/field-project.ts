import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { installShared } from "../../../harness/projects/installed-packages.js";
import { npm } from "../../../harness/runner/programs.js";

/** How the handlers of a generated server ask the service. */
export const fieldClients = ["upstreams", "undici", "fetch"] as const;

type FieldClient = (typeof fieldClients)[number];

/** The tools of the shop: their schemas, and their work after `ask` is there, which asks the service. */
const tools: Readonly<Record<string, { readonly schema: string; readonly body: string }>> = {
  search_products: {
    schema: `
      properties:
        query: { type: string, minLength: 1, maxLength: 100, description: Words }
        limit: { type: integer, minimum: 1, maximum: 50, default: 5, description: Most products }
      required: [query]`,
    body: `  const { products } = await ask<{ products: unknown[] }>("GET", \`/products?query=\${encodeURIComponent(input.query)}\`);
  const views = Number((await ctx.services.redis.get(\`views:\${input.query}\`)) ?? 0);
  return JSON.stringify({ views, products: products.slice(0, input.limit) });`,
  },
  get_user_cart: {
    schema: `
      properties: { user: { type: string, minLength: 1, maxLength: 40, description: Id } }
      required: [user]`,
    body: `  const [cart, history] = await Promise.all([
    ask<{ items: unknown[] }>("GET", \`/users/\${encodeURIComponent(input.user)}/cart\`),
    ctx.services.redis.lRange(\`history:\${input.user}\`, 0, 4),
  ]);
  return JSON.stringify({ items: cart.items, history });`,
  },
  checkout: {
    schema: `
      properties:
        user: { type: string, minLength: 1, maxLength: 40, description: Id }
        items: { type: array, minItems: 1, maxItems: 20, items: { type: string }, description: Products }
      required: [user, items]`,
    body: `  const order = await ask<{ id: string }>("POST", "/orders", input);
  const [orders] = await ctx.services.redis
    .multi()
    .incr(\`orders:\${input.user}\`)
    .zIncrBy("popular", 1, String(input.items[0]))
    .exec();
  return JSON.stringify({ order: order.id, orders: Number(orders) });`,
  },
};

/** The name of a tool whose handler asks the service in one way. */
export function fieldTool(name: string, client: FieldClient): string {
  return `${name}_${client}`;
}

/** What a person would write to ask the service, by the way of asking. */
const asking: Readonly<Record<FieldClient, { readonly imports: string; readonly ask: string }>> = {
  upstreams: {
    imports: "",
    ask: `  const ask = async <Value>(method: "GET" | "POST", path: string, json?: unknown) =>
    (await ctx.upstreams.shop.request(method, path, json === undefined ? {} : { json })).json<Value>();`,
  },
  undici: {
    imports: `import { Pool } from "undici";

const pool = new Pool(process.env["API"] ?? "", { connections: 64 });
`,
    ask: `  const ask = async <Value>(method: "GET" | "POST", path: string, json?: unknown) => {
    const { statusCode, body } = await pool.request({
      ...{ method, path, signal: ctx.signal },
      ...(json !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(json) }),
    });
    if (statusCode !== 200) throw new Error(\`the service answered \${statusCode}\`);
    return (await body.json()) as Value;
  };`,
  },
  fetch: {
    imports: "",
    ask: `  const ask = async <Value>(method: "GET" | "POST", path: string, json?: unknown) => {
    const answer = await fetch(\`\${process.env["API"]}\${path}\`, {
      ...{ method, signal: ctx.signal },
      ...(json !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(json) }),
    });
    if (!answer.ok) throw new Error(\`the service answered \${answer.status}\`);
    return (await answer.json()) as Value;
  };`,
  },
};

const context = `import { createClient } from "@redis/client";
import type { Env } from "./generated/index.ts";

export async function createServices({ REDIS }: Env) {
  return { redis: await createClient({ url: REDIS }).connect() };
}

export async function closeServices({ redis }: Awaited<ReturnType<typeof createServices>>) {
  await redis.close();
}
`;

function fieldManifest(): string {
  const described = Object.entries(tools).flatMap(([name, { schema }]) =>
    fieldClients.map(
      (client) => `  - name: ${fieldTool(name, client)}
    description: Does ${name.replaceAll("_", " ")}, by ${client}.
    inputSchema:
      type: object
      additionalProperties: false${schema}
`,
    ),
  );
  return `manifestVersion: 1
name: shop
version: 1.0.0
diagnostics: { toolBudget: 0 }
limits: { ratePerSecond: 1000000 }
transports: [{ type: http }]
env:
  API: { type: url, required: true, description: Where the service is }
  REDIS: { required: true, description: Where Redis is }
upstreams:
  shop: { baseUrl: { env: API }, private: true }
tools:
${described.join("")}`;
}

/** Makes and builds the generated server of the workload. @returns its folder */
export async function makeFieldProject(root: string): Promise<string> {
  const folder = join(root, "generated");
  await mkdir(folder);
  const dependencies = { "@redis/client": "6.3.1", undici: "7.30.2" };
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "shop", type: "module", dependencies }),
  );
  await writeFile(join(folder, "mcp.yaml"), fieldManifest());
  const { status, err } = await mcpwright(folder, "generate", "--quiet");
  if (status !== 0) throw new Error(err);
  await writeFile(join(folder, "src/context.ts"), context);
  for (const file of await readdir(join(folder, "src/tools"))) {
    const name = file.replace(/\.ts$/, "").replaceAll("-", "_");
    await writeFile(join(folder, "src/tools", file), handlerText(name));
  }
  // The tests are not run, so they are not built.
  await rm(join(folder, "test"), { recursive: true });
  await installShared(folder);
  await npm(folder, "run", "build");
  return folder;
}

function handlerText(tool: string): string {
  const client = fieldClients.find((name) => tool.endsWith(`_${name}`))!;
  const { body } = tools[tool.slice(0, -client.length - 1)]!;
  const { imports, ask } = asking[client];
  const exported = tool.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${imports}import type { ToolHandler } from "../generated/index.ts";

export const ${exported}: ToolHandler<"${tool}"> = async (input, ctx) => {
${ask}
${body}
};
`;
}
