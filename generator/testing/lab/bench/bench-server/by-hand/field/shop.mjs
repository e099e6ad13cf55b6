/** What the tools of the shop do, by hand: the same requests to the service and to Redis in every server. */
import { createClient } from "@redis/client";
import { Pool } from "undici";

const api = process.env.API;

const byFetch = async (method, path, json) => {
  const answer = await fetch(`${api}${path}`, {
    method,
    ...(json !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(json),
    }),
  });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
  return answer.json();
};

const pool = new Pool(api, { connections: 64 });
const byUndici = async (method, path, json) => {
  const { statusCode, body } = await pool.request({
    method,
    path,
    ...(json !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(json),
    }),
  });
  if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`);
  return body.json();
};

const ask = process.env.HTTP_CLIENT === "undici" ? byUndici : byFetch;
const redis = await createClient({ url: process.env.REDIS }).connect();

export const tools = {
  async search_products({ query, limit }) {
    const { products } = await ask("GET", `/products?query=${encodeURIComponent(query)}`);
    const views = Number((await redis.get(`views:${query}`)) ?? 0);
    return { views, products: products.slice(0, limit) };
  },
  async get_user_cart({ user }) {
    const [cart, history] = await Promise.all([
      ask("GET", `/users/${encodeURIComponent(user)}/cart`),
      redis.lRange(`history:${user}`, 0, 4),
    ]);
    return { items: cart.items, history };
  },
  async checkout({ user, items }) {
    const order = await ask("POST", "/orders", { user, items });
    const [orders] = await redis
      .multi()
      .incr(`orders:${user}`)
      .zIncrBy("popular", 1, items[0])
      .exec();
    return { order: order.id, orders: Number(orders) };
  },
};
