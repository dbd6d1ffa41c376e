/** `/queue` and `/clear-queue`: what waits for the run in progress. */

import { done, type SlashCommand } from "../slash-command.ts";

export const queue: SlashCommand = {
  name: "queue",
  description: "Show the messages that wait for the run in progress",
  async run(_args, { snapshot }) {
    const { steering, followUp } = snapshot().queue;
    const lines = [
      ...steering.map(({ text }) => `steer: ${text}`),
      ...followUp.map(({ text }) => `follow-up: ${text}`),
    ];
    return done(lines.length === 0 ? "Nothing is queued." : lines.join("\n"));
  },
};

export const clearQueue: SlashCommand = {
  name: "clear-queue",
  description: "Take back all messages that wait",
  async run(_args, { dispatch }) {
    const { steering, followUp } = await dispatch({ type: "clear_queue" });
    const texts = [...steering, ...followUp].map(({ text }) => text);
    if (texts.length === 0) return done("Nothing is queued.");
    return done(["Taken back:", ...texts].join("\n"));
  },
};
