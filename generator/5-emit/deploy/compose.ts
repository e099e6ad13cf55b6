import type { JsonObject } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { sharesState } from "../model-facts.js";
import { serverVariables } from "../project/env-example.js";
import { containerOf, requireHttp, STOP_SECONDS } from "./container.js";

const REDIS: JsonObject = {
  image: "${REDIS_IMAGE:-redis:8-alpine}",
  healthcheck: { test: ["CMD", "redis-cli", "ping"], interval: "5s", timeout: "3s", retries: 5 },
};

/** `compose.yaml`: the server in its image, and Redis if the server uses it. */
export function composeFile(model: ServerModel): JsonObject {
  const { name } = containerOf(model);
  const hasRedis = sharesState(model);
  return {
    name,
    services: { server: server(model), ...(hasRedis && { redis: REDIS }) },
    ...secrets(model),
  };
}

function server(model: ServerModel): JsonObject {
  const { image, ports } = containerOf(model);
  const { tls } = requireHttp(model);
  return {
    image,
    build: build(model),
    init: true,
    restart: "unless-stopped",
    stop_grace_period: `${STOP_SECONDS}s`,
    read_only: true,
    tmpfs: ["/tmp"],
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    ports: ports.map(({ port }) => `127.0.0.1:${port}:${port}`),
    ...environment(model),
    ...(tls !== undefined && { secrets: ["tls-cert", "tls-key"] }),
    ...(sharesState(model) && { depends_on: { redis: { condition: "service_healthy" } } }),
  };
}

function build({ deploy }: ServerModel): JsonObject {
  const args = { NODE_DIGEST: "${NODE_DIGEST:-}" };
  return { context: ".", ...(deploy?.docker === true && { args }) };
}

/** Variables come from `.env`, except those whose value differs in the container. */
function environment(model: ServerModel): JsonObject {
  const { tls } = requireHttp(model);
  const variables = serverVariables(model);
  const values = {
    ...(tls !== undefined && {
      [tls.cert]: "/run/secrets/tls-cert",
      [tls.key]: "/run/secrets/tls-key",
    }),
    ...(model.scale !== undefined &&
      sharesState(model) && { [model.scale.redis.env]: "redis://redis:6379" }),
  };
  const required = variables.some(({ name, required }) => required && !(name in values));
  return {
    ...(variables.length > 0 && { env_file: [{ path: ".env", required }] }),
    ...(Object.keys(values).length > 0 && { environment: values }),
  };
}

/** The certificate and its key as secrets. `.env` has their paths on the host. */
function secrets(model: ServerModel): JsonObject {
  const { tls } = requireHttp(model);
  if (tls === undefined) return {};
  const file = (name: string) => ({ file: `\${${name}:?is the path of a PEM file}` });
  return { secrets: { "tls-cert": file(tls.cert), "tls-key": file(tls.key) } };
}
