/** The names of the wires, as model configurations spell them. */

export type WireId =
  | "anthropic-messages"
  | "openai-completions"
  | "openai-responses"
  | "google-generative-ai"
  | "ollama-chat"
  | "bedrock-converse-stream";
