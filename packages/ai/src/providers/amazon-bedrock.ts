/** Amazon Bedrock, over its Converse API. */

import type { Provider } from "./provider.ts";

export const amazonBedrock: Provider = {
  id: "amazon-bedrock",
  name: "Amazon Bedrock",
  api: "bedrock-converse-stream",
  baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
  baseUrlEnv: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
  region: { usual: "us-east-1", env: ["AWS_REGION", "AWS_DEFAULT_REGION"] },
  keyEnv: ["AWS_BEARER_TOKEN_BEDROCK"],
  signature: "aws",
  defaultModel: "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
  models: [],
};
