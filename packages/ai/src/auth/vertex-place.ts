/** Where on Vertex AI a request goes: the address of a project and location, from the environment. */

import { ProviderError } from "../schema/fault.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The strongest first. */
export const VERTEX_PROJECT_ENV = [
  "GOOGLE_CLOUD_PROJECT",
  "GCP_PROJECT",
  "GCLOUD_PROJECT",
] as const;
export const VERTEX_LOCATION_ENV = [
  "GOOGLE_VERTEX_LOCATION",
  "GOOGLE_CLOUD_LOCATION",
  "VERTEX_LOCATION",
] as const;

export interface VertexPlace {
  readonly project: string;
  readonly location: string;
}

/** What is given explicitly is stronger than the environment. @throws ProviderError naming what to set */
export function resolveVertexPlace(
  environment: Environment,
  given: Partial<VertexPlace> = {},
): VertexPlace {
  const project = given.project || firstOf(environment, VERTEX_PROJECT_ENV);
  const location = given.location || firstOf(environment, VERTEX_LOCATION_ENV);
  if (project && location) return { project, location };
  const missing = [
    ...(project ? [] : [`a project (${VERTEX_PROJECT_ENV.join(", ")})`]),
    ...(location ? [] : [`a location (${VERTEX_LOCATION_ENV.join(", ")})`]),
  ];
  throw new ProviderError(
    { kind: "auth", reason: "missing" },
    `Vertex AI needs ${missing.join(" and ")}, or a key in GOOGLE_CLOUD_API_KEY`,
  );
}

/** The base URL that the protocol `google-vertex` is given. Without a place: for a key, which has its own. */
export function vertexBaseUrl(place: VertexPlace | undefined, host = hostOf(place)): string {
  if (!place) return `${host}/v1`;
  const { project, location } = place;
  return `${host}/v1/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
}

/** `global` is served by the host without a region. */
function hostOf(place: VertexPlace | undefined): string {
  const isRegional = place !== undefined && place.location !== "global";
  return `https://${isRegional ? `${place.location}-` : ""}aiplatform.googleapis.com`;
}

function firstOf(environment: Environment, names: readonly string[]): string | undefined {
  return names.map((name) => environment[name]?.trim()).find(Boolean);
}
