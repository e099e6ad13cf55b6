import type { ServerModel } from "../../model/server-model.js";
import type { HttpTransportModel } from "../../model/transports.js";
import { serverVariables } from "../project/env-example.js";
import { httpTransport } from "../model-facts.js";
import { containerOf } from "./container.js";

/** An image with a long-term support release of Node.js. Its user `node` has the id 1000. */
const NODE_IMAGE = "node:24-trixie-slim";

/** The values for the template of the Dockerfile. Absent values are null, since the template engine is strict. */
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

/** The command that requests the health endpoint. It accepts any certificate, since none is for 127.0.0.1. */
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
