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
});

export type ToolsSettings = Values<typeof toolsArea>;
