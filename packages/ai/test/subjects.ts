/** One subject of the contract suite for each wire protocol: a provider that speaks it, at the scripted model. */

import type { Provider } from "../src/index.ts";
import { providerOf } from "./stage.ts";

const openai = providerOf("openai");

export const subjects: readonly Provider[] = [
  providerOf("anthropic"),
  { ...openai, api: "openai-completions" },
  { ...openai, api: "openai-responses" },
  { ...openai, api: "azure-openai-responses", baseUrlEnv: "TEST_AZURE_BASE_URL" },
  { ...openai, api: "openai-codex-responses", baseUrlEnv: "TEST_CODEX_BASE_URL" },
];
