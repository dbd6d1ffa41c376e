/** What becomes of a text that begins with `/`: who is asked in which order, and what goes to the model. */

import { log, messageOf } from "@omp/std";
import type { Discovery } from "../discovery/discovery.ts";
import type { SlashCommandInfo } from "../protocol/commands/tools.ts";
import { loadFileCommands, type FileCommandDeps, type FileCommands } from "./file-commands.ts";
import { builtInCommands } from "./registry.ts";
import type { CommandPort, CommandResult, CommandSource, SlashCommand } from "./slash-command.ts";

export interface ExpanderDeps extends Omit<FileCommandDeps, "cwd" | "tell" | "discovery"> {
  readonly discovery: Pick<Discovery, "find" | "look">;
  /** Whether skills are slash commands, too. */
  offersSkills(): boolean;
  readonly sources: readonly CommandSource[];
  readonly port: CommandPort;
}

export interface Expander {
  /** The text for the model, or that everything is done. */
  expand(text: string): Promise<CommandResult>;
  /** Whether the text calls a slash command of an extension. */
  isOfExtension(text: string): Promise<boolean>;
  /** Each name once, as it is found. */
  list(): Promise<readonly SlashCommandInfo[]>;
}

/** Those of one kind, in the order in which kinds are asked. */
interface Stage {
  readonly commands: readonly Listed[];
  /** A command of somebody else that fails is reported and counts as done. */
  readonly isForeign: boolean;
}

interface Listed {
  readonly command: SlashCommand;
  readonly source: string;
}

interface Known {
  /** The list is that of one folder: another one has others. */
  readonly cwd: string;
  readonly stages: readonly Stage[];
  readonly untrusted: ReadonlySet<string>;
}

export function createExpander(deps: ExpanderDeps): Expander {
  const { port } = deps;
  let loading: { readonly cwd: string; readonly known: Promise<Known> } | undefined;
  const know = (): Promise<Known> => {
    const { cwd } = port.snapshot();
    if (loading?.cwd !== cwd) loading = { cwd, known: load(cwd, deps) };
    return loading.known;
  };
  return {
    async expand(text) {
      const { stages, untrusted } = await know();
      const result = await walk(text, stages, port);
      if (result.kind === "prompt" && result.text === text) warnOfTrust(text, untrusted, port);
      return result;
    },
    async isOfExtension(text) {
      const call = callOf(text);
      if (!call) return false;
      const commands = await commandsOf(deps.sources, "extension", port);
      return commands.some(({ command }) => command.name === call.name);
    },
    async list() {
      const { stages } = await know();
      const named = new Map<string, SlashCommandInfo>();
      for (const { command, source } of stages.flatMap(({ commands }) => commands)) {
        const { name, description, argumentHint } = command;
        const hint = argumentHint === undefined ? {} : { argumentHint };
        if (!named.has(name)) named.set(name, { name, description, source, ...hint });
      }
      return [...named.values()];
    },
  };
}

async function load(cwd: string, deps: ExpanderDeps): Promise<Known> {
  const { port } = deps;
  const fileDeps = { ...deps, cwd, tell: port.tell };
  const [extensions, custom, files, prompts] = await Promise.all([
    commandsOf(deps.sources, "extension", port),
    commandsOf(deps.sources, "custom", port),
    loadFileCommands("slash-command", fileDeps),
    loadFileCommands("prompt", fileDeps),
  ]);
  const own = builtInCommands.map((command) => ({ command, source: "built in" }));
  return {
    cwd,
    stages: [
      { commands: own, isForeign: false },
      { commands: extensions, isForeign: true },
      { commands: custom, isForeign: true },
      { commands: listed(files), isForeign: false },
      { commands: listed(prompts), isForeign: false },
      // The last: what a skill says is for the model, whatever it begins with.
      { commands: listed(await skillsOf(deps)), isForeign: false },
    ],
    untrusted: new Set([...files.untrusted, ...prompts.untrusted]),
  };
}

async function skillsOf({ discovery, offersSkills }: ExpanderDeps) {
  if (!offersSkills()) return { commands: [] };
  return { commands: (await import("./skill-commands.ts")).skillCommands(discovery) };
}

function listed({ commands }: Pick<FileCommands, "commands">): Listed[] {
  return commands.map((command) => ({ command, source: command.source }));
}

/** A source that cannot say what it has is a warning; the others are there. */
async function commandsOf(
  sources: readonly CommandSource[],
  kind: CommandSource["kind"],
  { tell }: CommandPort,
): Promise<Listed[]> {
  const chosen = sources.filter((source) => source.kind === kind);
  const lists = chosen.map(async (source) => {
    try {
      return (await source.commands()).map((command) => ({ command, source: source.label }));
    } catch (error) {
      tell({ level: "warning", text: `Commands of ${source.label}: ${messageOf(error)}` });
      return [];
    }
  });
  return (await Promise.all(lists)).flat();
}

async function walk(
  typed: string,
  stages: readonly Stage[],
  port: CommandPort,
): Promise<CommandResult> {
  let text = typed;
  for (const { commands, isForeign } of stages) {
    const call = callOf(text);
    if (!call) break;
    const found = commands.find(({ command }) => command.name === call.name);
    if (!found) continue;
    const running = found.command.run(call.args, port);
    const result = await (isForeign ? reported(running, call.name, port) : running);
    if (result.kind === "done") return result;
    text = result.text;
  }
  return { kind: "prompt", text };
}

/** What failed may have done half of it: sending the text to the model as well would surprise. */
async function reported(
  running: Promise<CommandResult>,
  name: string,
  { tell }: CommandPort,
): Promise<CommandResult> {
  try {
    return await running;
  } catch (error) {
    log.error("slash-command-failed", { name, error: messageOf(error) });
    tell({ level: "error", text: `/${name} failed: ${messageOf(error)}` });
    return { kind: "done" };
  }
}

interface Call {
  readonly name: string;
  readonly args: string;
}

function callOf(text: string): Call | undefined {
  const found = /^\/(\S+)(?:\s+([^]*))?$/.exec(text);
  return found ? { name: found[1]!, args: found[2] ?? "" } : undefined;
}

function warnOfTrust(text: string, untrusted: ReadonlySet<string>, { tell }: CommandPort): void {
  const name = callOf(text)?.name;
  if (name === undefined || !untrusted.has(name)) return;
  tell({
    level: "warning",
    text: `/${name} of this project is not used: its folder is not trusted. The text is sent as typed.`,
  });
}
