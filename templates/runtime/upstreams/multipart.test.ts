import { test } from "uvu";
import * as assert from "uvu/assert";
import { ToolError } from "../engine/errors.js";
import { multipartBody } from "./multipart.js";
import { styled } from "./styles.js";

test("another implementation reads the same values from the parts of a form", async () => {
  const hard = '--x\r\n"é"';
  const multipart = {
    a: "b c&d=%20",
    'n"': hard,
    no: undefined,
    list: ["x", 2, { y: 1 }],
    object: { z: [1] },
    joined: styled(["p", "q"], { explode: false }),
    deep: styled({ k: "v" }, { style: "deepObject" }),
  };
  const { type, body } = multipartBody(multipart);
  assert.equal(multipartBody(multipart), { type, body }, "the same values are the same body");
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  assert.equal(
    [...form],
    [
      ...[
        ["a", "b c&d=%20"],
        ['n"', hard],
        ["list", "x"],
        ["list", "2"],
        ["list", '{"y":1}'],
      ],
      ...[
        ["object", '{"z":[1]}'],
        ["joined", "p,q"],
        ["deep[k]", "v"],
      ],
    ],
  );
  assert.is(body.match(/Content-Type: application\/json/g)?.length, 2);
});

test("a form without fields has no parts, and an unpaired surrogate is refused", () => {
  assert.match(multipartBody({}).body, /^--\w{40}--\r\n$/);
  assert.throws(
    () => multipartBody({ a: "\ud800" }),
    (error: unknown) => error instanceof ToolError,
  );
});

test.run();
