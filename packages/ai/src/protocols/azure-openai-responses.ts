/** Azure OpenAI, the Responses of its v1 API: POST /responses?api-version=<version>. Models are called by their deployments. */

import type { Model } from "../schema/model.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Protocol } from "./protocol.ts";

export const azureOpenaiResponses: Protocol = {
  ...openaiResponses,
  id: "azure-openai-responses",
  path,
  headers: (_request, apiKey) => ({
    accept: "text/event-stream",
    ...(apiKey !== undefined && { "api-key": apiKey }),
  }),
};

const DEFAULT_VERSION = "v1";

/** The portal shows the address of a resource without the path of its API: then it is added. */
function path({ baseUrl, apiVersion = DEFAULT_VERSION }: Model): string {
  const root = /\.azure\.com\/*$/.test(baseUrl) ? "/openai/v1" : "";
  return `${root}/responses?api-version=${encodeURIComponent(apiVersion)}`;
}
