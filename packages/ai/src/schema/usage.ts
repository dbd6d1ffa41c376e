/** Tokens and money of one turn, from the provider's own numbers. */

export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Counts with what only some providers tell. */
export interface ToldCounts extends TokenCounts {
  /** Part of the output that was thinking. */
  readonly reasoning?: number;
}

/** US dollars. */
export interface Cost extends TokenCounts {
  readonly total: number;
}

export interface Usage extends ToldCounts {
  readonly totalTokens: number;
  readonly cost: Cost;
  /** Of a plan that counts requests: how many of them this turn was. */
  readonly premiumRequests?: number;
}

/** US dollars for a million tokens of each kind. */
export type Prices = TokenCounts;

export const NO_TOKENS: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const MILLION = 1_000_000;

/** `charged` is the provider's own total; the parts stay those of our list of prices. */
export function usageOf(tokens: ToldCounts, prices: Prices, charged?: number): Usage {
  const { input, output, cacheRead, cacheWrite, reasoning } = tokens;
  const cost = {
    input: (input * prices.input) / MILLION,
    output: (output * prices.output) / MILLION,
    cacheRead: (cacheRead * prices.cacheRead) / MILLION,
    cacheWrite: (cacheWrite * prices.cacheWrite) / MILLION,
  };
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(reasoning !== undefined && { reasoning }),
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: {
      ...cost,
      total: charged ?? cost.input + cost.output + cost.cacheRead + cost.cacheWrite,
    },
  };
}
