/** Where Bedrock is, and whether there is a way in: what the environment says. Pure. */

type Environment = Readonly<Record<string, string | undefined>>;

/** What is given explicitly is stronger than the environment. */
export function resolveBedrockRegion(environment: Environment, given?: string): string {
  return given || environment["AWS_REGION"] || environment["AWS_DEFAULT_REGION"] || "us-east-1";
}

/** Groups of variables, each of which is enough to sign requests. */
const WAYS_IN: readonly (readonly string[])[] = [
  ["AWS_BEARER_TOKEN_BEDROCK"],
  ["AWS_PROFILE"],
  ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
  ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"],
  ["AWS_CONTAINER_CREDENTIALS_FULL_URI"],
  ["AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN"],
];

/** Whether Bedrock is worth offering; credentials of the machine itself are only found by asking for them. */
export function hasWayIntoBedrock(environment: Environment): boolean {
  if (environment["AWS_BEDROCK_SKIP_AUTH"] === "1") return true;
  return WAYS_IN.some((names) => names.every((name) => environment[name]));
}
