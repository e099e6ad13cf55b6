/** Nothing but `node:http`: reads JSON and writes it back. */
import { createServer } from "node:http";

const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    response.writeHead(200, headers).end(body);
  });
}).listen(port, "127.0.0.1");
