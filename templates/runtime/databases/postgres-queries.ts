import type { Socket } from "node:net";
import pg from "pg";
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

/** Gives settings to the transaction alone: `set local`, with names and values that are bound. */
const SET_LOCAL = `
select set_config(setting.name, setting.value, true) from unnest($1::text[], $2::text[]) as setting (name, value)`;

/**
 * Runs one statement with the extended protocol, which refuses a text with several statements. A statement that only
 * reads, without settings, needs one round trip: the commands of its transaction and of the reset are sent with it.
 */
export async function runStatement(client: pg.PoolClient, statement: Statement): Promise<Answer> {
  const { write, settings } = statement;
  if (!write && settings === undefined) {
    const { result, query } = await runQuery(client, statement, ReadOnlyQuery);
    return { result, resetCommands: query.isReset ? [] : RESET_COMMANDS };
  }
  await client.query(write ? "begin" : "begin read only");
  if (settings !== undefined) {
    await client.query(SET_LOCAL, [Object.keys(settings), Object.values(settings)]);
  }
  const { result } = await runQuery(client, statement, LimitedQuery);
  if (!write) return { result, resetCommands: RESET_COMMANDS };
  await client.query("commit");
  return { result, resetCommands: [DISCARD] };
}

function runQuery<Query extends LimitedQuery>(
  client: pg.PoolClient,
  { text, values, maxRows, maxBytes }: Statement,
  Query: new (...parameters: ConstructorParameters<typeof LimitedQuery>) => Query,
): Promise<{ readonly result: StatementResult; readonly query: Query }> {
  const boundValues = Object.values(values).map((value) => value ?? null);
  return new Promise((resolve, reject) => {
    const limits = { rows: maxRows + 1, bytes: maxBytes };
    const query = new Query(text, boundValues, limits, (error, result) => {
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
  bind(values: object): void;
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
 * A limited query in a read-only transaction. The begin of the transaction and the reset commands are sent with it. If
 * a command fails, the database skips those after it.
 */
class ReadOnlyQuery extends LimitedQuery {
  /** How many of the four commands were carried out: begin, the statement, and the two reset commands. */
  #completedCommands = 0;

  /** Whether all reset commands were carried out. */
  get isReset(): boolean {
    return this.#completedCommands === 2 + RESET_COMMANDS.length;
  }

  override prepare(connection: ProtocolConnection): void {
    connection.stream.write(BEGIN_MESSAGES);
    super.prepare(connection);
  }

  protected override sendEnd(connection: ProtocolConnection): void {
    connection.stream.write(RESET_MESSAGES);
  }

  /** Only the completion of the statement itself, the second command, belongs to its result. */
  override handleCommandComplete(message: object, connection: ProtocolConnection): void {
    if (this.#completedCommands === 1) super.handleCommandComplete(message, connection);
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
    if (this.#completedCommands < 2) super.handleError(error, connection);
    else this.handleReadyForQuery(connection);
  }
}

function sendCommand(connection: ProtocolConnection, text: string): void {
  connection.parse({ text });
  connection.bind({});
  connection.execute({ portal: "", rows: 0 });
}

/** The bytes of protocol messages, which are the same for every connection. */
function bytesOf(send: (connection: ProtocolConnection) => void): Buffer {
  const chunks: Buffer[] = [];
  const stream = { write: (bytes: Buffer) => chunks.push(bytes), writable: true };
  send(new Connection({ stream }));
  return Buffer.concat(chunks);
}

const BEGIN_MESSAGES = bytesOf((connection) => sendCommand(connection, "begin read only"));

const RESET_MESSAGES = bytesOf((connection) => {
  for (const command of RESET_COMMANDS) sendCommand(connection, command);
  connection.sync();
});
