/** Azure OpenAI: each customer has a resource, and deployments in it that go by names of their own. */

import type { Provider } from "./provider.ts";

export const azure: Provider = {
  id: "azure",
  name: "Azure OpenAI",
  api: "azure-openai-responses",
  // Nobody's: a key must not go to a resource that its owner did not name.
  baseUrl: "https://set-azure-openai-resource-name.invalid/openai/v1",
  baseUrlEnv: "AZURE_OPENAI_BASE_URL",
  tenant: {
    nameEnv: "AZURE_OPENAI_RESOURCE_NAME",
    url: "https://{}.openai.azure.com/openai/v1",
    apiVersionEnv: "AZURE_OPENAI_API_VERSION",
    wireIdsEnv: "AZURE_OPENAI_DEPLOYMENT_NAME_MAP",
  },
  keyEnv: ["AZURE_OPENAI_API_KEY"],
  defaultModel: "gpt-5.5",
  models: [],
};
