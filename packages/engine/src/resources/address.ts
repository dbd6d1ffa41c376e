/** The parts of an internal URL: `agent://Parent.Child/a/b?q=x`. Colons and case stay as they are. Pure. */

export interface Address {
  readonly scheme: string;
  readonly host: string;
  /** Decoded, without the slash in front; empty if there is none. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

const FORM = /^([a-z][a-z0-9+.-]*):\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/is;

export function addressOf(url: string): Address | undefined {
  const [, scheme, host, path = "", query = ""] = FORM.exec(url) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  return {
    scheme: scheme.toLowerCase(),
    host: decoded(host),
    path: decoded(path),
    query: pairsOf(query),
  };
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
