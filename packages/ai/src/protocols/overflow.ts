/** The words in which hosts say that a prompt is too long, or an account used up. One table of each for all of them. */

const OVERFLOW_TEXTS: readonly RegExp[] = [
  /prompt is too long/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit/i, // Anthropic
  /maximum context length/i, // OpenAI, OpenRouter, Mistral, DeepSeek, vLLM
  /exceeds the context window/i, // OpenAI
  /input token count.*exceeds the maximum/i, // Google
  /input is too long for requested model/i, // Bedrock
  /maximum prompt length is \d+/i, // xAI
  /reduce the length of the messages/i, // Groq
  /exceeds the limit of \d+ ?(tokens)?/i, // GitHub Copilot
  /exceeds the available context size/i, // llama.cpp
  /greater than the context length/i, // LM Studio
  /context window exceeds limit/i, // MiniMax
  /exceeded model token limit/i, // Kimi
  /model_context_window_exceeded/i, // Z.ai
  /prompt contains \d+ tokens.*too large for model/is, // Mistral
  /`?inputs`? tokens \+ `?max_new_tokens`? must be/i, // Hugging Face
  /current length is \d+ while limit is \d+/i, // Cerebras
  /prompt too long; exceeded (max )?context length/i, // Ollama
  /input length exceeds the context length/i, // Ollama
  /range of input length should be \[/i, // Alibaba, Qwen
  /input length exceeds? the maximum length/i, // Alibaba, Qianfan
  /prompt tokens? too long/i, // Qianfan
  /prompt \(length \d+\) (exceeds|is longer than)/i, // Fireworks, SGLang
  /exceeds the maximum allowed (input )?length/i, // SGLang, NVIDIA
  /longer than the model's context length/i, // SGLang, Together
  /context_length_exceeded/i, // gateways that repeat a vendor's code in their text
];

const QUOTA_TEXTS: readonly RegExp[] = [
  /exceeded your current quota/i, // OpenAI, Google
  /insufficient[ _](balance|credits?|quota|funds)/i, // DeepSeek, MiniMax, OpenRouter, NanoGPT
  /requires more credits/i, // OpenRouter
  /credit balance is too low/i, // Anthropic
  /(usage|monthly|weekly|daily) limit (has been )?(reached|exceeded)/i, // Z.ai, Kimi, plans for coding
  /余额不足/, // Zhipu
];

export function isOverflowText(message: string): boolean {
  return OVERFLOW_TEXTS.some((pattern) => pattern.test(message));
}

export function isQuotaText(message: string): boolean {
  return QUOTA_TEXTS.some((pattern) => pattern.test(message));
}
