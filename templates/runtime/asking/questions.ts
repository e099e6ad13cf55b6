import {
  isSpecType,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type InputRequest,
  type Root,
} from "@modelcontextprotocol/server";
import type { NeededFeature } from "./client-features.js";
import type { Elicitation, FormElicitation, UrlElicitation } from "./definition.js";
import type { TextTemplate } from "../engine/fixed-content.js";
import { InputRefused } from "./input-refused.js";
import { imported } from "./imported.js";
import { isObject } from "../engine/request-parameters.js";
import { renderText } from "../engine/fixed-content.js";
import { validationMessage } from "../engine/validation-message.js";

/** A question to the client, and how to read its answer. */
export interface Question<Answer> {
  /** The first part of its key: the name in the manifest, `sample` or `roots`. */
  readonly name: string;
  /** The question for error messages. */
  readonly text: string;
  readonly needs: NeededFeature;
  /** The request, as it is sent to the client. */
  readonly request: InputRequest;
  /** Reads a response. @param problemOfNumbers Returns why rounded numbers of the response are refused. */
  read(response: unknown, problemOfNumbers: ProblemOfNumbers): Reading<Answer>;
}

/** Returns why rounded numbers of a response are refused, or undefined. @param schema The schema of the response. */
type ProblemOfNumbers = (schema: object) => string | undefined;

/** The meaning of a client's response. `invalid` is a response that does not fit the question. */
export type Reading<Answer> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "refusal"; readonly error: InputRefused }
  | { readonly kind: "invalid"; readonly problem: string };

/** Values for the placeholders of a question. */
export type QuestionValues = Readonly<Record<string, string | number | boolean>>;

/** The content of a form, which fits its schema. */
export type FormContent = Readonly<Record<string, unknown>>;

const maxMessageLength = 16_384;
const maxUrlLength = 8_192;

/** Makes a question to the user. The answer to a page is `true`: the user has agreed to open it. */
export function elicitation(
  key: string,
  definition: Elicitation,
  values: QuestionValues,
): Question<FormContent | true> {
  return definition.kind === "form"
    ? formQuestion(key, definition, values)
    : urlQuestion(key, definition, values);
}

function formQuestion(
  name: string,
  definition: FormElicitation,
  values: QuestionValues,
): Question<FormContent> {
  const { requestedSchema } = definition;
  const message = renderText(definition.message, values, maxMessageLength);
  const params = { message, requestedSchema } as Extract<
    InputRequest,
    { method: "elicitation/create" }
  >["params"];
  return {
    name,
    text: message,
    needs: "elicit",
    request: { method: "elicitation/create", params },
    read: (response, problemOfNumbers) =>
      readElicitation(response, message, (content) =>
        readForm(definition, content, problemOfNumbers),
      ),
  };
}

function urlQuestion(
  name: string,
  definition: UrlElicitation,
  values: QuestionValues,
): Question<true> {
  const message = renderText(definition.message, values, maxMessageLength);
  const url = renderUrl(definition.url, values);
  return {
    name,
    text: message,
    needs: "elicitUrl",
    request: { method: "elicitation/create", params: { mode: "url", message, url } as never },
    read: (response) =>
      readElicitation(response, message, () => ({ kind: "answer", answer: true })),
  };
}

function renderUrl(template: TextTemplate, values: QuestionValues): string {
  const encoded = Object.entries(values).map(([name, value]) => [
    name,
    encodeURIComponent(String(value)),
  ]);
  return renderText(template, Object.fromEntries(encoded) as QuestionValues, maxUrlLength);
}

function readElicitation<Answer>(
  response: unknown,
  message: string,
  readContent: (content: unknown) => Reading<Answer>,
): Reading<Answer> {
  const { action, content } = isObject(response) ? response : {};
  if (action === "decline" || action === "cancel") {
    return { kind: "refusal", error: new InputRefused(message, action) };
  }
  if (action === "accept") return readContent(content ?? {});
  return { kind: "invalid", problem: "no answer came" };
}

/** Reads the content of a form. Members that the form does not have are dropped. */
function readForm(
  { requestedSchema, validator }: FormElicitation,
  content: unknown,
  problemOfNumbers: ProblemOfNumbers,
): Reading<FormContent> {
  // The validators of a handler's forms are imported before the handler runs.
  const validate = imported(validator);
  const problem = validate(content)
    ? problemOfNumbers({ properties: { content: requestedSchema } })
    : validationMessage(validate.errors);
  if (problem !== undefined) return { kind: "invalid", problem };
  const asked = Object.entries(content as FormContent).filter(([name]) =>
    Object.hasOwn(requestedSchema.properties, name),
  );
  return { kind: "answer", answer: Object.fromEntries(asked) };
}

/** Makes a question to the client's model. */
export function sampling(
  params: CreateMessageRequestParams,
): Question<CreateMessageResult | CreateMessageResultWithTools> {
  const usesTools = params.tools !== undefined || params.toolChoice !== undefined;
  const isResult = usesTools
    ? isSpecType.CreateMessageResultWithTools
    : isSpecType.CreateMessageResult;
  return {
    name: "sample",
    text: "a question to the client's model",
    needs: usesTools ? "sampleWithTools" : "sample",
    request: { method: "sampling/createMessage", params },
    read: (response) =>
      isResult(response)
        ? { kind: "answer", answer: response as CreateMessageResult }
        : { kind: "invalid", problem: "no answer of a model came" },
  };
}

/** Makes the question for the client's folders. */
export function roots(): Question<readonly Root[]> {
  return {
    name: "roots",
    text: "the question for the client's folders",
    needs: "roots",
    request: { method: "roots/list" },
    read: (response) =>
      isSpecType.ListRootsResult(response)
        ? { kind: "answer", answer: response.roots }
        : { kind: "invalid", problem: "no list of folders came" },
  };
}
