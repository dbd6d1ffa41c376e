/** Why a model request failed: a fact to decide on. Texts are classified once, in the protocol file. */

export type ProviderFault =
  | { readonly kind: "auth"; readonly reason: "missing" | "denied" }
  | {
      readonly kind: "rate-limit";
      readonly retryAfterMs?: number;
      /** The account has used up what it may use or has paid for: another account may help, patience hardly. */
      readonly isQuota?: boolean;
    }
  | { readonly kind: "overloaded"; readonly retryAfterMs?: number }
  | { readonly kind: "context-overflow" }
  | { readonly kind: "invalid-request" }
  /** The provider refused the content. */
  | { readonly kind: "refused" }
  /** Nobody answered, or the connection broke. */
  | { readonly kind: "network" }
  /** Somebody answered, but not in the protocol that was agreed. */
  | { readonly kind: "malformed" }
  /** Our own limit of money is reached: nothing was sent. */
  | { readonly kind: "budget" };

/** Thrown inside `ai` only; the stream turns it into its last event. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  constructor(
    readonly fault: ProviderFault,
    message: string,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
