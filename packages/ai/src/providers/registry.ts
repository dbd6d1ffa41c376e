/** Every built-in provider. Who has keys for several and chose nothing gets the first of them. */

import { aimlapi } from "./aimlapi.ts";
import { alibabaCodingPlan } from "./alibaba-coding-plan.ts";
import { amazonBedrock } from "./amazon-bedrock.ts";
import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { cerebras } from "./cerebras.ts";
import { cloudflareAiGateway } from "./cloudflare-ai-gateway.ts";
import { deepseek } from "./deepseek.ts";
import { firepass } from "./firepass.ts";
import { fireworks } from "./fireworks.ts";
import { githubCopilot } from "./github-copilot.ts";
import { google } from "./google.ts";
import { googleVertex } from "./google-vertex.ts";
import { groq } from "./groq.ts";
import { huggingface } from "./huggingface.ts";
import { kilo } from "./kilo.ts";
import { kimiCode } from "./kimi-code.ts";
import { litellm } from "./litellm.ts";
import { llamaCpp } from "./llama.cpp.ts";
import { lmStudio } from "./lm-studio.ts";
import { minimax } from "./minimax.ts";
import { minimaxCode } from "./minimax-code.ts";
import { minimaxCodeCn } from "./minimax-code-cn.ts";
import { mistral } from "./mistral.ts";
import { moonshot } from "./moonshot.ts";
import { nanogpt } from "./nanogpt.ts";
import { nvidia } from "./nvidia.ts";
import { ollama } from "./ollama.ts";
import { ollamaCloud } from "./ollama-cloud.ts";
import { openai } from "./openai.ts";
import { opencodeGo } from "./opencode-go.ts";
import { opencodeZen } from "./opencode-zen.ts";
import { openrouter } from "./openrouter.ts";
import type { Provider } from "./provider.ts";
import { qianfan } from "./qianfan.ts";
import { qwenPortal } from "./qwen-portal.ts";
import { synthetic } from "./synthetic.ts";
import { together } from "./together.ts";
import { venice } from "./venice.ts";
import { vercelAiGateway } from "./vercel-ai-gateway.ts";
import { vllm } from "./vllm.ts";
import { waferPass } from "./wafer-pass.ts";
import { waferServerless } from "./wafer-serverless.ts";
import { xai } from "./xai.ts";
import { xaiOauth } from "./xai-oauth.ts";
import { xiaomi } from "./xiaomi.ts";
import { zai } from "./zai.ts";
import { zenmux } from "./zenmux.ts";
import { zhipuCodingPlan } from "./zhipu-coding-plan.ts";

export const providers: readonly Provider[] = [
  anthropic,
  openai,
  azure,
  google,
  googleVertex,
  amazonBedrock,
  openrouter,
  githubCopilot,
  xai,
  xaiOauth,
  mistral,
  groq,
  deepseek,
  moonshot,
  kimiCode,
  zai,
  zhipuCodingPlan,
  minimax,
  minimaxCode,
  minimaxCodeCn,
  xiaomi,
  qwenPortal,
  alibabaCodingPlan,
  qianfan,
  cerebras,
  fireworks,
  firepass,
  together,
  huggingface,
  nvidia,
  synthetic,
  venice,
  nanogpt,
  aimlapi,
  waferPass,
  waferServerless,
  ollamaCloud,
  opencodeZen,
  opencodeGo,
  kilo,
  zenmux,
  vercelAiGateway,
  cloudflareAiGateway,
  litellm,
  ollama,
  llamaCpp,
  lmStudio,
  vllm,
];
