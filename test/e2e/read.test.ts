/** What the built binary carries along to read: a converter for pages, one for PDF, and a runtime for databases. */

import { callTool, say, scriptedModel, turn, workspace, type ScriptedModel } from "@omp/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "./stage.ts";

/** All that a request tells the model, as text. */
const told = (model: ScriptedModel, request: number) =>
  JSON.stringify(model.requests[request]!.body);

test("pages, PDF files, archives and databases are read by the binary alone", async () => {
  await using place = await workspace();
  const db = new Database(join(place.path, "a.sqlite"), { create: true });
  db.run("CREATE TABLE birds AS SELECT 'wren' AS name");
  db.close();
  await place.write(
    "a.tgz",
    await new Bun.Archive({ "in.txt": "inside" }, { compress: "gzip" }).bytes(),
  );
  await place.write("a.pdf", PDF);
  // What lies in the folder must not be run by the child that reads the database.
  await place.write("bunfig.toml", 'preload = ["./evil.js"]\n');
  await place.write("evil.js", 'require("fs").writeFileSync("ran", "x");');
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(`<main><h1>Birds</h1><p>${"They sing. ".repeat(40)}</p></main>`, {
        headers: { "content-type": "text/html" },
      }),
  });
  const paths = ["a.sqlite:birds", "a.tgz:in.txt", "a.pdf", `http://127.0.0.1:${server.port}/x`];
  await using model = await scriptedModel([
    ...paths.map((path) => turn(callTool("read", { path }))),
    turn(say("done")),
  ]);
  await place.write("../home/.omp/agent/config.yml", 'fetch: { privateHosts: ["127.0.0.1"] }\n');
  const { exitCode } = await run(place, model, ["-p", "go"]);
  expect(exitCode).toBe(0);
  expect(told(model, 1)).toContain("| wren |");
  expect(told(model, 2)).toContain("inside");
  expect(told(model, 3)).toContain("Hello from paper");
  expect(told(model, 4)).toContain("Method: native");
  expect(told(model, 4)).toContain("# Birds");
  expect(await Bun.file(join(place.path, "ran")).exists()).toBe(false);
});

const PDF = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Count 1 /Kids [4 0 R] >>
endobj
3 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
4 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>
endobj
5 0 obj
<< /Length 48 >>
stream
BT /F1 12 Tf 72 700 Td (Hello from paper) Tj ET
endstream
endobj
trailer
<< /Size 6 /Root 1 0 R >>
%%EOF`;
