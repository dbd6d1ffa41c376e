/** Settings of what tools may do. */

import { setting, settingArea, stringMap, type Values, Type } from "@omp/std";

export const APPROVAL_MODES = ["always-ask", "write", "yolo"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const toolsArea = settingArea("tools", {
  approvalMode: setting(Type.Enum([...APPROVAL_MODES]), "yolo", {
    label: "Approval mode",
    help:
      "What runs without asking: `always-ask` reading only, `write` also changing files, `yolo` everything. " +
      "Unless it is set, a folder that is not trusted gets `write`",
  }),
  approval: setting(
    stringMap(),
    {},
    {
      label: "Approval per tool",
      help: "Tool name to `allow`, `deny` or `prompt`; wins over the mode",
    },
  ),
  maxTimeout: setting(Type.Integer({ minimum: 0 }), 0, {
    label: "Longest timeout",
    help: "Seconds that a tool may take at most; 0 leaves it to the tool",
  }),
  outputMaxColumns: setting(Type.Integer({ minimum: 0 }), 768, {
    label: "Longest line",
    help: "Bytes of a line of output that the model sees; 0 removes the limit",
  }),
  artifactSpillThreshold: setting(Type.Integer({ minimum: 1 }), 50, {
    label: "Complete output",
    help: "Kilobytes of output that the model sees as a whole; what is longer goes to an artifact",
  }),
  artifactHeadBytes: setting(Type.Integer({ minimum: 0 }), 0, {
    label: "Beginning of long output",
    help: "Kilobytes of the beginning that the model sees of longer output",
  }),
  artifactTailBytes: setting(Type.Integer({ minimum: 1 }), 50, {
    label: "End of long output",
    help: "Kilobytes of the end that the model sees of longer output",
  }),
  artifactTailLines: setting(Type.Integer({ minimum: 0 }), 0, {
    label: "Lines of long output",
    help: "Lines of output that the model sees at most, the last ones; 0 removes the limit",
  }),
});

export type ToolsSettings = Values<typeof toolsArea>;

const KILOBYTE = 1024;

/** In the units of the output sink. */
export function outputLimits(settings: ToolsSettings) {
  return {
    spillThreshold: settings.artifactSpillThreshold * KILOBYTE,
    headBytes: settings.artifactHeadBytes * KILOBYTE,
    tailBytes: settings.artifactTailBytes * KILOBYTE,
    tailLines: settings.artifactTailLines,
    maxColumns: settings.outputMaxColumns,
  };
}
