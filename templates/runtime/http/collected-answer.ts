/**
 * Makes one JSON answer of a stream of events: of its messages, only the answers to requests stay.
 * @param isBatch Whether the client sent a batch, whose answer is a list.
 */
export async function collectedAnswer(response: Response, isBatch: boolean): Promise<Response> {
  const answers: string[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    answers.push(...events.flatMap((event) => answerIn(event) ?? []));
  }
  const headers = new Headers(response.headers);
  for (const name of ["cache-control", "connection"]) headers.delete(name);
  headers.set("content-type", "application/json");
  const [first] = answers;
  if (first === undefined) {
    const error = { code: -32603, message: "The call ended without an answer" };
    return Response.json({ jsonrpc: "2.0", error }, { status: 500 });
  }
  return new Response(isBatch ? `[${answers.join(",")}]` : first, { headers });
}

/** The JSON of the answer in an event; undefined for a notification, a comment or an event without data. */
function answerIn(event: string): string | undefined {
  const json = /^data: (\{.*)$/m.exec(event)?.[1];
  if (json === undefined) return undefined;
  return "method" in (JSON.parse(json) as object) ? undefined : json;
}
