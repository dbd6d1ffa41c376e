/** Session files and the ways to damage them, for campaigns and tests. */

import { shortId, type Random } from "@omp/std";

/** A line with its end, or what is left of it. */
export interface Piece {
  readonly bytes: Buffer;
  /** Text of an entry that is whole: it must be found again. */
  readonly marker?: string;
  /** Title slot or header. */
  readonly isHead?: true;
}

interface Line {
  readonly type: string;
  id: string;
  parentId: string | null;
  readonly [field: string]: unknown;
}

/** A tree of 3 to 40 entries, with or without a title slot. */
export function soundFile(random: Random): Piece[] {
  const ids: string[] = [];
  const heads: Piece[] = [];
  if (random.next() < 0.7) {
    const slot = { type: "title", v: 1, title: "T", updatedAt: TIME, pad: "" };
    const pad = " ".repeat(255 - Buffer.byteLength(JSON.stringify(slot)));
    heads.push({ bytes: lineOf({ ...slot, pad }), isHead: true });
  }
  heads.push({ bytes: lineOf(HEADER), isHead: true });
  const count = 3 + below(random, 38);
  const entries = Array.from({ length: count }, (_, index): Piece => {
    const id = shortId(random, (taken) => ids.includes(taken));
    const parentId = ids.length === 0 || random.next() < 0.03 ? null : pick(random, ids.slice(-4));
    ids.push(id);
    return entry(
      { type: "message", id, parentId, timestamp: TIME, message: spoken(index) },
      `m-${index}-${id}`,
    );
  });
  return [...heads, ...entries];
}

export const DAMAGES = [
  "torn tail",
  "garbage line",
  "garbage glued",
  "flipped byte",
  "no header",
  "no head at all",
  "cycle",
  "twin id",
  "twin line",
  "gone line",
  "zeros at the end",
  "zeros in a line",
  "byte order mark",
  "carriage returns",
  "blank lines",
  "not UTF-8",
  "deep nesting",
  "long line",
  "future version",
  "old version",
  "shuffled",
  "odd ids",
  "own parent",
  "foreign types",
  "no end of line",
  "empty",
] as const;

type Damage = (typeof DAMAGES)[number];

export function damage(kind: Damage, pieces: readonly Piece[], random: Random): Piece[] {
  const entries = pieces.flatMap((piece, at) => (piece.marker === undefined ? [] : [at]));
  const at = entries.length === 0 ? undefined : pick(random, entries);
  const insert = (bytes: Buffer) =>
    pieces.toSpliced(below(random, pieces.length + 1), 0, { bytes });
  switch (kind) {
    case "torn tail": {
      const last = pieces.at(-1);
      if (!last) return [...pieces];
      return [
        ...pieces.slice(0, -1),
        broken(last, last.bytes.subarray(0, below(random, last.bytes.length))),
      ];
    }
    case "garbage line":
      return insert(Buffer.concat([noise(random), END]));
    case "garbage glued":
      return insert(noise(random)).map(withoutGluedMarkers);
    case "flipped byte":
      return changed(pieces, at, (piece) => {
        const bytes = Buffer.from(piece.bytes);
        bytes[below(random, bytes.length)]! ^= 1 << below(random, 8);
        return broken(piece, bytes);
      }).map(withoutGluedMarkers);
    case "no header":
      return pieces.filter(({ bytes, isHead }) => !isHead || !bytes.includes('"session"'));
    case "no head at all":
      return pieces.filter(({ isHead }) => !isHead);
    case "cycle":
      return rewritten(pieces, at, (line) => {
        line.parentId = idIn(pieces, entries.at(-1)) ?? null;
      });
    case "twin id":
      return rewritten(pieces, at, (line) => {
        line.id = idIn(pieces, entries[0]) ?? line.id;
      });
    case "twin line":
      return at === undefined ? [...pieces] : pieces.toSpliced(at, 0, pieces[at]!);
    case "gone line":
      return at === undefined ? [...pieces] : pieces.toSpliced(at, 1);
    case "zeros at the end":
      return [...pieces, { bytes: Buffer.alloc(1 + below(random, 5000)) }];
    case "zeros in a line":
      return changed(pieces, at, (piece) =>
        broken(piece, Buffer.concat([Buffer.alloc(piece.bytes.length - 1), END])),
      );
    case "byte order mark":
      return [{ bytes: Buffer.from("\uFEFF") }, ...pieces];
    case "carriage returns":
      return pieces.map((piece) =>
        piece.bytes.at(-1) === 0x0a
          ? { ...piece, bytes: Buffer.concat([piece.bytes.subarray(0, -1), Buffer.from("\r\n")]) }
          : piece,
      );
    case "blank lines":
      return insert(Buffer.from("\n \n\t\n"));
    case "not UTF-8":
      return insert(Buffer.concat([Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), END]));
    case "deep nesting":
      return insert(Buffer.from(`${"[".repeat(100_000)}\n`));
    case "long line":
      return insert(Buffer.concat([Buffer.alloc(500_000 + below(random, 3_000_000), "x"), END]));
    case "future version":
      return versioned(pieces, 4 + below(random, 5));
    case "old version":
      return versioned(pieces, pick(random, [1, 2, undefined]));
    case "shuffled":
      return [
        ...pieces.filter(({ isHead }) => isHead),
        ...pieces.filter(({ isHead }) => !isHead).toSorted(() => random.next() - 0.5),
      ].map(withoutGluedMarkers);
    case "odd ids":
      return rewritten(pieces, at, (line) => {
        line.id = pick(random, ["__proto__", "constructor", " ", "\u0000", "a".repeat(9999)]);
      });
    case "own parent":
      return rewritten(pieces, at, (line) => {
        line.parentId = line.id;
      });
    case "foreign types":
      return insert(
        lineOf({
          type: "from_the_future",
          id: shortId(random, () => false),
          parentId: "nobody",
          timestamp: 7,
          x: [],
        }),
      );
    case "no end of line":
      return changed(pieces, pieces.length - 1, (piece) => ({
        ...piece,
        bytes: piece.bytes.at(-1) === 0x0a ? piece.bytes.subarray(0, -1) : piece.bytes,
      }));
    case "empty":
      return random.next() < 0.02 ? [] : [...pieces];
  }
}

const TIME = "2026-01-02T03:04:05.678Z";
const END = Buffer.from("\n");
const HEADER = { type: "session", version: 3, id: "0199-header", timestamp: TIME, cwd: "/work" };

function spoken(index: number): object {
  const role = index % 2 === 0 ? "user" : "assistant";
  return { role, content: [{ type: "text", text: "…" }], timestamp: index };
}

function entry(line: Line, marker: string): Piece {
  return { bytes: lineOf({ ...line, marker }), marker };
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function broken({ isHead }: Piece, bytes: Buffer): Piece {
  return isHead ? { bytes, isHead } : { bytes };
}

function changed(
  pieces: readonly Piece[],
  at: number | undefined,
  change: (piece: Piece) => Piece,
): Piece[] {
  if (at === undefined || at < 0) return [...pieces];
  return pieces.toSpliced(at, 1, change(pieces[at]!));
}

/** The same entry with other fields: still whole. */
function rewritten(
  pieces: readonly Piece[],
  at: number | undefined,
  change: (line: Line) => void,
): Piece[] {
  return changed(pieces, at, (piece) => {
    const line = parsed(piece);
    if (!line) return piece;
    change(line);
    return { ...piece, bytes: lineOf(line) };
  });
}

function parsed({ bytes }: Piece): Line | undefined {
  try {
    return JSON.parse(bytes.toString()) as Line;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function idIn(pieces: readonly Piece[], at: number | undefined): string | undefined {
  const piece = at === undefined ? undefined : pieces[at];
  return piece && parsed(piece)?.id;
}

function versioned(pieces: readonly Piece[], version: number | undefined): Piece[] {
  return pieces.map((piece) =>
    piece.isHead && piece.bytes.includes('"session"')
      ? { ...piece, bytes: lineOf({ ...HEADER, version }) }
      : piece,
  );
}

/** A line that begins inside another one is not whole any more. */
function withoutGluedMarkers(piece: Piece, at: number, pieces: readonly Piece[]): Piece {
  const before = pieces[at - 1];
  const isGlued = before !== undefined && before.bytes.length > 0 && before.bytes.at(-1) !== 0x0a;
  return isGlued ? broken(piece, piece.bytes) : piece;
}

function noise(random: Random): Buffer {
  const texts = [
    '{"type":"message","id":',
    "}{",
    "null",
    "[1,2]",
    '"text"',
    "\u2028",
    "{}",
    '{"type":5}',
  ];
  return Buffer.from(
    Array.from({ length: 1 + below(random, 6) }, () => pick(random, texts)).join(""),
  );
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[below(random, values.length)]!;
}

function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}
