import type { HttpTransportModel, ServerModel } from "../../model/server-model.js";
import { serverVariables } from "../project/env-example.js";
import { httpTransport } from "../project/package-json.js";
import { containerOf } from "./container.js";

/** Has a long-term support of Node.js. The user 1000 of it is `node`. */
const NODE_IMAGE = "node:24-trixie-slim";

/** What the template of the Dockerfile shows. Absent values are null, since its engine is strict. */
export function dockerfileView(model: ServerModel): object {
  const container = containerOf(model);
  const http = httpTransport(model);
  return {
    nodeImage: NODE_IMAGE,
    image: container.image,
    ports: container.ports.map(({ port }) => port),
    env: serverVariables(model).length > 0,
    healthCheck: http === undefined ? null : healthCheck(http),
    arguments: container.arguments,
  };
}

/** Asks the page of health. Certificates are made for the names by which others know the server. */
function healthCheck({ port, health, tls }: HttpTransportModel): string[] {
  const scheme = tls === undefined ? "http" : "https";
  const start = JSON.stringify(`${scheme}://127.0.0.1:`);
  const script = [
    ...(tls === undefined ? [] : ["process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'"]),
    `const port = process.env.PORT || ${port}`,
    `fetch(${start} + port + ${JSON.stringify(health)}).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`,
  ];
  return ["node", "--eval", script.join("; ")];
}
