/** Reading and searching files, language servers, lists of work. */

import { plannedArea, type SettingArea } from "@omp/std";
import { choice, count, toggle } from "./kinds.ts";

const read = plannedArea("read", {
  toolResultPreview: toggle(false, "Preview of reads", "Show the text that was read"),
});

const lsp = plannedArea("lsp", {
  enabled: toggle(true, "Language servers", "Offer the lsp tool"),
  lazy: toggle(true, "Start on use", "Start a language server when it is first asked"),
  formatOnWrite: toggle(false, "Format", "Format files that the model writes"),
  diagnosticsOnWrite: toggle(
    true,
    "Diagnostics after writing",
    "Tell the model what the server finds in a written file",
  ),
  diagnosticsOnEdit: toggle(
    false,
    "Diagnostics after edits",
    "Tell the model what the server finds in an edited file",
  ),
  diagnosticsDeduplicate: toggle(
    true,
    "New diagnostics only",
    "Leave out what the model was told before",
  ),
});

const ask = plannedArea("ask", {
  enabled: toggle(true, "Questions", "Let the model ask with the ask tool"),
  timeout: count(
    0,
    "Answer by itself",
    "Seconds until the recommended answer is taken; 0 waits on",
  ),
  notify: choice(
    ["on", "off"],
    "on",
    "Notice of questions",
    "Whether the desktop tells of a question",
  ),
});

const todo = plannedArea("todo", {
  enabled: toggle(true, "To-do list", "Offer the todo tool"),
  reminders: toggle(true, "Reminders", "Remind the model of open items before it stops"),
  remindersMax: count(3, "Reminders at most", "How often it is reminded"),
  eager: choice(
    ["default", "off", "on"],
    "default",
    "Early lists",
    "Whether the model is pushed to begin with a list",
  ),
});

const switches = [
  plannedArea("astGrep", {
    enabled: toggle(false, "Structural search", "Offer the ast_grep tool"),
  }),
  plannedArea("astEdit", { enabled: toggle(true, "Structural edits", "Offer the ast_edit tool") }),
  plannedArea("web_search", {
    enabled: toggle(true, "Web search", "Offer the web_search tool"),
    rewriteYears: toggle(
      false,
      "Current year",
      "Put the current year in place of recent ones in a query",
    ),
  }),
  plannedArea("tasks", {
    todoClearDelay: count(
      60,
      "Hide finished items",
      "Seconds until finished items leave the screen",
    ),
  }),
];

export const fileAreas: readonly SettingArea[] = [read, lsp, ask, todo, ...switches];
