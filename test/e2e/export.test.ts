/** Exported pages in a real browser: what they show, what they never do, and that length does not stop them. */

import { exportSession } from "@omp/engine/boot";
import { say, scriptedModel, turn, workspace, type Workspace } from "@omp/testkit";
import { expect, test as plainTest } from "bun:test";
import { join } from "node:path";
import { needs } from "../needs.ts";
import { openPage, type BrowserOptions } from "./browser.ts";
import {
  assistant,
  call,
  everything,
  long,
  message,
  PNG,
  result,
  sessionFile,
  text,
  user,
} from "./sample-session.ts";
import { run } from "./stage.ts";

const test = needs("chromium");

plainTest("a share script in TypeScript runs in the built program", async () => {
  await using model = await scriptedModel([turn(say("hello"))]);
  await using place = await workspace();
  await run(place, model, ["-p", "hi"]);
  await place.write(
    "../home/.omp/agent/share.ts",
    'export default async (path: string): Promise<string> => `https://example.com/${path.endsWith(".html")}`;',
  );
  const { stdout, stderr, exitCode } = await run(place, model, ["-c", "-p", "/share"]);
  expect(stdout).toContain("https://example.com/true");
  expect(stderr).toContain("leaves this machine");
  expect(exitCode).toBe(0);
});

/** Exports a session and opens the page. */
async function shown(place: Workspace, session: string, options: BrowserOptions = {}) {
  await place.write("s.jsonl", session);
  const { path: cwd, home } = place;
  const file = await exportSession({
    input: "s.jsonl",
    output: "s.html",
    cwd,
    home,
    environment: {},
  });
  return openPage(file, options);
}

const sample = () => sessionFile(everything(), { title: "Mend the tide table" });
const textOf = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)})?.textContent`;
const count = (selector: string) => `document.querySelectorAll(${JSON.stringify(selector)}).length`;
/** The row of the list that says this. */
const row = (words: string) =>
  `[...document.querySelectorAll(".row")].find((r) => r.textContent.includes(${JSON.stringify(words)}))`;

test("EXP-02 the page works alone: nothing is asked of any server, nothing is refused or fails", async () => {
  await using place = await workspace();
  using page = await shown(place, sample());
  await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
  await page.until(`${count("article .code")} >= 5`);
  await page.until("[...document.images].every((image) => image.complete)");
  expect(page.requests).toEqual([]);
  expect(page.troubles).toEqual([]);
  // That the witness is awake: what the page itself never does is refused by its policy, and heard.
  const tried = "fetch('http://127.0.0.1:9/').then(() => 'went out', () => 'refused')";
  expect(await page.evaluate<string>(tried)).toBe("refused");
  expect(page.troubles.join()).toContain("Content Security Policy");
});

const HOSTILE = [
  "<script>window.ran = 1; alert(1)</script>",
  "<img src=x onerror='window.ran = 1'>",
  "<svg onload='window.ran = 1'></svg>",
  "<a href='javascript:window.ran=1'>x</a>",
  "[click](javascript:window.ran=1) [tab](java\tscript:window.ran=1) [data](data:text/html,<script>window.ran=1</script>)",
  "![p](https://example.com/pixel.png) ![j](javascript:window.ran=1)",
  "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
  "</script><script>window.ran = 1</script>",
  "```html\n<script>window.ran = 1</script>\n```",
  "<style>*{display:none}</style>",
];

test("EXP-05 HTML of models and tools is shown as text: nothing runs, nothing is fetched, no link leads astray", async () => {
  await using place = await workspace();
  const all = HOSTILE.join("\n\n");
  const name = HOSTILE[1]!;
  const session = sessionFile(
    [
      message(
        user(text(all), { type: "image", data: 'x" onerror="window.ran=1', mimeType: "image/png" }),
        { id: "ask" },
      ),
      message(
        assistant(
          { type: "thinking", thinking: all },
          text(all),
          call("c1", "bash", { command: all }),
          call("c2", name, { [name]: all }),
        ),
      ),
      message(result("c1", "bash", all, { isError: true })),
      message(
        result("c2", name, all, {
          content: [
            text(all),
            { type: "image", data: PNG, mimeType: "image/png' onerror='window.ran=1" },
          ],
        }),
      ),
      { type: "label", targetId: "ask", label: name },
      { type: "branch_summary", fromId: "ask", summary: all },
      { type: name, more: all },
    ],
    { title: all, cwd: name },
  );
  using page = await shown(place, session);
  await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
  await page.until(`${count("details[open] .tool-body")} >= 2 && ${count(".thinking .md")} === 1`);
  expect(
    await page.evaluate<string[]>(
      "[...document.querySelectorAll('main a')].map((a) => a.protocol).filter((p) => !['file:', 'https:'].includes(p))",
    ),
  ).toEqual([]);
  expect(
    await page.evaluate<string[]>(
      "[...document.querySelectorAll('a[target]')].map((a) => a.rel).filter((rel) => !rel.includes('noopener'))",
    ),
  ).toEqual([]);
  expect(await page.evaluate<unknown>("window.ran ?? null")).toBeNull();
  expect(await page.evaluate<number>(count("main script, main iframe, main svg, main style"))).toBe(
    0,
  );
  expect(await page.evaluate<string>(textOf("#entry-ask"))).toContain(HOSTILE[0]!);
  expect(page.requests).toEqual([]);
  expect(page.troubles.filter((trouble) => trouble.startsWith("dialog"))).toEqual([]);
});

test("EXP-04 Markdown, highlighting, thinking, cards, diffs, pictures, usage, summaries and labels are shown", async () => {
  await using place = await workspace();
  using page = await shown(place, sample());
  const opened = async (selector: string) => {
    await page.click(`${selector} > summary`);
    await page.until(`document.querySelector("${selector}").childElementCount > 1`);
    return page.evaluate<string>(textOf(selector));
  };
  expect(await page.evaluate<string>(textOf("h1"))).toBe("Mend the tide table");
  expect(await page.evaluate<string>(textOf("#entry-answer strong"))).toBe("one hour");
  expect(await page.evaluate<string>(textOf("#entry-answer td"))).toBe("0");
  expect(await page.evaluate<string>(textOf("#entry-answer .hl-keyword"))).toBe("export");
  expect(await page.evaluate<string>("document.querySelector('#entry-answer .md a').href")).toBe(
    "https://example.com/docs",
  );
  expect(await opened("#entry-look .thinking")).toContain("Look at tide.ts first.");
  expect(await page.evaluate<number>(count("#entry-r2 .terminal"))).toBe(0);
  expect(await opened("#entry-r2")).toContain(
    "$ bun test --bail 2>&1 | tail -5\n✗ wraps at midnight",
  );
  expect(await page.evaluate<string>(textOf("#entry-r2 .badge"))).toBe("failed");
  expect(await opened("#entry-r1")).toContain("return Math.sin(h);");
  await opened("#entry-r3");
  expect(await page.evaluate<string>(textOf("#entry-r3 .removed"))).toContain("hours = 24");
  expect(await page.evaluate<string>(textOf("#entry-r3 .added"))).toContain("hours = 25");
  expect(await page.evaluate<number>("document.querySelector('#entry-ask img').naturalWidth")).toBe(
    5,
  );
  expect(await page.evaluate<string>(textOf("#entry-answer .usage"))).toBe(
    "bench-model · 17k in · 15.8k cached · 340 out · $0.01 · 4.2 s",
  );
  expect(await page.evaluate<string>(textOf(".totals"))).toContain("$0.05");
  expect(await page.evaluate<string>(textOf("#entry-answer .label"))).toBe("fix found");
  expect(await opened("#entry-compact details")).toContain("The tide table was mended.");
  expect(await page.evaluate<string>(textOf("#entry-back"))).toContain("Summary of another branch");
  expect(page.troubles).toEqual([]);
});

test("EXP-04 the list is the whole tree; filters thin it out, a row of another branch leads there and back", async () => {
  await using place = await workspace();
  using page = await shown(place, sample());
  const names = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('.row-name')].map((n) => n.textContent)",
    );
  expect(await names()).toEqual([
    "You",
    "omp",
    "read",
    "bash",
    "edit",
    "write",
    "omp",
    "Compacted",
    "$",
    "You",
    "omp",
    "task",
    "omp",
    "Branch",
    "You",
    "omp",
  ]);
  await page.evaluate("document.querySelector('[value=no-tools]').click()");
  expect(await names()).not.toContain("bash");
  await page.evaluate("document.querySelector('[value=user]').click()");
  expect(await names()).toEqual(["You", "$", "You", "You"]);
  await page.evaluate("document.querySelector('[value=labelled]').click()");
  expect(await page.evaluate<string>(textOf(".row"))).toContain("fix found");
  expect(await names()).toHaveLength(1);
  await page.evaluate("document.querySelector('[value=all]').click()");
  expect(await page.evaluate<number>(count("#entry-helpers"))).toBe(0);
  await page.evaluate(`${row("Count the files")}.click()`);
  await page.until(count("#entry-helpers"));
  expect(await page.evaluate<number>(count("#entry-clean"))).toBe(0);
  expect(await page.evaluate<string>(textOf("#entry-helpers .branches"))).toContain(
    "Branch 1 of 2",
  );
  await page.click("#entry-helpers .branches button:last-child");
  await page.until(count("#entry-clean"));
});

test("EXP-04 search finds words in texts, inputs and results, marks them, and steps through the matches", async () => {
  await using place = await workspace();
  using page = await shown(place, sample());
  await page.press("/");
  await page.type("MIDNIGHT");
  await page.until(`${textOf("#search-status")} !== ""`);
  expect(await page.evaluate<string>(textOf("#search-status"))).toBe("– / 3");
  expect(await page.evaluate<number>("CSS.highlights.get('found').size")).toBeGreaterThan(0);
  await page.press("Enter");
  expect(await page.evaluate<string>(textOf("#search-status"))).toBe("1 / 3");
  await page.press("Enter");
  await page.press("Enter");
  expect(await page.evaluate<string>(textOf("#search-status"))).toBe("3 / 3");
  // The third match is in the output of a command: its card is open now, and the words are marked in it.
  expect(await page.evaluate<boolean>("document.querySelector('#entry-r2').open")).toBe(true);
  expect(
    await page.evaluate<boolean>(
      "[...CSS.highlights.get('found')].some((r) => r.startContainer.parentElement.closest('#entry-r2'))",
    ),
  ).toBe(true);
  await page.click("#previous");
  expect(await page.evaluate<string>(textOf("#search-status"))).toBe("2 / 3");
  await page.click("#search");
  await page.press("Escape");
  expect(await page.evaluate<string>(textOf("#search-status"))).toBe("");
});

test("EXP-04 an address leads to its entry, also on another branch or inside a card; keys move on", async () => {
  await using place = await workspace();
  using page = await shown(place, sample(), { hash: "#entry-two" });
  const top = (id: string) =>
    `Math.abs(document.getElementById("entry-${id}").getBoundingClientRect().top)`;
  await page.until(`${count("#entry-two .md")} === 1 && document.activeElement.id === "entry-two"`);
  await page.evaluate('location.hash = "#entry-r2"');
  await page.until(`document.querySelector("#entry-r2").open && ${top("r2")} < 60`);
  await page.evaluate('location.hash = "#entry-answer"');
  await page.until(`${top("answer")} < 60`);
  await page.evaluate("document.activeElement.blur()");
  await page.press("j");
  await page.until('document.activeElement.id === "entry-compact"');
  await page.press("k");
  await page.until('document.activeElement.id === "entry-answer"');
});

test("EXP-04 light and dark follow the system until the reader chooses", async () => {
  await using place = await workspace();
  const ground = "getComputedStyle(document.body).backgroundColor";
  using light = await shown(place, sample(), { mode: "light" });
  using dark = await shown(place, sample(), { mode: "dark" });
  expect(await light.evaluate<string>(ground)).toBe("rgb(250, 249, 246)");
  expect(await dark.evaluate<string>(ground)).toBe("rgb(19, 20, 23)");
  await light.press("t");
  await dark.click("#mode");
  expect(await light.evaluate<string>(ground)).toBe("rgb(19, 20, 23)");
  expect(await dark.evaluate<string>(ground)).toBe("rgb(250, 249, 246)");
});

test("EXP-07 the transcript of a subagent opens from the card of its task, and there is a way back", async () => {
  await using place = await workspace();
  const transcript = sessionFile([
    message(user(text("Count them"))),
    message(assistant(text("I count **2** files")), { id: "counted" }),
  ]);
  await place.write(join("s", "CountFiles.jsonl"), transcript);
  using page = await shown(place, sample(), { hash: "#entry-r5" });
  await page.until(count("#entry-tasks .agent"));
  await page.click("#entry-tasks .agent");
  await page.until(`${textOf("h1")} === "CountFiles"`);
  await page.until(`${textOf("#entry-counted")}?.includes("I count 2 files")`);
  expect(await page.evaluate<number>(count("#entry-tasks"))).toBe(0);
  await page.click(".back");
  await page.until(`${textOf("h1")} === "Mend the tide table"`);
});

test("2,000 messages: only what is near is in the document, the last is one step away, all of it can be searched", async () => {
  await using place = await workspace();
  using page = await shown(place, sessionFile(long(2000)));
  expect(await page.evaluate<number>(count("article"))).toBe(1500);
  expect(await page.evaluate<number>(count(".row"))).toBeLessThan(80);
  expect(await page.evaluate<number>(count("article:not(:empty)"))).toBeLessThan(60);
  await page.evaluate('location.hash = "#entry-m1999"');
  await page.until(`${textOf("#entry-m1999")}?.includes("Answer 1999.")`);
  await page.press("/");
  await page.type("Answer 1003.");
  await page.until(`${textOf("#search-status")} === "– / 1"`);
  await page.press("Enter");
  await page.until(`${textOf("#entry-m1003")}?.includes("Answer 1003.")`);
  expect(await page.evaluate<number>(count("article:not(:empty)"))).toBeLessThan(150);
});

test("EXP-08 a session of 50 MB is exported, opened, searched and walked through", async () => {
  await using place = await workspace();
  const session = sessionFile(long(2000, 10_000));
  expect(session.length).toBeGreaterThan(50_000_000);
  using page = await shown(place, session, { hash: "#entry-m1000" });
  await page.until(`${textOf("#entry-m1000")}?.includes("Question 1000")`);
  await page.press("/");
  await page.type("Question 1604");
  await page.until(`${textOf("#search-status")} === "– / 1"`);
  await page.press("Enter");
  await page.until(`${textOf("#entry-m1604")}?.includes("Question 1604")`);
  expect(page.troubles).toEqual([]);
}, 60_000);
