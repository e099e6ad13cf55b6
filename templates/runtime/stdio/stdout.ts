import { Writable } from "node:stream";

/**
 * Reserves stdout for the protocol. From now on, text that other code writes to `process.stdout` goes to
 * stderr, and only the returned stream writes to stdout. Call it once.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, done),
  });
  // The SDK adds a listener for each message that the client has not read yet.
  output.setMaxListeners(0);
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
