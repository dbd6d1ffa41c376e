/** Google Vertex AI: Gemini and Claude, with a key of its own or the credentials of Google Cloud. */

import type { Provider } from "./provider.ts";

export const googleVertex: Provider = {
  id: "google-vertex",
  name: "Google Vertex AI",
  api: "google-vertex",
  baseUrl: "https://aiplatform.googleapis.com/v1",
  project: {
    nameEnv: ["GOOGLE_CLOUD_PROJECT", "GCP_PROJECT", "GCLOUD_PROJECT"],
    locationEnv: ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION", "VERTEX_LOCATION"],
    url: "https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}",
  },
  keyEnv: ["GOOGLE_CLOUD_API_KEY"],
  signature: "google",
  defaultModel: "gemini-3.8-flash",
  models: [],
};
