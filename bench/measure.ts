/** What every bench needs: time, the middle of many samples, and the surroundings of a measured program. */

/** Milliseconds. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Of a program that asks the model at this address and knows nothing of the person's. */
export function benchEnvironment(home: string, baseUrl: string) {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: "bench-key-00000000",
  };
}
