/** Every built-in provider. */

import { anthropic } from "./anthropic.ts";
import { openai } from "./openai.ts";
import type { Provider } from "./provider.ts";

export const providers: readonly Provider[] = [anthropic, openai];
