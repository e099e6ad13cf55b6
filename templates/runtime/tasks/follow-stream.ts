import type { JSONRPCMessage, JSONRPCNotification } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import { isEventStream } from "../http/answer-bytes.js";
import { keepAliveMs, signsOfLife } from "../http/slow-answers.js";
import type { TaskFollowers } from "./followers.js";
import type { TaskRecord } from "./record.js";
import {
  acknowledgedFilter,
  taskNotification,
  undeclaredAnswer,
  withTaskIds,
  type TaskListening,
} from "./listen-request.js";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The streams over HTTP on which clients follow tasks: those of the SDK, with what is told of tasks. */
export class TaskStreams {
  readonly #followers: TaskFollowers;
  /** Ends the streams that nothing but tasks keeps open. */
  readonly #ends = new Set<() => void>();

  constructor(followers: TaskFollowers) {
    this.#followers = followers;
  }

  /** Adds tasks to the SDK's answer to a request. An answer that is no stream stays as it is. */
  async follow(
    listening: TaskListening,
    caller: Partial<Caller>,
    answer: Response,
  ): Promise<Response> {
    if (!isEventStream(answer) || answer.body === null) return answer;
    if (!listening.knowsTasks) {
      await answer.body.cancel();
      return Response.json(undeclaredAnswer(listening.id), { status: 400 });
    }
    const records = await this.#followers.find(listening.taskIds, caller);
    if (records.size === 0) return answer;
    const reader = answer.body.getReader();
    const stream = new FollowingStream(reader, (tell) => {
      const notify = (task: Parameters<typeof taskNotification>[0]): void =>
        tell(taskNotification(task, listening.id));
      return this.#followers.follow(records, caller, notify);
    });
    return new Response(stream.body(records, this.#ends), answer);
  }

  /** Ends the streams as the SDK ends its own. */
  close(): void {
    for (const end of this.#ends) end();
  }
}

/** One stream of the SDK with what is told of tasks. */
class FollowingStream {
  readonly #reader: Reader;
  readonly #follow: (tell: (notification: JSONRPCNotification) => void) => () => void;
  #end: () => void = () => undefined;
  readonly #ended = new Promise<void>((resolve) => (this.#end = resolve));
  #isOver = false;
  #leave: (() => void) | undefined;

  constructor(
    reader: Reader,
    follow: (tell: (notification: JSONRPCNotification) => void) => () => void,
  ) {
    this.#reader = reader;
    this.#follow = follow;
  }

  body(
    records: ReadonlyMap<string, TaskRecord>,
    ends: Set<() => void>,
  ): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        ends.add(this.#end);
        const over = (): void => {
          this.#close();
          ends.delete(this.#end);
        };
        this.#pass(controller, records.keys()).then(
          () => {
            if (!this.#isOver) controller.close();
            over();
          },
          (error: unknown) => {
            if (!this.#isOver) controller.error(error);
            over();
          },
        );
      },
      cancel: (reason) => {
        this.#close();
        return this.#reader.cancel(reason);
      },
    });
  }

  /** Passes on what the SDK writes: first the acknowledgement, one event at a time. */
  async #pass(
    controller: ReadableStreamDefaultController<Uint8Array>,
    taskIds: Iterable<string>,
  ): Promise<void> {
    const write = (bytes: Uint8Array | undefined): void => {
      if (!this.#isOver && bytes !== undefined) controller.enqueue(bytes);
    };
    const acknowledgement = messageOf((await this.#reader.read()).value);
    write(eventOf(withTaskIds(acknowledgement, taskIds)));
    this.#leave = this.#follow((notification) => write(eventOf(notification)));
    if (Object.keys(acknowledgedFilter(acknowledgement)).length === 0) {
      // The SDK ends a stream on which it has nothing to tell. Its last event waits until this one ends.
      const { value: last } = await this.#reader.read();
      const timer = setInterval(() => write(encoder.encode(signsOfLife.events)), keepAliveMs);
      await this.#ended;
      clearInterval(timer);
      write(last);
    }
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      write(value);
    }
  }

  #close(): void {
    this.#isOver = true;
    this.#leave?.();
    this.#end();
  }
}

const encoder = new TextEncoder();
const dataStart = "data: ";

/** The message in an event of the SDK. */
function messageOf(event: Uint8Array | undefined): JSONRPCNotification {
  const text = new TextDecoder().decode(event);
  return JSON.parse(text.slice(text.indexOf(dataStart) + dataStart.length)) as JSONRPCNotification;
}

function eventOf(message: JSONRPCMessage): Uint8Array {
  return encoder.encode(`event: message\n${dataStart}${JSON.stringify(message)}\n\n`);
}
