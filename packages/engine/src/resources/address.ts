/** The parts of an internal URL: `agent://Parent.Child/a/b?q=x`. Colons and case stay as they are. Pure. */

export interface Address {
  readonly host: string;
  /** Decoded, without the slash in front; empty if there is none. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

const AFTER_SCHEME = /:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s;

export function addressOf(url: string): Address {
  const [, host = "", path = "", query = ""] = AFTER_SCHEME.exec(url) ?? [];
  return { host: decoded(host), path: decoded(path), query: pairsOf(query) };
}

function pairsOf(query: string): ReadonlyMap<string, string> {
  const pairs = query === "" ? [] : query.split("&");
  return new Map(
    pairs.map((pair): [string, string] => {
      const [name = "", ...value] = pair.split("=");
      return [decoded(name), decoded(value.join("="))];
    }),
  );
}

/** What is not encoded properly is taken as it is. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    new TextDecoder().decode(Uint8Array.fromHex(bytes.replaceAll("%", ""))),
  );
}
