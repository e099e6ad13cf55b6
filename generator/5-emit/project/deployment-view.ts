import type { DeployModel, ServerModel } from "../../model/server-model.js";
import { containerOf } from "../deploy/container.js";
import { platformVariables } from "../deploy/platform-variables.js";
import { sharesState } from "../model-facts.js";
import { code } from "../../text/markdown.js";

/** How the server gets to a platform, and what is bound to what there. Its texts are Markdown. */
interface Deployment {
  readonly title: string;
  /** The line of a shell that brings it there. */
  readonly command: string;
  /** The file that the platform runs. */
  readonly entry: string;
  /** The file with the settings of the platform. */
  readonly configuration: string;
  /** How variables get their values. */
  readonly variables: string;
  readonly secrets: string;
  /** Where the server keeps state between requests, and which other instances share it. */
  readonly state: string;
  /** What this platform does not promise. */
  readonly limits: string;
}

const BUNDLE = "`dist/bundle.mjs`";

/** The names under which a function is served. */
const NAMES = "The public names are `allowedHosts` of the transport";

const IN_IMAGE = `${BUNDLE} in the image, which has the files of the npm package: list other files that the server reads in \`files\` of \`package.json\``;

/** The ways to deploy a server, by their keys in `deploy`. */
const DEPLOYMENTS: Readonly<Record<keyof DeployModel, (model: ServerModel) => Deployment>> = {
  docker: (model) => ({
    title: "Docker",
    command: `docker build --tag ${containerOf(model).name}:$(node -p 'require("./package.json").version') .`,
    entry: IN_IMAGE,
    configuration: "`Dockerfile`, whose first lines have the command that runs the image",
    variables: "`--env-file .env` of `docker run`",
    secrets: "`--env-file .env` of `docker run`, since the image has none",
    state: processState(model),
    limits: "files that the server writes are gone with the container unless a volume is mounted",
  }),
  compose: (model) => ({
    title: "Docker Compose",
    command: "docker compose up --build",
    entry: IN_IMAGE,
    configuration: "`compose.yaml`",
    variables: "`.env`",
    secrets: "`.env`",
    state: `${processState(model)}${sharesState(model) ? ", which is a container beside it, without a volume" : ""}`,
    limits: "files are read-only except those in `/tmp`, which are gone with the container",
  }),
  kubernetes: (model) => {
    const name = code(containerOf(model).name);
    return {
      title: "Kubernetes",
      command: "kubectl apply --kustomize deploy/kubernetes",
      entry: IN_IMAGE,
      configuration:
        "`deploy/kubernetes/`. Put other changes, such as the registry of the image or the number of replicas, into your own [overlay](https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/) with `resources: [deploy/kubernetes]`",
      variables: `the ConfigMap ${name}, which you create`,
      secrets: `the Secret ${name}, which you create`,
      state: processState(model),
      limits: "files are read-only except those in `/tmp`, which are gone with the pod",
    };
  },
  workers: (model) => ({
    title: "Cloudflare Workers",
    command: "npm run build:worker && npx wrangler deploy",
    entry: "`dist/worker.mjs`, which serves HTTP alone",
    configuration: `\`wrangler.jsonc\`. ${NAMES}`,
    variables: "`.dev.vars` for `npx wrangler dev`, and `vars` of `wrangler.jsonc`",
    secrets: "`.dev.vars` for `npx wrangler dev`, and `npx wrangler secret put NAME`",
    state: functionState(model, "isolate", "as many as it likes"),
    limits:
      "where a name leads is not checked, since bodies of `http` and `ctx.upstreams` use the platform's own `fetch`, which resolves names itself; addresses that a URL says are checked",
  }),
  lambda: (model) => ({
    title: "AWS Lambda",
    command: "npm run build:lambda && sam deploy --guided",
    entry: "`dist/lambda/index.mjs`, which serves HTTP alone",
    configuration: `\`template.yaml\`, which gives it a URL that streams its answers. ${NAMES}. The URL's own name is known after the first deployment`,
    variables: "`Environment` of `template.yaml`",
    secrets: `the secret ${code(containerOf(model).name)} of Secrets Manager, a JSON object`,
    state: functionState(model, "instance", "as many as there are requests at a time"),
    limits:
      "an HTTP API of API Gateway, which the first lines of `template.yaml` describe, waits for the whole answer: at most 30 seconds and 6 MB. AWS may rename `WWW-Authenticate` of answers: clients then find out how to authenticate at `/.well-known/oauth-protected-resource` alone",
  }),
  vercel: (model) => ({
    title: "Vercel",
    command: "npx vercel deploy --prod",
    entry:
      "one function in `.vercel/output/`, which `npm run build:vercel` writes, and which serves HTTP alone",
    configuration: `\`vercel.json\`, which says that the platform runs this script, and \`deploy/vercel/function.json\` with the function's region and how long it may run. ${NAMES}`,
    variables: "`npx vercel env add NAME`",
    secrets: '`npx vercel env add NAME` as "sensitive"',
    state: functionState(model, "instance", "as many as it likes"),
    limits: "bodies of requests and answers have at most 4.5 MB",
  }),
  bun: (model) => ({
    title: "Bun",
    command: "npm run build && npm run start:bun",
    entry: BUNDLE,
    configuration: "the script `start:bun` of `package.json`",
    variables: "the environment",
    secrets: "the environment",
    state: processState(model),
    limits: "one process: `--workers` is for Node.js",
  }),
  deno: (model) => ({
    title: "Deno",
    command: "npm run build && npm run start:deno",
    entry: BUNDLE,
    configuration:
      "the script `start:deno` of `package.json`, whose permissions are what the manifest needs; add what your handlers do",
    variables: "the environment",
    secrets: "the environment",
    state: processState(model),
    limits: "one process: `--workers` is for Node.js",
  }),
};

/** Where a server that runs as a process keeps its state. */
function processState(model: ServerModel): string {
  return sharesState(model)
    ? "in memory of one process, and what `scale` shares in Redis"
    : "in memory of one process, which shares it with no other";
}

/** What a server keeps that the platform calls as a function. */
function functionState(model: ServerModel, one: string, count: string): string {
  const others = sharesState(model) ? ", unless `scale` shares them" : "";
  return `limits, shares of clients, switches and notifications hold within one ${one}, of which the platform runs ${count}${others}`;
}

/** The deployments that the manifest asks for, in the order of the table. */
function chosenDeployments(model: ServerModel): Deployment[] {
  return Object.entries(DEPLOYMENTS).flatMap(([key, deployment]) =>
    model.deploy?.[key as keyof DeployModel] === true ? [deployment(model)] : [],
  );
}

/** The commands that bring the server to the platforms of `deploy`; null if there are none. */
export function deployCommands(model: ServerModel): readonly string[] | null {
  const commands = chosenDeployments(model).map(({ command }) => command);
  return commands.length === 0 ? null : commands;
}

/** What SERVER.md says of the platforms of `deploy`: rows of a list for each. */
export function deploymentsView(model: ServerModel): readonly object[] {
  const { defaults, secrets, optionalSecrets, unset } = platformVariables(model);
  const withNames = (words: string, names: readonly string[]): string =>
    names.length === 0 ? words : `${words}: ${names.map((name) => code(name)).join(", ")}`;
  return chosenDeployments(model).map((deployment) => ({
    title: deployment.title,
    command: deployment.command,
    rows: [
      ["Entry", deployment.entry],
      ["Configuration", deployment.configuration],
      ["Variables", withNames(deployment.variables, [...Object.keys(defaults), ...unset])],
      ["Secrets", withNames(deployment.secrets, [...secrets, ...optionalSecrets])],
      ["State", deployment.state],
      ["Not promised", deployment.limits],
    ].map(([what = "", words = ""]) => ({ what, words })),
  }));
}
