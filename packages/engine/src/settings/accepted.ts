/** Which values a setting takes, in words for the person who gave another. */

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export function acceptedWords(schema: object): string {
  const { type, enum: choices, minimum, maximum } = schema as Schema;
  if (choices) return `one of ${choices.join(", ")}`;
  switch (type) {
    case "boolean":
      return "true or false";
    case "integer":
    case "number":
      return `${type === "integer" ? "an integer" : "a number"}${range(minimum, maximum)}`;
    case "array":
      return "a list, such as [a, b]";
    case "object":
      return "a map, such as {name: value}";
    default:
      return type === "string" ? "a text" : "of another type";
  }
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? "" : `, at most ${maximum}`;
}
