import type { GetPromptResult, SamplingMessage } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import { texts } from "../texts.js";
import { Content } from "./content-block.js";
import { Shortened } from "./shortened.js";

/** The messages of a conversation with a model. */
export function Messages(props: {
  readonly messages: readonly (GetPromptResult["messages"][number] | SamplingMessage)[];
}): JSX.Element {
  const { messages } = props;
  return (
    <Shortened count={messages.length}>
      {(shown) => (
        <ol class="messages">
          {messages.slice(0, shown).map(({ role, content }, index) => (
            <li key={index} class={role}>
              <p class="role">{texts.roles[role]}</p>
              {[content].flat().map((block, part) => (
                <Content key={part} block={block as Parameters<typeof Content>[0]["block"]} />
              ))}
            </li>
          ))}
        </ol>
      )}
    </Shortened>
  );
}
