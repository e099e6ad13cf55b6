import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type { IContainer, IEnvVar, IPodSpec, IProbe, IService } from "kubernetes-models/v1";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import { FEATURES } from "../features.js";
import { REQUEST_STATE_KEY, serverVariables } from "../project/env-example.js";
import { containerOf, NOTICE_SECONDS, requireHttp, STOP_SECONDS } from "./container.js";

const LABEL = "app.kubernetes.io/name";

/** Where the Secret of type `kubernetes.io/tls` is. */
const TLS_FOLDER = "/run/tls";

/** Replaces one pod after another, each only when the next is ready. */
export function deploymentOf(model: ServerModel): IDeployment {
  const { name } = containerOf(model);
  const labels = { [LABEL]: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: {
      replicas: hasReplicas(model) ? 2 : 1,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels }, spec: podOf(model) },
    },
  };
}

function hasReplicas(model: ServerModel): boolean {
  return FEATURES.scale(model);
}

/** While nodes are emptied for their maintenance, one pod after another goes. */
export function disruptionBudgetsOf(model: ServerModel): IPodDisruptionBudget[] {
  const { name } = containerOf(model);
  const labels = { [LABEL]: name };
  const budget: IPodDisruptionBudget = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, labels },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
  return hasReplicas(model) ? [budget] : [];
}

function podOf(model: ServerModel): IPodSpec {
  const { name } = containerOf(model);
  const hasTls = requireHttp(model).tls !== undefined;
  return {
    terminationGracePeriodSeconds: STOP_SECONDS,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    ...(hasReplicas(model) && {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "kubernetes.io/hostname",
          whenUnsatisfiable: "ScheduleAnyway",
          labelSelector: { matchLabels: { [LABEL]: name } },
        },
      ],
    }),
    containers: [podContainerOf(model)],
    volumes: [
      { name: "tmp", emptyDir: {} },
      ...(hasTls ? [{ name: "tls", secret: { secretName: `${name}-tls` } }] : []),
    ],
  };
}

function podContainerOf(model: ServerModel): IContainer {
  const { image, ports } = containerOf(model);
  const http = requireHttp(model);
  const env = environmentOf(model);
  const check = (path: string): IProbe => ({
    httpGet: { path, port: http.port, ...(http.tls !== undefined && { scheme: "HTTPS" }) },
    timeoutSeconds: 3,
  });
  return {
    name: "server",
    image,
    ports: ports.map(({ name, port }) => ({ name, containerPort: port })),
    ...(env.length > 0 && { env }),
    startupProbe: { ...check(http.health), periodSeconds: 1, failureThreshold: 60 },
    livenessProbe: { ...check(http.health), periodSeconds: 10 },
    readinessProbe: { ...check(readyPath(model)), periodSeconds: 2, failureThreshold: 1 },
    // A server with a page of readiness serves on by itself, until proxies know that it leaves.
    ...(http.ready === undefined && {
      lifecycle: { preStop: { sleep: { seconds: NOTICE_SECONDS } } },
    }),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [
      { name: "tmp", mountPath: "/tmp" },
      ...(http.tls === undefined ? [] : [{ name: "tls", mountPath: TLS_FOLDER, readOnly: true }]),
    ],
  };
}

/** Without Redis, pods serve on: a Service with none that is ready would serve nobody. */
function readyPath(model: ServerModel): string {
  const { ready, health } = requireHttp(model);
  if (ready === undefined) return health;
  return hasReplicas(model) ? `${ready}?exclude=redis` : ready;
}

/** Values stand in a Secret and a ConfigMap with the name of the server, and in no file. */
function environmentOf(model: ServerModel): IEnvVar[] {
  const { name } = containerOf(model);
  const { tls } = requireHttp(model);
  return serverVariables(model).map((variable) => {
    if (variable.name === tls?.cert) return file(variable.name, "tls.crt");
    if (variable.name === tls?.key) return file(variable.name, "tls.key");
    const isOptional = !isNeeded(variable, model);
    const reference = { name, key: variable.name, ...(isOptional && { optional: true }) };
    return {
      name: variable.name,
      valueFrom: variable.secret ? { secretKeyRef: reference } : { configMapKeyRef: reference },
    };
  });
}

function file(name: string, key: string): IEnvVar {
  return { name, value: `${TLS_FOLDER}/${key}` };
}

/** Pods with keys of their own could not take the answers to each other's questions, and without Redis share nothing. */
function isNeeded(
  { name, required, default: value }: EnvVariableModel,
  model: ServerModel,
): boolean {
  const isShared = hasReplicas(model) && name === model.scale?.redis.env;
  return isShared || name === REQUEST_STATE_KEY || (required && value === undefined);
}

export function serviceOf(model: ServerModel): IService {
  const { name, ports } = containerOf(model);
  const keepsSessions = requireHttp(model).sessions === "memory";
  const labels = { [LABEL]: name };
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, labels },
    spec: {
      selector: labels,
      ...(keepsSessions && { sessionAffinity: "ClientIP" }),
      ports: ports.map(({ name, port }) => ({ name, port, targetPort: name })),
    },
  };
}

/** What `kubectl apply -k` applies, and overlays change. @param resources names of files beside it */
export function kustomizationOf(resources: readonly string[]): object {
  return { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources };
}
