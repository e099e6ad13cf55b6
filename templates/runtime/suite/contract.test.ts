import { test } from "uvu";
import * as assert from "uvu/assert";
import { serverEnvironment } from "./contract.js";

test("a test's server gets no value that the developer set for the manifest's variables", () => {
  const env = [{ name: "API_TOKEN" }, { name: "API_URL" }];
  const own = {
    API_TOKEN: "real",
    API_URL: "https://real.example",
    PORT: "80",
    WEB_CONCURRENCY: "2",
    PATH: "/bin",
  };
  const given = serverEnvironment({ env, environment: { API_TOKEN: "test" } }, own);
  assert.equal(given, { PATH: "/bin", API_TOKEN: "test" });
});

test.run();
