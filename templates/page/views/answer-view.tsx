import type { CallToolResult, ContentBlock, GetPromptResult } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import type { Answer, SentRequest } from "../connection/connection.js";
import { Content, ResourceContents } from "../content/content-block.js";
import { DataView } from "../content/data-view.js";
import { Messages } from "../content/messages.js";
import { Shortened } from "../content/shortened.js";
import { Tabs } from "../content/tabs.js";
import { CodeBlock, JsonBlock } from "../content/text.js";
import { texts } from "../texts.js";
import { Boundary } from "./boundary.js";
import { quoted } from "./clients.js";

/** Tabs for an answer: by its kind, as JSON, and the HTTP request for it. */
export function AnswerView(props: {
  readonly answer: Answer;
  readonly sentRequest: SentRequest | undefined;
}): JSX.Element {
  const { answer, sentRequest } = props;
  const { answer: content, json, request, curl } = texts.tabs;
  return (
    <Tabs
      label={texts.answerViews}
      tabs={[
        { name: content, content: <Boundary children={<AnswerContent answer={answer} />} /> },
        { name: json, content: <JsonBlock label={json} value={answer} /> },
        ...(sentRequest === undefined
          ? []
          : [
              {
                name: request,
                content: <JsonBlock label={request} value={JSON.parse(sentRequest.body)} />,
              },
              { name: curl, content: <CodeBlock label={curl} text={curlCommand(sentRequest)} /> },
            ]),
      ]}
    />
  );
}

function AnswerContent({ answer }: { readonly answer: Answer }): JSX.Element {
  if ("messages" in answer) return <Messages {...(answer as GetPromptResult)} />;
  if ("contents" in answer) {
    const contents = answer.contents as Parameters<typeof ResourceContents>[0]["contents"][];
    if (contents.length === 0) return <p class="hint">{texts.emptyAnswer}</p>;
    return (
      <>
        <Shortened count={contents.length}>
          {(shown) =>
            contents
              .slice(0, shown)
              .map((item, index) => <ResourceContents key={index} contents={item} />)
          }
        </Shortened>
      </>
    );
  }
  return <ToolAnswer answer={answer as CallToolResult} />;
}

function ToolAnswer({ answer }: { readonly answer: CallToolResult }): JSX.Element {
  const { content = [], structuredContent, isError } = answer;
  const blocks = content.filter((block) => !repeats(block, structuredContent));
  return (
    <div class={isError === true ? "tool-failed" : undefined}>
      {isError === true && (
        <p class="error-title">
          <strong>{texts.toolFailed}</strong>
        </p>
      )}
      {structuredContent !== undefined && <DataView value={tableOf(structuredContent)} />}
      <Shortened count={blocks.length}>
        {(shown) =>
          blocks.slice(0, shown).map((block, index) => <Content key={index} {...{ block }} />)
        }
      </Shortened>
      {blocks.length === 0 && structuredContent === undefined && (
        <p class="hint">{texts.emptyAnswer}</p>
      )}
    </div>
  );
}

/** Whether a block repeats the structured content as text for older clients. */
function repeats(block: ContentBlock, structured: unknown): boolean {
  if (block.type !== "text" || structured === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(block.text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

/** Returns the list if it is the only member of an object, since a list can be shown as a table. */
function tableOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.values(value) as unknown[];
  return members.length === 1 && Array.isArray(members[0]) ? members[0] : value;
}

/** The curl command for the same request. The token is in a shell variable. */
function curlCommand({ url, headers, body }: SentRequest): string {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === "authorization"
      ? `-H "authorization: Bearer $TOKEN"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  return [`curl ${quoted(url)}`, ...lines, `--data-raw ${quoted(body)}`].join(" \\\n  ");
}
