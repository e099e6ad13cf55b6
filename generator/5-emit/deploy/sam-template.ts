import type { JsonObject } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { containerOf } from "./container.js";
import { platformVariables } from "./platform-variables.js";

/** The name of the function in the template. */
const LOGICAL_NAME = "Server";

/** `template.yaml` of the Serverless Application Model: a function with a URL that streams its answers. */
export function samTemplate(model: ServerModel): JsonObject {
  const { name } = containerOf(model);
  const { defaults, secrets } = platformVariables(model);
  const stored = secrets.map(
    (secret) => [secret, `{{resolve:secretsmanager:${name}:SecretString:${secret}}}`] as const,
  );
  const variables = { ...defaults, ...Object.fromEntries(stored) };
  return {
    AWSTemplateFormatVersion: "2010-09-09",
    Transform: "AWS::Serverless-2016-10-31",
    Resources: {
      [LOGICAL_NAME]: {
        Type: "AWS::Serverless::Function",
        Properties: {
          CodeUri: "dist/lambda/",
          Handler: "index.streamingHandler",
          Runtime: "nodejs24.x",
          MemorySize: 512,
          Timeout: 120,
          // The server itself knows its callers.
          FunctionUrlConfig: { AuthType: "NONE", InvokeMode: "RESPONSE_STREAM" },
          ...(Object.keys(variables).length > 0 && { Environment: { Variables: variables } }),
        },
      },
    },
    Outputs: { Url: { Value: { "Fn::GetAtt": [`${LOGICAL_NAME}Url`, "FunctionUrl"] } } },
  };
}

/** What people have to know of the template: comments at its start. */
export function samNotes(model: ServerModel): string[] {
  const { secrets, optionalSecrets, unset } = platformVariables(model);
  const { name } = containerOf(model);
  const list = (names: readonly string[]): string => names.join(", ");
  return [
    "Behind an HTTP API of API Gateway: `Handler: index.handler`, and `Events` instead of `FunctionUrlConfig`.",
    ...(secrets.length > 0
      ? [`The secret ${name} of Secrets Manager is a JSON object with: ${list(secrets)}`]
      : []),
    ...(optionalSecrets.length > 0
      ? [`Secrets that may be added to it and to the variables: ${list(optionalSecrets)}`]
      : []),
    ...(unset.length > 0 ? [`Variables without which it does not start: ${list(unset)}`] : []),
  ];
}
