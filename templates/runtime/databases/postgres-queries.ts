import pg from "pg";
import type { Found, Row, Statement } from "./definition.js";

/** What the database answered, and the commands that leave the connection as it was before. */
export interface Answer {
  readonly found: Found;
  readonly leaving: readonly string[];
}

const CLEAR = "discard all";

/** They leave the connection as it was, whatever goes on in it: no transaction, no lock, no prepared statement. */
export const LEAVING: readonly string[] = ["rollback", CLEAR];

/**
 * Asks one statement, by the extended protocol: no text can hold a second one. What only reads goes to the database
 * and back once, with the transaction around it and with what leaves nothing of a call for the next one.
 */
export async function ask(client: pg.PoolClient, statement: Statement): Promise<Answer> {
  if (!statement.write) {
    const { found, query } = await answerTo(client, statement, ReadOnlyQuery);
    return { found, leaving: query.hasLeft ? [] : LEAVING };
  }
  await client.query("begin");
  const { found } = await answerTo(client, statement, LimitedQuery);
  await client.query("commit");
  return { found, leaving: [CLEAR] };
}

function answerTo<Query extends LimitedQuery>(
  client: pg.PoolClient,
  { text, values, maxRows }: Statement,
  Query: new (...parameters: ConstructorParameters<typeof LimitedQuery>) => Query,
): Promise<{ readonly found: Found; readonly query: Query }> {
  const bound = Object.values(values).map((value) => value ?? null);
  return new Promise((resolve, reject) => {
    const query = new Query(text, bound, maxRows + 1, (error, result) => {
      if (error) reject(error);
      else resolve({ found: foundIn(result, maxRows), query });
    });
    client.query(query);
  });
}

function foundIn({ rows, fields, rowCount }: pg.QueryResult<Row>, maxRows: number): Found {
  const isCut = rows.length > maxRows;
  return {
    rows: isCut ? rows.slice(0, maxRows) : rows,
    isCut,
    ...(fields.length === 0 && { changed: rowCount ?? 0 }),
  };
}

/** What `pg` has, and its types do not say. */
interface ProtocolConnection {
  readonly stream: { write(bytes: Buffer): void };
  parse(query: { readonly text: string }): void;
  bind(values: object): void;
  execute(portal: { readonly portal: string; readonly rows: number }): void;
  sync(): void;
}

interface ProtocolQuery {
  queryMode: "extended" | undefined;
  submit(connection: unknown): void;
  prepare(connection: ProtocolConnection): void;
  handleCommandComplete(message: object, connection: ProtocolConnection): void;
  handleReadyForQuery(connection: ProtocolConnection): void;
  handleError(error: Error, connection: ProtocolConnection): void;
}

type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

const ProtocolQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  answered: Answered,
) => ProtocolQuery;

/** A query of which the database sends only the first rows: `pg` itself would ask for all others after them. */
class LimitedQuery extends ProtocolQuery {
  /** Most rows. */
  readonly limit: number;

  constructor(text: string, values: readonly unknown[], limit: number, answered: Answered) {
    super(text, values, answered);
    this.queryMode = "extended";
    this.limit = limit;
  }

  _getRows(connection: ProtocolConnection): void {
    connection.execute({ portal: "", rows: this.limit });
    this.endOf(connection);
  }

  /** What is sent after the statement. */
  protected endOf(connection: ProtocolConnection): void {
    connection.sync();
  }

  handlePortalSuspended(): void {
    // There are more rows, and nobody wants them.
  }
}

/**
 * The same in a read-only transaction that is rolled back, whose commands are sent with it. Where one of them fails,
 * the database passes over those after it.
 */
class ReadOnlyQuery extends LimitedQuery {
  /** How many of the four commands the database has carried out: begin, the statement, and those of leaving. */
  #done = 0;

  /** Whether the connection is as it was before. */
  get hasLeft(): boolean {
    return this.#done === 2 + LEAVING.length;
  }

  override prepare(connection: ProtocolConnection): void {
    connection.stream.write(BEGIN);
    super.prepare(connection);
  }

  protected override endOf(connection: ProtocolConnection): void {
    connection.stream.write(LEAVE);
  }

  /** Only the statement's own completion is a part of its result. */
  override handleCommandComplete(message: object, connection: ProtocolConnection): void {
    if (this.#done === 1) super.handleCommandComplete(message, connection);
    this.#done++;
  }

  override handlePortalSuspended(): void {
    this.#done++;
  }

  handleEmptyQuery(): void {
    this.#done++;
  }

  /** An answer is one even where leaving fails. */
  override handleError(error: Error, connection: ProtocolConnection): void {
    if (this.#done < 2) super.handleError(error, connection);
    else this.handleReadyForQuery(connection);
  }
}

function sendCommand(connection: ProtocolConnection, text: string): void {
  connection.parse({ text });
  connection.bind({});
  connection.execute({ portal: "", rows: 0 });
}

/** Messages as they are on the wire, which is the same for every connection. */
function bytesOf(send: (connection: ProtocolConnection) => void): Buffer {
  const chunks: Buffer[] = [];
  const stream = { write: (bytes: Buffer) => chunks.push(bytes), writable: true };
  send(new pg.Connection({ stream } as object) as unknown as ProtocolConnection);
  return Buffer.concat(chunks);
}

const BEGIN = bytesOf((connection) => sendCommand(connection, "begin read only"));

const LEAVE = bytesOf((connection) => {
  for (const command of LEAVING) sendCommand(connection, command);
  connection.sync();
});
