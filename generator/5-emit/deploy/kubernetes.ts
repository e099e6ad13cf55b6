import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type { IContainer, IEnvVar, IPodSpec, IProbe, IService } from "kubernetes-models/v1";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import { sharesState } from "../model-facts.js";
import { REQUEST_STATE_KEY, serverVariables } from "../project/env-example.js";
import { containerOf, NOTICE_SECONDS, requireHttp, STOP_SECONDS } from "./container.js";

const LABEL = "app.kubernetes.io/name";

/** The folder where the Secret of type `kubernetes.io/tls` is mounted. */
const TLS_FOLDER = "/run/tls";

/** The Deployment. An update stops a pod only when its replacement is ready. */
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
  return sharesState(model);
}

/** A budget that lets maintenance of nodes evict one pod at a time; none for a server with one pod. */
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
    // A server with a readiness endpoint keeps serving by itself until proxies no longer send requests.
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

/** The readiness endpoint, without its check of Redis. Pods serve without Redis, and must not all become unready. */
function readyPath(model: ServerModel): string {
  const { ready, health } = requireHttp(model);
  if (ready === undefined) return health;
  return hasReplicas(model) ? `${ready}?exclude=redis` : ready;
}

/** Environment variables. Their values come from a Secret and a ConfigMap that are named as the server. */
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

/**
 * True if pods do not start without the variable. This includes the key for questions, since pods with different
 * keys cannot accept answers to each other's questions, and the URL of Redis, without which pods share nothing.
 */
function isNeeded(
  { name, required, default: value }: EnvVariableModel,
  model: ServerModel,
): boolean {
  const isShared = hasReplicas(model) && name === model.scale?.redis.env;
  return isShared || name === REQUEST_STATE_KEY || (required && value === undefined);
}

/** The Service. Clients with sessions in memory always reach the same pod. */
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

/**
 * The kustomization that `kubectl apply -k` applies, and that overlays change.
 *
 * @param resources names of the files in the same folder
 */
export function kustomizationOf(resources: readonly string[]): object {
  return { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources };
}
