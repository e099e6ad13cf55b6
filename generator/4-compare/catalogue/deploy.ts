import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about changes for which it is not enough to replace one replica after another. */

const HTTP = "transports: [{type: http}]";
const SCALE = `env: {REDIS_URL: {secret: true}}\n${HTTP}\nscale: {redis: {env: REDIS_URL}`;

export const deploymentRenamed = defineRule<{ before: string; after: string }>({
  id: "deployment-renamed",
  severity: "warning",
  title: "Kubernetes takes it for another deployment",
  explanation: {
    cause:
      "The Deployment, its Service, Secret and ConfigMap have the name of the server. Under the new name Kubernetes starts another deployment, and the former one runs on.",
    example: {
      before: `name: books\n${HTTP}\ndeploy: {kubernetes: true}`,
      after: `name: library\n${HTTP}\ndeploy: {kubernetes: true}`,
    },
    fix: "Make the Secret and the ConfigMap under the new name, apply the files, lead clients to the new Service, and delete the former deployment.",
  },
  message: ({ before, after }) =>
    `a rolling update is not enough: Kubernetes runs ${quoted(after)} beside ${quoted(before)}`,
});

export const sharedStateRenamed = defineRule<{ before: string; after: string }>({
  id: "shared-state-renamed",
  severity: "warning",
  title: "what is shared stands under another name",
  explanation: {
    cause:
      "The keys in Redis begin with the name of the server. Replicas with the new name find no switches and no budgets there, and do not hear those with the former one.",
    example: {
      before: `name: books\n${SCALE}}`,
      after: `name: library\n${SCALE}}`,
    },
    fix: "Replace all replicas at once, and switch again what was switched.",
  },
  message: ({ before, after }) =>
    `a rolling update is not enough: replicas of ${quoted(after)} share nothing with those of ${quoted(before)}`,
});

/** `state`: a kind of state in the plural, such as "events". */
export const sharingChanged = defineRule<{ state: string; isShared: boolean }>({
  id: "sharing-changed",
  severity: "warning",
  title: "replicas share something else",
  explanation: {
    cause:
      "While replicas are replaced one after another, those of before and those of now differ in what they share: a switch or an event does not reach all of them, or a budget is counted twice.",
    example: { before: `${SCALE}}`, after: `${SCALE}, share: []}` },
    fix: "Replace all replicas at once, or take into account that they differ meanwhile.",
  },
  message: ({ state, isShared }) =>
    `a rolling update is not enough: ${state} are ${isShared ? "shared now" : "not shared any more"}`,
});

export const requestStateKeyNeeded = defineRule({
  id: "request-state-key-needed",
  severity: "warning",
  title: "replicas need one key",
  explanation: {
    cause:
      "An item asks users, and its server is deployed as several replicas. What a client keeps between question and answer is sealed with `REQUEST_STATE_KEY`; with different keys no replica could take the answers to the questions of another.",
    example: {
      before: `${HTTP}\ntools: [{name: a, description: Does a., uses: [roots]}]`,
      after: `${HTTP}\ntools: [{name: a, description: Does a., uses: [roots]}]\ndeploy: {kubernetes: true}`,
    },
    fix: "Set `REQUEST_STATE_KEY` for all replicas before the update; `openssl rand -hex 32` makes one.",
  },
  message: () =>
    "a rolling update is not enough: first set REQUEST_STATE_KEY, the same for all replicas",
});
