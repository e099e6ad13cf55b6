import { validate as lintDockerfile } from "dockerfile-utils";
import { Deployment, type IDeployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget, type IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service, type IService } from "kubernetes-models/v1";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { drainMs, servicesMs } from "../../../templates/runtime/start/transport.js";
import { normalize } from "../../3-normalize/normalize.js";
import type { JsonObject } from "../../model/json.js";
import type { Manifest, ManifestHttpTransport } from "../../model/manifest.js";
import { deployFiles } from "./deploy-files.js";

const http: ManifestHttpTransport = { type: "http", port: 4000, allowedHosts: ["books"] };

const base: Manifest = {
  name: "@acme/books",
  version: "1.2.0",
  transports: [{ type: "stdio" }, http],
  deploy: { docker: true, compose: true, kubernetes: true },
};

/** With all that the files can speak of. */
const whole: Manifest = {
  ...base,
  version: "1.2.0-beta.1+build.5",
  transports: [
    { ...http, tls: { cert: "CERT", key: "KEY" }, health: "/up", sessions: "memory" },
    { type: "sse", port: 4000 },
    { type: "websocket", port: 4001 },
  ],
  env: {
    REDIS_URL: { secret: true },
    SHELF: { required: true },
    DAYS: { type: "number", required: true, default: 3 },
    TOKEN: { secret: true },
  },
  scale: { redis: { env: "REDIS_URL" } },
  tools: [
    {
      name: "ask",
      description: "Asks.",
      elicitations: {
        sure: {
          message: "Sure?",
          requestedSchema: { type: "object", properties: { yes: { type: "boolean" } } },
        },
      },
    },
  ],
};

/** The files by their paths. */
async function filesOf(manifest: Manifest): Promise<ReadonlyMap<string, string>> {
  const files = await deployFiles(normalize(manifest));
  return new Map(files.map(({ path, content }) => [path, content]));
}

/** Read as YAML 1.1, which the readers of such files know. */
async function yamlOf<Content = JsonObject>(manifest: Manifest, path: string): Promise<Content> {
  return parse((await filesOf(manifest)).get(path)!, { version: "1.1" }) as Content;
}

const DEPLOYMENT = "deploy/kubernetes/deployment.yaml";
const SERVICE = "deploy/kubernetes/service.yaml";
const KUSTOMIZATION = "deploy/kubernetes/kustomization.yaml";

const deploymentOf = (manifest: Manifest) => yamlOf<IDeployment>(manifest, DEPLOYMENT);

const podOf = async (manifest: Manifest) => (await deploymentOf(manifest)).spec!.template.spec!;

const paths = async (deploy: Manifest["deploy"]) => {
  const { deploy: _, ...rest } = base;
  return [...(await filesOf(deploy === undefined ? rest : { ...rest, deploy })).keys()];
};

test("only the deployment files that the manifest asks for are generated", async () => {
  const docker = ["Dockerfile", ".dockerignore"];
  const kubernetes = [DEPLOYMENT, SERVICE, KUSTOMIZATION];
  assert.equal(await paths(undefined), []);
  assert.equal(await paths({}), docker);
  assert.equal(await paths({ docker: false }), []);
  assert.equal(await paths({ compose: true }), [...docker, "compose.yaml"]);
  assert.equal(await paths({ docker: false, kubernetes: true }), kubernetes);
});

test("the linter finds nothing in the Dockerfile", async () => {
  const stdio: Manifest = { name: "books", version: "1.2.0", deploy: {} };
  for (const manifest of [stdio, base, whole]) {
    const file = (await filesOf(manifest)).get("Dockerfile")!;
    assert.equal(lintDockerfile(file), []);
    assert.is.not(lintDockerfile(file.replace("WORKDIR /app", "WORKDIR")).length, 0);
    assert.match(file, "FROM ${NODE_IMAGE}${NODE_DIGEST:+@$NODE_DIGEST} AS build");
    assert.is(/^EXPOSE 4000$/m.test(file), manifest !== stdio);
    assert.is(/^HEALTHCHECK NONE$/m.test(file), manifest === stdio);
  }
});

test("the Kubernetes manifests are valid according to the schemas of Kubernetes", async () => {
  for (const manifest of [base, whole]) {
    const deployment = await deploymentOf(manifest);
    const service = await yamlOf<IService>(manifest, SERVICE);
    new Deployment(deployment).validate();
    new Service(service).validate();
    const spec = { ...deployment.spec!, replicas: "two" as never };
    assert.throws(() => new Deployment({ ...deployment, spec }).validate(), /replicas/);
    const name = deployment.metadata!.name!;
    assert.match(name, /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
    assert.equal(service.spec!.selector, deployment.spec!.selector.matchLabels);
    assert.equal(service.spec!.selector, deployment.spec!.template.metadata!.labels);
    const named = deployment.spec!.template.spec!.containers[0]!.ports!.map(({ name }) => name);
    assert.equal(
      service.spec!.ports!.map(({ targetPort }) => targetPort),
      named,
    );
    const { resources } = await yamlOf(manifest, KUSTOMIZATION);
    for (const file of resources as string[]) {
      assert.ok((await filesOf(manifest)).has(`deploy/kubernetes/${file}`), file);
    }
  }
});

test("the probes of a pod ask the server's health pages, and its grace period is the server's time to stop", async () => {
  const { containers, terminationGracePeriodSeconds: seconds = 0 } = await podOf(base);
  const [server] = containers;
  const notice = server!.lifecycle!.preStop!.sleep!.seconds;
  assert.is(seconds, notice + (drainMs + servicesMs) / 1_000);
  const probes = [server!.startupProbe, server!.livenessProbe, server!.readinessProbe];
  assert.equal(
    probes.map((probe) => probe!.httpGet),
    probes.map(() => ({ path: "/healthz", port: 4000 })),
  );
  const { stop_grace_period: period } = serverOf(await yamlOf(base, "compose.yaml"));
  assert.is(period, `${seconds}s`);
  const { containers: secure, terminationGracePeriodSeconds } = await podOf(whole);
  assert.is(terminationGracePeriodSeconds, seconds, "the server's own notice is in its time");
  assert.is(secure[0]!.lifecycle, undefined);
  const page = { port: 4000, scheme: "HTTPS" };
  assert.equal(secure[0]!.livenessProbe!.httpGet, { path: "/up", ...page });
  assert.equal(secure[0]!.readinessProbe!.httpGet, {
    path: "/readyz?exclude=redis",
    ...page,
  });
});

const serverOf = (compose: JsonObject) =>
  (compose["services"] as JsonObject)["server"] as JsonObject;

test("deployment files refer to environment variables and do not contain their values", async () => {
  const { containers, volumes } = await podOf(whole);
  const secret = (key: string) => ({ secretKeyRef: { name: "books", key } });
  const optional = { optional: true };
  assert.equal(containers[0]!.env, [
    { name: "DAYS", valueFrom: { configMapKeyRef: { name: "books", key: "DAYS", ...optional } } },
    { name: "REDIS_URL", valueFrom: secret("REDIS_URL") },
    { name: "SHELF", valueFrom: { configMapKeyRef: { name: "books", key: "SHELF" } } },
    {
      name: "TOKEN",
      valueFrom: { secretKeyRef: { name: "books", key: "TOKEN", ...optional } },
    },
    { name: "CERT", value: "/run/tls/tls.crt" },
    { name: "KEY", value: "/run/tls/tls.key" },
    { name: "REQUEST_STATE_KEY", valueFrom: secret("REQUEST_STATE_KEY") },
  ]);
  assert.equal(volumes!.at(-1), { name: "tls", secret: { secretName: "books-tls" } });
  const server = serverOf(await yamlOf(whole, "compose.yaml"));
  assert.equal(server["env_file"], [{ path: ".env", required: true }]);
  assert.equal(server["environment"], {
    CERT: "/run/secrets/tls-cert",
    KEY: "/run/secrets/tls-key",
    REDIS_URL: "redis://redis:6379",
  });
  assert.equal(server["ports"], ["127.0.0.1:4000:4000", "127.0.0.1:4001:4001"]);
});

test("several replicas are started only if they share their state", async () => {
  const BUDGET = "deploy/kubernetes/poddisruptionbudget.yaml";
  assert.not((await filesOf(base)).has(BUDGET));
  const budget = await yamlOf<IPodDisruptionBudget>(whole, BUDGET);
  new PodDisruptionBudget(budget).validate();
  assert.equal(budget.spec!.selector, (await deploymentOf(whole)).spec!.selector);
  assert.equal((await yamlOf(whole, KUSTOMIZATION))["resources"], [
    "deployment.yaml",
    "poddisruptionbudget.yaml",
    "service.yaml",
  ]);
  assert.is((await deploymentOf(base)).spec!.replicas, 1);
  assert.is((await deploymentOf(whole)).spec!.replicas, 2);
  const services = async (manifest: Manifest) =>
    Object.keys((await yamlOf(manifest, "compose.yaml"))["services"] as JsonObject);
  assert.equal(await services(base), ["server"]);
  assert.equal(await services(whole), ["server", "redis"]);
});

test("the names of images and resources are valid for registries and for Kubernetes", async () => {
  const imageOf = async (settings: Partial<Manifest>) =>
    (await podOf({ ...base, ...settings })).containers[0]!.image;
  assert.is(await imageOf({}), "books:1.2.0");
  assert.is(await imageOf({ name: "@a/2.books_x" }), "mcp-2-books-x:1.2.0");
  assert.is(await imageOf({ name: "x".repeat(80) }), `${"x".repeat(63)}:1.2.0`);
  assert.is(await imageOf({ version: "1.0.0-beta.1+build.5" }), "books:1.0.0-beta.1_build.5");
  assert.is(await imageOf({ version: "package.json" }), "books:latest");
  const { metadata } = await deploymentOf({ ...base, name: "on" });
  assert.is(metadata!.name, "on", "no reader takes it for a boolean");
});

test.run();
