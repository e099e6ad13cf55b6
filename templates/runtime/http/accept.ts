/** The form of an answer: a stream of events, or one JSON value. */
export type AnswerForm = "events" | "json";

/** The two media types of answers, with those that include them. */
const events = "text/event-stream";
const includingEvents = ["text/*", "*/*"];
const includingJson = ["application/json", "application/*", "*/*"];

/**
 * The form of the answer that a client accepts: events only if it names them, since all clients can read JSON. Undefined
 * if it accepts neither.
 */
export function answerForm(accept: string | undefined): AnswerForm | undefined {
  if (accept === usualAccept) return "events";
  const ranges = rangesOf(accept);
  if (ranges.includes(events)) return "events";
  if (includingJson.some((range) => ranges.includes(range))) return "json";
  return ranges.includes("text/*") ? "events" : undefined;
}

/**
 * The `Accept` header with which the SDK answers a request in the {@link answerForm} that its client accepts. The SDK wants
 * both types of a POST, and `text/event-stream` of a GET.
 */
export function acceptForSdk(method: string, accept: string | undefined): string | undefined {
  if (method === "GET") {
    const ranges = rangesOf(accept);
    return includingEvents.some((range) => ranges.includes(range)) ? events : accept;
  }
  const form = answerForm(accept);
  if (form === undefined) return accept;
  return form === "events" ? usualAccept : onlyJson;
}

const usualAccept = "application/json, text/event-stream";
const onlyJson = `application/json, ${events};q=0`;

/** The media ranges of a header that are not excluded by `q=0`, without parameters. Without a header, all are accepted. */
function rangesOf(accept = ""): string[] {
  return (accept.trim() === "" ? "*/*" : accept).split(",").flatMap((part) => {
    const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const isExcluded = parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter));
    return isExcluded ? [] : [range];
  });
}
