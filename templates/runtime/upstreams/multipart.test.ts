import { test } from "uvu";
import * as assert from "uvu/assert";
import { ToolError } from "../engine/errors.js";
import { hasFiles, multipartBody, withReadFiles } from "./multipart.js";
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
  assert.is(String(body).match(/Content-Type: application\/json/g)?.length, 2);
});

test("a form without fields has no parts, and an unpaired surrogate is refused", () => {
  assert.match(String(multipartBody({}).body), /^--\w{40}--\r\n$/);
  assert.throws(
    () => multipartBody({ a: "\ud800" }),
    (error: unknown) => error instanceof ToolError,
  );
});

test("files are parts with their names, types and bytes, in lists as well", async () => {
  const bytes = new Uint8Array([0, 255, 13, 10, 45, 45]);
  const values = {
    title: "é",
    file: new File([bytes], 'a "b".bin', { type: "image/png" }),
    more: [new Blob([bytes]), "text"],
  };
  assert.ok(hasFiles(values) && hasFiles({ list: values.more }) && !hasFiles({ title: "é" }));
  const { type, body } = multipartBody(await withReadFiles(values));
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const file = form.get("file");
  const [blob, text] = form.getAll("more");
  if (!(file instanceof File) || !(blob instanceof File)) throw new Error("there is no file");
  assert.equal([file.name, file.type], ['a "b".bin', "image/png"]);
  assert.equal([blob.name, blob.type], ["blob", "application/octet-stream"]);
  for (const one of [file, blob]) assert.equal(new Uint8Array(await one.arrayBuffer()), bytes);
  assert.equal([form.get("title"), text], ["é", "text"]);
});

test.run();
