import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { ModelPrompt, Question, Reply } from "../connection/connection.js";
import type { OpenQuestion } from "../connection/session.js";
import { DataView } from "../content/data-view.js";
import { Messages } from "../content/messages.js";
import { Text } from "../content/text.js";
import { SchemaForm } from "../form/schema-form.js";
import type { Schema } from "../form/schema.js";
import { texts } from "../texts.js";
import { Boundary } from "./boundary.js";

/** A question of the server. Escape closes it with the protocol's action `cancel`. */
export function QuestionDialog({ question, onReply }: OpenQuestion): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const previousFocus = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (previousFocus instanceof HTMLElement) previousFocus.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-labelledby={id}
      aria-describedby={`${id}-message`}
      onCancel={(event) => {
        event.preventDefault();
        onReply({ action: "cancel" });
      }}
    >
      <h2 id={id}>{texts.question}</h2>
      <Boundary>
        <QuestionForm question={question} messageId={`${id}-message`} onReply={onReply} />
      </Boundary>
    </dialog>
  );
}

interface QuestionProps {
  /** The id of the element with the text of the question. */
  readonly messageId: string;
  readonly question: Question;
  readonly onReply: (reply: Reply) => void;
}

function QuestionForm({ question, messageId, onReply }: QuestionProps): JSX.Element {
  if (question.kind === "roots") {
    return (
      <TextQuestion
        title={texts.rootsQuestion}
        label={texts.folders}
        messageId={messageId}
        onReply={onReply}
      />
    );
  }
  if (question.kind === "sampling") {
    return (
      <TextQuestion
        title={texts.samplingQuestion}
        label={texts.answerText}
        messageId={messageId}
        content={<Prompt {...question.prompt} />}
        onReply={onReply}
      />
    );
  }
  const { params } = question;
  const isConsent = params.mode !== "url" && hasNoFields(params.requestedSchema);
  return (
    <>
      {/* The key that has sent the call, held or pressed twice, must not agree to it. So no button has the focus. */}
      <p class="message" id={messageId} tabIndex={-1} autofocus={isConsent}>
        <Text>{params.message}</Text>
      </p>
      {params.mode === "url" ? (
        <LinkQuestion url={params.url} onReply={onReply} />
      ) : isConsent ? (
        <ConsentQuestion onReply={onReply} />
      ) : (
        <SchemaForm
          schema={params.requestedSchema as Schema}
          action={texts.send}
          isFree={false}
          isBusy={false}
          onSubmit={(content) =>
            onReply({ action: "accept", content: content as NonNullable<Reply["content"]> })
          }
        >
          <RefusalButtons onReply={onReply} />
        </SchemaForm>
      )}
    </>
  );
}

/** Whether a form asks for nothing but a yes, as the question whether a tool may run does. */
function hasNoFields({ properties }: { readonly properties?: object }): boolean {
  return Object.keys(properties ?? {}).length === 0;
}

/** Asks for a yes or a no. */
function ConsentQuestion({ onReply }: Pick<QuestionProps, "onReply">): JSX.Element {
  return (
    <div class="actions">
      <button
        type="button"
        class="primary"
        onClick={() => onReply({ action: "accept", content: {} })}
      >
        {texts.agree}
      </button>
      <RefusalButtons onReply={onReply} />
    </div>
  );
}

/** Asks the user to open a URL. The page does not open it by itself. */
function LinkQuestion(props: {
  readonly url: string;
  readonly onReply: (reply: Reply) => void;
}): JSX.Element {
  const { url, onReply } = props;
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  return (
    <>
      <p>
        <code>
          <Text>{url}</Text>
        </code>
      </p>
      {isWeb ? (
        <p>
          <a class="button" href={url} target="_blank" rel="noopener noreferrer">
            <Text>{texts.openLink(new URL(url).host)}</Text>
          </a>
        </p>
      ) : (
        <p class="problem">{texts.badLink}</p>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={() => onReply({ action: "accept" })}>
          {texts.linkDone}
        </button>
        <RefusalButtons onReply={onReply} />
      </div>
    </>
  );
}

function TextQuestion(props: {
  readonly title: string;
  readonly label: string;
  readonly messageId: string;
  readonly content?: JSX.Element;
  readonly onReply: (reply: Reply) => void;
}): JSX.Element {
  const [text, setText] = useState("");
  const id = useId();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onReply({ action: "accept", text });
      }}
    >
      <p class="message" id={props.messageId}>
        {props.title}
      </p>
      {props.content}
      <div class="field">
        <label for={id}>
          <span class="name">{props.label}</span>
        </label>
        <textarea
          id={id}
          rows={3}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button type="submit" class="primary">
          {texts.send}
        </button>
        <RefusalButtons onReply={props.onReply} />
      </div>
    </form>
  );
}

/** The prompt for a model. */
function Prompt({ messages, systemPrompt, ...settings }: ModelPrompt): JSX.Element {
  return (
    <>
      {systemPrompt !== undefined && (
        <section class="embedded">
          <p class="hint">{texts.systemPrompt}</p>
          <p>
            <Text>{systemPrompt}</Text>
          </p>
        </section>
      )}
      <Messages messages={messages} />
      <DataView value={settings} />
    </>
  );
}

function RefusalButtons({ onReply }: Pick<QuestionProps, "onReply">): JSX.Element {
  return (
    <>
      <button type="button" onClick={() => onReply({ action: "decline" })}>
        {texts.decline}
      </button>
      <button type="button" class="quiet" onClick={() => onReply({ action: "cancel" })}>
        {texts.dismiss}
      </button>
    </>
  );
}
