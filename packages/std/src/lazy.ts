/** What is loaded on first use and kept. Asking the module loader again costs more than most calls. */

export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => (loaded ??= load());
}
