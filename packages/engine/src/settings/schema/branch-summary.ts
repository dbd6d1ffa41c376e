/** Settings of the summary of a branch that the person leaves. */

import { setting, settingArea, Type, type Values } from "@omp/std";

export const branchSummaryArea = settingArea("branchSummary", {
  enabled: setting(Type.Boolean(), false, {
    label: "Branch summaries",
    help: "Ask whether to summarize the branch that a move in the tree leaves behind",
  }),
  reserveTokens: setting(Type.Integer({ minimum: 0 }), 16_384, {
    label: "Reserved tokens",
    help: "How much of the model's window is kept free of the branch that is summarized",
  }),
});

export type BranchSummarySettings = Values<typeof branchSummaryArea>;
