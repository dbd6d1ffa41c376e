/** Randomness as a door, so that runs can be replayed. */

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};

/** The same sequence for the same seed (mulberry32). For tests and campaigns, never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, bytes: (count) => Uint8Array.from({ length: count }, () => next() * 256) };
}
