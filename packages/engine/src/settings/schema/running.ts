/** Tools that run things: shell, jobs, code, browsers. */

import { plannedArea, type SettingArea } from "@omp/std";
import { choice, count, records, text, texts, toggle } from "./kinds.ts";

const tools = plannedArea("tools", {
  discoveryMode: choice(
    ["auto", "off", "mcp-only", "all"],
    "auto",
    "Hidden tools",
    "Which tools the model must search for; `auto` hides those of MCP servers above 40 tools",
  ),
  essentialOverride: texts([], "Tools in sight", "Built-in tools that are never hidden"),
  intentTracing: toggle(
    true,
    "Intent of calls",
    "Ask the model to say in a few words what each call is for",
  ),
});

const childEnvironment = plannedArea("tools.childEnv", {
  pass: texts(
    [],
    "Variables for children",
    "Names of keys and tokens that commands and servers may see",
  ),
});

const bash = plannedArea("bash", {
  enabled: toggle(true, "Bash", "Offer the bash tool"),
  stripTrailingHeadTail: toggle(
    true,
    "Drop head and tail",
    "Take a harmless `| head` or `| tail` off the end of a command",
  ),
  patterns: records(
    "Rules for commands",
    "Rules `{ match, approval }`, the first that matches decides",
  ),
});

const bashBackground = plannedArea("bash.autoBackground", {
  enabled: toggle(true, "Background commands", "Let a long command go on in the background"),
  thresholdMs: count(
    60_000,
    "Background after",
    "Milliseconds until a command goes to the background",
  ),
});

const interceptor = plannedArea("bashInterceptor", {
  enabled: toggle(
    false,
    "Point to better tools",
    "Refuse a command for which there is a tool, and name it",
  ),
  patterns: records(
    "Commands with a tool",
    "Rules `{ pattern, tool, message }` in place of the built-in ones",
  ),
});

const minimizer = plannedArea("shellMinimizer", {
  enabled: toggle(
    true,
    "Shorten output",
    "Leave out the noise in the output of well-known commands",
  ),
});

const jobs = plannedArea("async", {
  enabled: toggle(true, "Background jobs", "Let the model start commands in the background"),
  maxJobs: count(100, "Jobs at once", "How many jobs may run", { minimum: 1, maximum: 100 }),
});

const irc = plannedArea("irc", {
  timeoutMs: count(
    120_000,
    "Wait between agents",
    "Milliseconds that an agent waits for another's answer; 0 waits on",
  ),
});

const evaluation = plannedArea("eval", {
  py: toggle(true, "Python", "Run Python in the eval tool"),
  js: toggle(true, "JavaScript", "Run JavaScript in the eval tool"),
});

const python = plannedArea("python", {
  kernelMode: choice(
    ["session", "per-call"],
    "session",
    "Python kernel",
    "Whether variables live on from call to call",
  ),
  toolMode: choice(
    ["ipy-only", "bash-only", "both"],
    "both",
    "Python or shell",
    "Older switch: which of the two are offered",
  ),
  interpreter: text("", "Python interpreter", "Path of the interpreter; empty finds one"),
});

const switches = [
  plannedArea("checkpoint", {
    enabled: toggle(false, "Checkpoints", "Offer the checkpoint and rewind tools"),
  }),
  plannedArea("debug", { enabled: toggle(true, "Debugger", "Offer the debug tool") }),
  plannedArea("renderMermaid", {
    enabled: toggle(false, "Diagrams", "Offer the render_mermaid tool"),
  }),
  plannedArea("inspect_image", {
    enabled: toggle(false, "Questions about images", "Offer the inspect_image tool"),
  }),
  plannedArea("generate_image", {
    enabled: toggle(false, "Image generation", "Offer the generate_image tool"),
  }),
  plannedArea("extensionHandlers", {
    toolCallTimeoutMs: count(
      30_000,
      "Time of handlers",
      "Milliseconds that an extension may take for a tool call",
    ),
  }),
];

const browser = plannedArea("browser", {
  enabled: toggle(true, "Browser", "Offer the browser tool"),
  headless: toggle(true, "No window", "Run the browser without a window"),
  screenshotDir: text(
    "",
    "Screenshots",
    "Folder for screenshots; empty keeps them with the session",
  ),
});

const github = plannedArea("github", {
  enabled: toggle(true, "GitHub", "Offer the github tool where `gh` is installed"),
});

const githubCache = plannedArea("github.cache", {
  enabled: toggle(true, "Cache of GitHub", "Keep issues and pull requests that were read"),
  softTtlSec: count(300, "Fresh for", "Seconds in which a kept page is not asked for again"),
  hardTtlSec: count(604_800, "Kept for", "Seconds after which a kept page is thrown away"),
});

const images = plannedArea("images", {
  questionTimeoutMs: count(
    300_000,
    "Time for an image",
    "Milliseconds for a question about an image",
  ),
  describeForTextModels: toggle(
    true,
    "Describe images",
    "Let the vision model describe images to models that see none",
  ),
});

const sandbox = plannedArea("sandbox", {
  mode: choice(
    ["auto", "off", "required"],
    "auto",
    "Sandbox",
    "Whether commands run in a sandbox; `auto` where the machine has one",
  ),
  writeRoots: texts(
    [],
    "Writable folders",
    "Folders that commands may write besides the workspace and the temporary ones",
  ),
  network: choice(
    ["auto", "on", "off"],
    "auto",
    "Network of commands",
    "Whether commands reach the network; `auto` in trusted folders",
  ),
});

export const runningAreas: readonly SettingArea[] = [
  tools,
  childEnvironment,
  bash,
  bashBackground,
  interceptor,
  minimizer,
  jobs,
  irc,
  evaluation,
  python,
  ...switches,
  browser,
  github,
  githubCache,
  images,
  sandbox,
];
