import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { installShared } from "../../../harness/projects/installed-packages.js";
import { npm } from "../../../harness/runner/programs.js";

/** A tool of the manifest and those that do the same by hand, each a tool of one project. */
export interface ComparedBody {
  readonly title: string;
  /** The first one is the body. */
  readonly tools: readonly string[];
  readonly arguments: object;
}

export const httpBody: ComparedBody = {
  title: "an http body",
  tools: ["http_body", "http_undici", "http_fetch"],
  arguments: { city: "Berlin", days: 3 },
};

export const sqlBody: ComparedBody = {
  title: "a sql body on Postgres",
  tools: ["sql_body", "sql_pg_read_only", "sql_pg"],
  arguments: { city: "Berlin", days: 3 },
};

const schemas = `
    annotations: { readOnlyHint: true }
    inputSchema:
      type: object
      properties: { city: { type: string, description: City }, days: { type: integer, minimum: 1, description: Days } }
      required: [city, days]
      additionalProperties: false
    outputSchema: { $ref: "#/schemas/Days" }`;

/** @param filler How many tools there are beside those that are compared. */
function bodiesManifest(filler: number): string {
  const byHand = [...httpBody.tools.slice(1), ...sqlBody.tools.slice(1)];
  const others = Array.from({ length: filler }, (_, index) => `other_${index}`);
  return `manifestVersion: 1
name: bodies
version: 1.0.0
diagnostics: { toolBudget: 0, MW2303: off }
limits: { ratePerSecond: 1000000 }
transports: [{ type: http }]
env:
  API: { type: url, required: true, description: Where the service is }
  DB: { required: true, secret: true, description: Where the database is }
upstreams:
  api: { baseUrl: { env: API }, private: true }
databases:
  weather: { type: postgres, url: { env: DB } }
schemas:
  Days:
    type: array
    items:
      type: object
      properties: { day: { type: integer }, high: { type: integer } }
      required: [day, high]
tools:
  - name: http_body
    description: Forecast, by the manifest.${schemas}
    http: { upstream: api, method: GET, path: "/forecast/{{city}}", query: { days: "{{days}}" }, result: { from: /days } }
  - name: sql_body
    description: Forecast, by the manifest.${schemas}
    sql: { database: weather, query: "select day, high from forecast where city = :city and day < :days order by day" }
${byHand.map((name) => `  - name: ${name}\n    description: Forecast, by hand.${schemas}\n`).join("")}${others
    .map(
      (name) =>
        `  - name: ${name}\n    description: Another tool.${schemas}\n    http: { upstream: api, method: GET, path: "/forecast/{{city}}", query: { days: "{{days}}" }, result: { from: /days } }\n`,
    )
    .join("")}`;
}

const SELECT = '"select day, high from forecast where city = $1 and day < $2 order by day"';

/** What a person would write, by the name of the tool. */
const handlers: Readonly<Record<string, { readonly imports: string; readonly body: string }>> = {
  http_undici: {
    imports: 'import { request } from "undici";',
    body: `  const url = \`\${process.env["API"]}/forecast/\${encodeURIComponent(city)}?days=\${days}\`;
  const { statusCode, body } = await request(url, { signal: ctx.signal });
  if (statusCode !== 200) throw new Error(\`the service answered \${statusCode}\`);
  return ((await body.json()) as Forecast).days;`,
  },
  http_fetch: {
    imports: "",
    body: `  const url = \`\${process.env["API"]}/forecast/\${encodeURIComponent(city)}?days=\${days}\`;
  const answer = await fetch(url, { signal: ctx.signal });
  if (!answer.ok) throw new Error(\`the service answered \${answer.status}\`);
  return ((await answer.json()) as Forecast).days;`,
  },
  sql_pg: {
    imports: `import pg from "pg";\n\nconst pool = new pg.Pool({ connectionString: process.env["DB"] });`,
    body: `  void ctx;
  return (await pool.query<Day>(${SELECT}, [city, days])).rows;`,
  },
  sql_pg_read_only: {
    imports: `import pg from "pg";\n\nconst pool = new pg.Pool({ connectionString: process.env["DB"] });`,
    body: `  void ctx;
  const client = await pool.connect();
  try {
    await client.query("begin read only");
    const { rows } = await client.query<Day>(${SELECT}, [city, days]);
    await client.query("rollback");
    await client.query("discard all");
    return rows;
  } finally {
    client.release();
  }`,
  },
};

/** Makes and builds the project. */
export async function makeBodyProject(root: string, filler: number): Promise<string> {
  const folder = join(root, `bodies-${filler}`);
  await mkdir(folder);
  await writeFile(join(folder, "mcp.yaml"), bodiesManifest(filler));
  const { status, err } = await mcpwright(folder, "generate", "--quiet");
  if (status !== 0) throw new Error(err);
  for (const file of await readdir(join(folder, "src/tools"))) {
    const name = file.replace(/\.ts$/, "").replaceAll("-", "_");
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`no handler by hand for ${name}`);
    await writeFile(join(folder, "src/tools", file), handlerText(name, handler));
  }
  await installShared(folder);
  await npm(folder, "run", "build");
  return folder;
}

function handlerText(name: string, { imports, body }: { imports: string; body: string }): string {
  const exported = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${imports}
import type { ToolHandler } from "../generated/index.ts";

type Day = { day: number; high: number };
export type Forecast = { days: Day[] };

export const ${exported}: ToolHandler<"${name}"> = async ({ city, days }, ctx) => {
${body}
};
`;
}
