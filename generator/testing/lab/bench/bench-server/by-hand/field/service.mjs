/** The service that the tools ask, in a process of its own. */
import { createServer } from "node:http";

const items = Array.from({ length: 20 }, (_, index) => ({
  id: `sku-${index}`,
  name: `Product ${index}`,
  price: 9.99 + index,
  stock: 100 - index,
}));
const answers = {
  products: JSON.stringify({ products: items }),
  cart: JSON.stringify({ items: items.slice(0, 4) }),
  orders: JSON.stringify({ id: "order-1", state: "placed" }),
};
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const [, kind] = /(products|cart|orders)(?:\?|$)/.exec(request.url) ?? [];
    const body = answers[kind] ?? "{}";
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
