/** Nothing but `node:http`: what the tools cost without a protocol. */
import { createServer } from "node:http";
import { tools } from "./shop.mjs";

const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", async () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString());
    const value = await tools[params.name](params.arguments);
    const content = [{ type: "text", text: JSON.stringify(value) }];
    const body = JSON.stringify({ jsonrpc: "2.0", id, result: { content } });
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    response.writeHead(200, headers).end(body);
  });
}).listen(port, "127.0.0.1");
