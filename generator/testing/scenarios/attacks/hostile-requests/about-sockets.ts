/**
 * Rows of the list of hostile requests that say nothing of a function from a `Request` to a `Response`, with the reason. The
 * runtime that calls the function reads the bytes, and has its own limits for them.
 */
export const aboutSockets: Readonly<Record<string, string>> = {
  R04: "a length that is declared and not sent: a Request has what arrived; see fetch/handler.test.ts",
  R05: "a body that goes on without end, on a socket: see fetch/handler.test.ts",
  R06: "bodies that stop on sockets: see fetch/handler.test.ts",
  R07: "headers that stop: no Request comes of them",
  R33: "malformed HTTP: no Request comes of it",
  R34: "upgrades: the runtime answers them",
  R54: "sessions, which are not served there",
  R55: "connections that do nothing",
  R56: "sessions, which are not served there",
  R59: "stdio",
  R61: "signals of a process",
  R62: "errors that nobody catches in a process",
  R65: "a process of its own: the seal of questions knows nothing of how they came",
  R71: "upgrades: the runtime answers them",
  R72: "answers that stay unread on sockets: see fetch/answer-stream.test.ts",
  R73: "sockets and sessions of several clients",
  R75: "headers that come twice: a Request has them joined; see fetch/handler.test.ts",
};
