/** The way into compaction: who may start one, one at a time. What does the work is loaded when it is due. */

import type {
  AssistantMessage,
  DeveloperMessage,
  Message,
  ToolResultMessage,
  UserMessage,
} from "@omp/ai/schema";
import { log, messageOf, UserError } from "@omp/std";
import type { Maintenance } from "../conversation/maintenance.ts";
import type { CompactionReason, CompactionResult } from "../protocol/commands/compaction.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { CompactionSettings } from "../settings/schema/compaction.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { keptTokens, thresholdOf } from "./threshold.ts";

export type AutomaticReason = Exclude<CompactionReason, "manual">;

/** What is loaded for it. */
export interface CompactionWork {
  /** Whether the branch is over the threshold and a compaction would help; prunes old tool results first. */
  isOver(): Promise<boolean>;
  /** Tokens of what the model sees. */
  size(): number;
  compact(order: CompactionOrder, signal: AbortSignal): Promise<CompactionResult>;
  handoff(focus: string | undefined, signal: AbortSignal): Promise<{ readonly isDone: boolean }>;
  readonly continuePrompt: string;
}

export interface CompactionOrder {
  readonly reason: CompactionReason;
  readonly focus?: string | undefined;
  readonly strategy?: "context-full" | "outline" | undefined;
}

export interface DoorDeps {
  readonly settings: CompactionSettings;
  contextWindow(): number;
  messages(): readonly Message[];
  publish(event: EngineEvent): void;
  load(): Promise<CompactionWork>;
}

export class CompactionDoor implements Maintenance {
  readonly #deps: DoorDeps;
  /** Whether anything happens by itself. */
  isAutomatic: boolean;
  readonly #work = new OneAtATime("A compaction is in progress.");
  #isHandoffDue = false;
  /** A threshold that could not be kept is not tried again in the same run. */
  #hasFailed = false;

  constructor(deps: DoorDeps) {
    this.#deps = deps;
    this.isAutomatic = deps.settings.enabled;
  }

  get isCompacting(): boolean {
    return this.#work.isBusy;
  }

  get isMidRun(): boolean {
    const { midTurnEnabled, strategy } = this.#deps.settings;
    return midTurnEnabled && strategy !== "handoff";
  }

  /** Of the compaction in progress; never rejects. */
  get ended(): Promise<unknown> {
    return this.#work.ended;
  }

  /** @throws UserError when there is nothing to compact, or when it fails */
  async manual(order: Omit<CompactionOrder, "reason">): Promise<CompactionResult> {
    return this.#alone(async (work, signal) =>
      work.compact({ ...order, reason: "manual" }, signal),
    );
  }

  async handoff(focus: string | undefined): Promise<{ readonly cancelled: boolean }> {
    return this.#alone(async (work, signal) => {
      const { isDone } = await work.handoff(focus, signal);
      return { cancelled: !isDone };
    });
  }

  async abort(): Promise<void> {
    await this.#work.abort();
  }

  async isOver(answer: AssistantMessage): Promise<boolean> {
    if (!this.#isOn || this.#hasFailed || !this.#mayBeOver(answer)) return false;
    return (await this.#deps.load()).isOver();
  }

  async isLarge(): Promise<boolean> {
    const { settings, contextWindow, load } = this.#deps;
    return this.#isOn && (await load()).size() > keptTokens(contextWindow(), settings);
  }

  async compact(reason: AutomaticReason, signal: AbortSignal): Promise<boolean> {
    if (!this.#isOn || this.isCompacting) return false;
    const isHandoff = this.#deps.settings.strategy === "handoff";
    if (isHandoff && reason === "threshold") {
      // Another session cannot take over while a run is in progress.
      this.#isHandoffDue = true;
      return false;
    }
    return this.#alone((work, own) => this.#automatic(reason, work, own), signal);
  }

  async continuation(): Promise<string | undefined> {
    if (!this.#deps.settings.autoContinue) return undefined;
    return (await this.#deps.load()).continuePrompt;
  }

  /** Whether something must be done before a prompt is sent. Nothing is loaded to know it. */
  isDue(): boolean {
    if (!this.#isOn || this.isCompacting) return false;
    const messages = this.#deps.messages();
    const answer = messages.findLast((message) => message.role === "assistant");
    return messages.length > 0 && (!answer || this.#mayBeOver(answer));
  }

  /** @returns false where the person aborted it */
  async beforePrompt(): Promise<boolean> {
    if (!(await (await this.#deps.load()).isOver())) return true;
    return this.#maintain("threshold");
  }

  /** A run has ended, and the prompt with it. */
  rested(): void {
    this.#hasFailed = false;
    if (!this.#isHandoffDue) return;
    this.#isHandoffDue = false;
    this.#maintain("threshold").catch((error) => log.error("handoff", { error: messageOf(error) }));
  }

  async idle(): Promise<void> {
    if (!this.#isOn || this.isCompacting) return;
    const { size } = await this.#deps.load();
    if (size() > this.#deps.settings.idleThresholdTokens) await this.#maintain("idle");
  }

  /** Between runs: a handoff where that is wanted, and a compaction where no document comes of it. */
  async #maintain(reason: "threshold" | "idle"): Promise<boolean> {
    return this.#alone(async (work, signal) => {
      if (this.#deps.settings.strategy === "handoff") {
        const { isDone } = await work.handoff(undefined, signal);
        if (isDone || signal.aborted) return isDone;
      }
      await this.#automatic(reason, work, signal);
      return !signal.aborted;
    });
  }

  async #automatic(
    reason: AutomaticReason,
    work: CompactionWork,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { publish } = this.#deps;
    const willRetry = reason === "overflow" || reason === "incomplete";
    publish({ type: "auto_compaction_start", reason, willRetry });
    const end = { type: "auto_compaction_end", reason } as const;
    try {
      const result = await work.compact({ reason }, signal);
      if (result.cancelled) {
        publish({ ...end, willRetry: false, aborted: true });
        return false;
      }
      publish({ ...end, willRetry, aborted: false, result });
      return true;
    } catch (error) {
      this.#hasFailed = true;
      if (!(error instanceof UserError)) log.error("compaction-failed", { error: String(error) });
      const errorMessage = `${FAILURES[reason]} failed: ${messageOf(error)}`;
      publish({ ...end, willRetry: false, aborted: false, errorMessage });
      publish({ type: "notice", level: "error", text: errorMessage });
      return false;
    }
  }

  get #isOn(): boolean {
    return this.isAutomatic && this.#deps.settings.strategy !== "off";
  }

  /** A rough look that finds each one that is: no character is more than a token. */
  #mayBeOver({ usage }: AssistantMessage): boolean {
    const { settings, contextWindow, messages } = this.#deps;
    // Not every server tells what it has measured.
    if (usage.totalTokens === 0) return true;
    let tokens = usage.totalTokens;
    for (const message of messages().toReversed()) {
      if (message.role === "assistant") break;
      tokens += charactersOf(message);
    }
    return tokens > thresholdOf(contextWindow(), settings);
  }

  #alone<Result>(
    task: (work: CompactionWork, signal: AbortSignal) => Promise<Result>,
    outer?: AbortSignal,
  ): Promise<Result> {
    return this.#work.run(async (signal) => task(await this.#deps.load(), signal), outer);
  }
}

const FAILURES: Readonly<Record<AutomaticReason, string>> = {
  overflow: "Context overflow recovery",
  incomplete: "Incomplete response recovery",
  threshold: "Auto-compaction",
  idle: "Auto-compaction",
};

function charactersOf({ content }: UserMessage | DeveloperMessage | ToolResultMessage): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
}
