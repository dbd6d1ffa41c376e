/** What the screen looks like and how it is used. */

import { plannedArea, setting, Type, type SettingArea } from "@omp/std";
import { choice, count, record, text, texts, toggle } from "./kinds.ts";

const general = plannedArea("", {
  symbolPreset: choice(
    ["unicode", "nerd", "ascii"],
    "unicode",
    "Symbols",
    "Which signs the screen is drawn with",
  ),
  colorBlindMode: toggle(false, "Colour blind mode", "Show additions in blue instead of green"),
  showHardwareCursor: toggle(
    true,
    "Terminal cursor",
    "Use the terminal's own cursor, which input methods follow",
    {
      env: "PI_HARDWARE_CURSOR",
    },
  ),
  doubleEscapeAction: choice(
    ["branch", "tree", "none"],
    "tree",
    "Escape twice",
    "What Escape does twice on an empty prompt",
  ),
  treeFilterMode: choice(
    ["default", "no-tools", "user-only", "labeled-only", "all"],
    "default",
    "Entries of the tree",
    "Which entries the tree shows at first",
  ),
  autoResume: toggle(false, "Resume at start", "Go on with the last session of the folder"),
  autocompleteMaxVisible: count(10, "Suggestions", "How many suggestions are shown", {
    minimum: 3,
    maximum: 20,
  }),
  setupVersion: count(0, "Set-up", "Which set-up was gone through; written by omp"),
});

const theme = plannedArea("theme", {
  dark: text("titanium", "Dark theme", "Theme on a dark background"),
  light: text("light", "Light theme", "Theme on a light background"),
});

const statusLine = plannedArea("statusLine", {
  preset: choice(
    ["default", "minimal", "compact", "full", "nerd", "ascii", "custom"],
    "default",
    "Status line",
    "Which parts it shows; `custom` takes the lists below",
  ),
  separator: choice(
    ["powerline", "powerline-thin", "slash", "pipe", "block", "none", "ascii"],
    "powerline-thin",
    "Separator",
    "What stands between its parts",
  ),
  leftSegments: texts(
    ["vim", "model", "mode", "path", "git", "pr"],
    "Left parts",
    "Parts on the left",
  ),
  rightSegments: texts(
    ["session_name", "token_total", "cost", "context_pct"],
    "Right parts",
    "Parts on the right",
  ),
  segmentOptions: record("Options of parts", "Part to its options"),
  showHookStatus: toggle(true, "Texts of hooks", "Show the line that hooks write"),
  sessionAccent: toggle(true, "Session colour", "Give each session a colour"),
  transparent: toggle(false, "No background", "Draw it on the terminal's background"),
});

const display = plannedArea("display", {
  smoothStreaming: toggle(true, "Steady text", "Show answers at a steady pace"),
  hideToolActivity: toggle(false, "Hide tools", "Show no tool calls"),
  showTokenUsage: toggle(false, "Tokens per turn", "Show the tokens of each turn"),
  collapseCompacted: toggle(true, "Fold history", "Fold what was compacted"),
});

const tui = plannedArea("tui", {
  hyperlinks: choice(
    ["off", "auto", "always"],
    "auto",
    "Links",
    "Whether paths and URLs can be clicked",
  ),
  maxInlineImageColumns: count(100, "Width of images", "Columns of an image at most"),
  maxInlineImageRows: count(20, "Height of images", "Rows of an image at most"),
  maxInlineImages: count(8, "Images kept", "How many images stay on the screen"),
  resizeScrollback: choice(
    ["rebuild", "append", "preserve"],
    "rebuild",
    "Resize",
    "What happens to the text above when the window changes",
  ),
  renderMermaid: toggle(true, "Diagrams in answers", "Draw Mermaid blocks of answers"),
});

const parts = [
  plannedArea("composer", {
    recallClearedDrafts: toggle(true, "Cleared drafts", "The Up key brings a cleared draft back"),
  }),
  plannedArea("terminal", {
    showImages: toggle(true, "Images", "Show images where the terminal can"),
  }),
  plannedArea("startup", {
    quiet: toggle(false, "Quiet start", "Start without a welcome"),
    setupWizard: toggle(true, "Set-up", "Offer the set-up at the first start"),
    checkUpdate: toggle(
      false,
      "Look for updates",
      "Ask at a start whether there is a newer version",
    ),
  }),
  plannedArea("marketplace", {
    autoUpdate: choice(
      ["off", "notify", "auto"],
      "notify",
      "Plugin updates",
      "What happens when a plugin has a newer version",
    ),
  }),
  plannedArea("completion", {
    notify: choice(
      ["on", "off"],
      "on",
      "Notice at the end",
      "Whether the desktop tells of a finished run",
    ),
  }),
  plannedArea("plan", { enabled: toggle(true, "Plan mode", "Offer plan mode") }),
  plannedArea("goal", {
    enabled: toggle(true, "Goals", "Offer goal mode"),
    statusInFooter: toggle(true, "Goal in the footer", "Show what is left of the goal's budget"),
    continuationModes: setting(Type.Array(Type.String()), ["interactive"], {
      label: "Where goals go on",
      help: "Front ends in which a goal continues by itself",
    }),
  }),
  plannedArea("workspace", {
    additionalDirectories: texts([], "More folders", "Folders that belong to every workspace"),
  }),
  plannedArea("git", { enabled: toggle(true, "Git", "Show the state of the repository") }),
];

export const screenAreas: readonly SettingArea[] = [
  general,
  theme,
  statusLine,
  display,
  tui,
  ...parts,
];
