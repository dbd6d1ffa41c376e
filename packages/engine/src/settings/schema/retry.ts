/** Settings of the automatic retry of failed model requests. */

import { setting, settingArea, type Values, Type } from "@omp/std";

export const retryArea = settingArea("retry", {
  enabled: setting(Type.Boolean(), true, {
    label: "Automatic retry",
    help: "Send a request again when it failed for a reason that may pass",
  }),
  maxRetries: setting(Type.Integer({ minimum: 0, maximum: 100 }), 10, {
    label: "Retries",
    help: "How often a failed request is sent again",
  }),
  baseDelayMs: setting(Type.Integer({ minimum: 0, maximum: 60_000 }), 500, {
    label: "First delay",
    help: "Milliseconds before the first retry; doubles each time, up to 8 seconds",
  }),
  maxDelayMs: setting(Type.Integer({ minimum: 0 }), 300_000, {
    label: "Longest wait",
    help: "A provider that asks for a longer wait fails the request at once; 0 removes the limit",
  }),
});

export type RetrySettings = Values<typeof retryArea>;
