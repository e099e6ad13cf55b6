import type { Socket } from "node:net";
import pg from "pg";
import type { StopSignal } from "../engine/cancellation.js";
import type { Row, Statement, StatementResult } from "./definition.js";

/** The result of a statement, and the commands that the connection still needs before it is used again. */
export interface Answer {
  readonly result: StatementResult;
  readonly resetCommands: readonly string[];
}

/** Thrown for a statement whose answer has more bytes than it may. Its connection has been closed. */
export class LongAnswerError extends Error {
  override readonly name = "LongAnswerError";
}

/**
 * How many bytes a database may send besides the rows, such as the names of columns and notices. It has room for the
 * most columns that a statement of Postgres can have.
 */
const BYTES_BESIDES_ROWS = 262_144;

const DISCARD = "discard all";

/** Commands that end a connection's transaction and remove its locks, settings and prepared statements. */
export const RESET_COMMANDS: readonly string[] = ["rollback", DISCARD];

/**
 * Runs one statement with the extended protocol, which refuses a text with several statements. The begin of its transaction
 * and its settings are sent with it, and with one that only reads the reset, too: that needs one round trip. The commit of a
 * write is sent once its answer is known not to be too long, and only if the signal has not stopped the call before. What
 * becomes of a commit that has been sent is not known if the call stops or the connection breaks before its answer.
 *
 * @throws the reason of the signal instead of committing
 */
export async function runStatement(
  client: pg.PoolClient,
  statement: Statement,
  signal: StopSignal,
): Promise<Answer> {
  const { result, query } = await runQuery(client, statement);
  if (!statement.write) return { result, resetCommands: query.isReset ? [] : RESET_COMMANDS };
  if (signal.reason !== undefined) throw signal.reason as Error;
  await client.query("commit");
  return { result, resetCommands: [DISCARD] };
}

function runQuery(
  client: pg.PoolClient,
  { text, values, maxRows, maxBytes, ...transaction }: Statement,
): Promise<{ readonly result: StatementResult; readonly query: TransactionQuery }> {
  const boundValues = Object.values(values).map((value) => value ?? null);
  return new Promise((resolve, reject) => {
    const limits = { rows: maxRows + 1, bytes: maxBytes };
    const query = new TransactionQuery(text, boundValues, limits, transaction, (error, result) => {
      if (error) reject(error);
      else resolve({ result: limitedResult(result, maxRows), query });
    });
    client.query(query);
  });
}

function limitedResult(
  { rows, fields, rowCount }: pg.QueryResult<Row>,
  maxRows: number,
): StatementResult {
  const isCut = rows.length > maxRows;
  return {
    rows: isCut ? rows.slice(0, maxRows) : rows,
    isCut,
    ...(fields.length === 0 && { changed: rowCount ?? 0 }),
  };
}

/** Methods of `pg` that its types do not declare. */
interface ProtocolConnection {
  readonly stream: Pick<Socket, "write" | "prependListener" | "off" | "destroy">;
  parse(query: { readonly text: string }): void;
  bind(portal: { readonly values?: readonly string[] }): void;
  execute(portal: { readonly portal: string; readonly rows: number }): void;
  sync(): void;
}

interface ProtocolQuery {
  queryMode: "extended" | undefined;
  submit(connection: unknown): void;
  prepare(connection: ProtocolConnection): void;
  handleDataRow(message: { readonly length: number }): void;
  handleCommandComplete(message: object, connection: ProtocolConnection): void;
  handleReadyForQuery(connection: ProtocolConnection): void;
  handleError(error: Error, connection: ProtocolConnection): void;
}

type QueryCallback = (error: Error | undefined, result: pg.QueryResult) => void;

// `pg` documents and uses these methods, but its types leave them out.
const { Connection, Query: ProtocolQuery } = pg as unknown as {
  readonly Connection: new (settings: object) => ProtocolConnection;
  readonly Query: new (
    text: string,
    values: readonly unknown[],
    callback: QueryCallback,
  ) => ProtocolQuery;
};

interface Limits {
  /** The maximum number of rows. */
  readonly rows: number;
  /** The maximum number of bytes of the values of all rows. */
  readonly bytes: number;
}

/**
 * A query that asks the database only for the first rows; a query of `pg` always asks for all. If the database sends
 * too many bytes, it closes the connection: `pg` would keep a row, a notice or an error of any size until it has all.
 */
class LimitedQuery extends ProtocolQuery {
  readonly #limits: Limits;
  #rowBytes = 0;
  #receivedBytes = 0;
  #isTooLong = false;
  #connection: ProtocolConnection | undefined;

  constructor(text: string, values: readonly unknown[], limits: Limits, callback: QueryCallback) {
    super(text, values, (error, result) => {
      this.#connection?.stream.off("data", this.#countReceived);
      callback(this.#isTooLong ? new LongAnswerError() : error, result);
    });
    this.queryMode = "extended";
    this.#limits = limits;
  }

  override submit(connection: unknown): void {
    this.#connection = connection as ProtocolConnection;
    this.#connection.stream.prependListener("data", this.#countReceived);
    return super.submit(connection);
  }

  _getRows(connection: ProtocolConnection): void {
    connection.execute({ portal: "", rows: this.#limits.rows });
    this.sendEnd(connection);
  }

  /** The length of a message has that of its own number, and that of the number of values. */
  override handleDataRow(message: { readonly length: number }): void {
    this.#rowBytes += message.length - 6;
    if (this.#rowBytes > this.#limits.bytes) this.#refuse();
    if (!this.#isTooLong) super.handleDataRow(message);
  }

  readonly #countReceived = ({ length }: Buffer): void => {
    this.#receivedBytes += length;
    if (this.#receivedBytes > this.#limits.bytes + BYTES_BESIDES_ROWS) this.#refuse();
  };

  #refuse(): void {
    this.#isTooLong = true;
    this.#connection?.stream.destroy();
  }

  /** Sends the messages that follow the statement. */
  protected sendEnd(connection: ProtocolConnection): void {
    connection.sync();
  }

  handlePortalSuspended(): void {
    // There are more rows, which are not needed.
  }
}

/**
 * A limited query in a transaction, which is sent with it: the begin, the settings, and the reset commands if it only reads.
 * If a command fails, the database skips those after it, so that no statement runs without its settings.
 */
class TransactionQuery extends LimitedQuery {
  readonly #isWrite: boolean;
  /** Names and values in turns. */
  readonly #settings: readonly string[];
  /** How many commands stand before the statement: the begin, and the one that sets. */
  readonly #before: number;
  #completedCommands = 0;

  constructor(
    text: string,
    values: readonly unknown[],
    limits: Limits,
    { write, settings = {} }: Pick<Statement, "write" | "settings">,
    callback: QueryCallback,
  ) {
    super(text, values, limits, callback);
    this.#isWrite = write;
    this.#settings = Object.entries(settings).flat();
    this.#before = this.#settings.length === 0 ? 1 : 2;
  }

  /** Whether all reset commands were carried out. */
  get isReset(): boolean {
    return this.#completedCommands === this.#before + 1 + RESET_COMMANDS.length;
  }

  override prepare(connection: ProtocolConnection): void {
    connection.stream.write(this.#isWrite ? BEGIN_MESSAGES : BEGIN_READ_ONLY_MESSAGES);
    if (this.#before > 1) sendCommand(connection, setLocal(this.#settings), this.#settings);
    super.prepare(connection);
  }

  protected override sendEnd(connection: ProtocolConnection): void {
    if (this.#isWrite) super.sendEnd(connection);
    else connection.stream.write(RESET_MESSAGES);
  }

  /** The command that sets answers with a row, too, which is not a part of the result. */
  override handleDataRow(message: { readonly length: number }): void {
    if (this.#completedCommands === this.#before) super.handleDataRow(message);
  }

  /** Only the completion of the statement itself belongs to its result. */
  override handleCommandComplete(message: object, connection: ProtocolConnection): void {
    if (this.#completedCommands === this.#before) super.handleCommandComplete(message, connection);
    this.#completedCommands++;
  }

  override handlePortalSuspended(): void {
    this.#completedCommands++;
  }

  handleEmptyQuery(): void {
    this.#completedCommands++;
  }

  /** A failed reset command does not change the result. */
  override handleError(error: Error, connection: ProtocolConnection): void {
    if (this.#completedCommands <= this.#before) super.handleError(error, connection);
    else this.handleReadyForQuery(connection);
  }
}

/**
 * The command that gives settings to the transaction alone, as `set local` does. Names and values are bound.
 *
 * @param settings names and values in turns, of which only the number matters
 */
function setLocal({ length }: readonly string[]): string {
  const calls = Array.from(
    { length: length / 2 },
    (_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`,
  );
  return `select ${calls.join(", ")}`;
}

function sendCommand(
  connection: ProtocolConnection,
  text: string,
  values: readonly string[] = [],
): void {
  connection.parse({ text });
  connection.bind({ values });
  connection.execute({ portal: "", rows: 0 });
}

/** The bytes of protocol messages, which are the same for every connection. */
function bytesOf(send: (connection: ProtocolConnection) => void): Buffer {
  const chunks: Buffer[] = [];
  const stream = { write: (bytes: Buffer) => chunks.push(bytes), writable: true };
  send(new Connection({ stream }));
  return Buffer.concat(chunks);
}

const BEGIN_MESSAGES = bytesOf((connection) => sendCommand(connection, "begin"));

const BEGIN_READ_ONLY_MESSAGES = bytesOf((connection) =>
  sendCommand(connection, "begin read only"),
);

const RESET_MESSAGES = bytesOf((connection) => {
  for (const command of RESET_COMMANDS) sendCommand(connection, command);
  connection.sync();
});
