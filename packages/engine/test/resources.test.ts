/** Internal URLs over a real folder of artifacts. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Resources } from "@omp/agent";
import { ArtifactStore } from "@omp/session";
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Discovery } from "../src/discovery/discovery.ts";
import { createResourceDoor } from "../src/resources/door.ts";

let root: string;
let folder: string;
let resources: Resources;
let hasSession: boolean;
let store: ArtifactStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "omp-resources-"));
  folder = join(root, "session");
  mkdirSync(folder);
  hasSession = true;
  store = new ArtifactStore(() => (hasSession ? `${folder}.jsonl` : undefined));
  const discovery = new Discovery({
    place: () => ({ cwd: root, home: root, agentDir: root }),
    switches: () => ({ sources: [], items: [], places: [] }),
  });
  resources = createResourceDoor({ artifacts: store, discovery });
});
afterEach(() => rmSync(root, { recursive: true }));

const { signal } = new AbortController();
const file = (name: string, content: string) => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const find = (url: string) => resources.find(url, signal);
const textOf = async (url: string) => (await find(url)).text();
const failure = async (url: string) => {
  const error = await find(url).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "ToolFailure" });
  return (error as Error).message;
};

describe("addresses", () => {
  test("IURL-01 case and colons stay, escapes are decoded, other schemes are not internal", async () => {
    file("Parent.Child.md", "child");
    file("local/a b/c:d.md", "spaced");
    expect(await textOf("agent://Parent.Child")).toBe("child");
    expect(await failure("agent://parent.child")).toStartWith("Not found: parent.child");
    expect(await textOf("local://a%20b/c:d.md")).toBe("spaced");
    for (const url of ["foo://x", "artifact", "blob:sha256:x", "https://example.com", "/a/b"]) {
      expect(resources.isInternal(url)).toBe(false);
    }
    expect(await failure("foo://x")).toBe(
      "foo://x is no internal URL. Schemes: artifact://, agent://, local://, history://, rule://, skill://, conflict://",
    );
  });
});

describe("artifact://", () => {
  test("IURL-05 the text of the file with this number", async () => {
    file("0.bash.log", "zero");
    file("10.python.log", "ten");
    expect(await find("artifact://10")).toMatchObject({ contentType: "text/plain" });
    expect(await textOf("artifact://0")).toBe("zero");
    expect(await textOf("artifact://10")).toBe("ten");
    expect(await failure("artifact://1")).toBe("Artifact 1 not found. Available: 0, 10");
  });

  test("STOR-32 each error has its text", async () => {
    expect(await failure("artifact://abc")).toBe("artifact:// ID must be numeric, got: abc");
    expect(await failure("artifact://0/../1")).toStartWith("artifact:// ID must be numeric");
    file("0.bash.log", "");
    expect(await failure("artifact://99")).toBe("Artifact 99 not found. Available: 0");
    rmSync(folder, { recursive: true });
    expect(await failure("artifact://0")).toBe("No artifacts directory found");
    mkdirSync(folder);
    hasSession = false;
    expect(await failure("artifact://0")).toBe("No session - artifacts unavailable");
  });

  test("STOR-09 a session in memory reads back what it kept", async () => {
    hasSession = false;
    expect(store.keep("remembered")).toBe("0");
    expect(await textOf("artifact://0")).toBe("remembered");
    expect(await failure("artifact://1")).toBe("Artifact 1 not found. Available: 0");
  });

  test("IURL-06 a huge one is not loaded whole, but its file is named", async () => {
    file("0.bash.log", "x");
    truncateSync(join(folder, "0.bash.log"), 9 * 2 ** 20);
    const resource = await find("artifact://0");
    expect(resource.path).toBe(join(folder, "0.bash.log"));
    expect(resource.text()).rejects.toThrow("Read a range of lines");
  });
});

describe("agent://", () => {
  test("STOR-33 the stored markdown", async () => {
    file("Anna.md", "# Result\n");
    expect(await find("agent://Anna")).toMatchObject({ contentType: "text/markdown" });
    expect(await textOf("agent://Anna")).toBe("# Result\n");
  });

  test("STOR-34 IURL-07 parts of JSON, by path or by query", async () => {
    file("X.md", JSON.stringify({ a: { b: 1, "c d": ["p", { q: true }] }, t: "text" }));
    file("Y.md", "# not JSON");
    expect(await textOf("agent://X/a/b")).toBe("1");
    expect(await textOf("agent://X?q=a.b")).toBe("1");
    expect(await textOf("agent://X?q=$.a['c d'][1].q")).toBe("true");
    expect(await textOf("agent://X/a/c%20d/0")).toBe("p");
    expect(await textOf("agent://X?q=t")).toBe("text");
    expect(JSON.parse(await textOf("agent://X/a"))).toEqual({ b: 1, "c d": ["p", { q: true }] });
    expect(await failure("agent://X/a?q=a")).toBe("agent:// takes a path or a query, not both");
    expect(await failure("agent://Y/a")).toContain("is not JSON");
    expect(await failure("agent://X/a/z/y")).toBe("No value at a.z");
    expect(await failure("agent://X/a/constructor")).toBe("No value at a.constructor");
    expect(await failure("agent://X?q=a[")).toStartWith("Invalid query: a[");
  });

  test("STOR-35 each error has its text", async () => {
    file("Anna.md", "");
    file("Ben.md", "");
    file("Ben.jsonl", "");
    expect(await failure("agent://Carl")).toBe("Not found: Carl. Available: Anna, Ben");
    rmSync(folder, { recursive: true });
    expect(await failure("agent://Anna")).toBe("No artifacts directory found");
    hasSession = false;
    expect(await failure("agent://Anna")).toBe("No session - agent outputs unavailable");
  });

  test("STOR-38 an id cannot leave the folder", async () => {
    writeFileSync(join(root, "x.md"), "secret");
    for (const id of ["..", "../x", "..%2Fx", "%2e%2e%2fx", ".", "..\\x", "a%00b"]) {
      expect(await failure(`agent://${id}`)).toStartWith("agent:// ID must be a plain name");
    }
    expect(await failure("artifact://../x")).toStartWith("artifact:// ID must be numeric");
  });
});

describe("local://", () => {
  test("files are read, listed and written below the session's artifacts, privately", async () => {
    expect(await textOf("local://")).toBe("(empty directory)");
    const path = await resources.writable("local://notes/plan.md");
    expect(path).toBe(join(folder, "local", "notes", "plan.md"));
    expect([statSync(path).mode & 0o777, statSync(join(folder, "local")).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    writeFileSync(path, "the plan");
    expect(await textOf("local://notes/plan.md")).toBe("the plan");
    expect(await textOf("local://")).toBe("notes");
    expect(await textOf("local://notes")).toBe("plan.md");
    expect(await failure("local://none.md")).toBe("Not found: none.md. Available: notes");
    expect(resources.writable("artifact://0")).rejects.toThrow("artifact://0 cannot be written");
  });

  test("neither dots nor links lead out of the folder", async () => {
    writeFileSync(join(root, "secret.md"), "secret");
    mkdirSync(join(folder, "local"));
    symlinkSync(root, join(folder, "local", "out"));
    for (const name of ["../0.bash.log", "a/../../x", "%2e%2e/x", "out/secret.md", "/etc/passwd"]) {
      expect(await failure(`local://${name}`)).toStartWith("local:// paths stay in their folder");
      expect(resources.writable(`local://${name}`)).rejects.toThrow("stay in their folder");
    }
    expect(resources.writable("local://out/new/file")).rejects.toThrow("stay in their folder");
  });
});
