/** The words in which hosts say that a prompt is too long for the model. One table for all of them. */

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
];

export function isOverflowText(message: string): boolean {
  return OVERFLOW_TEXTS.some((pattern) => pattern.test(message));
}
