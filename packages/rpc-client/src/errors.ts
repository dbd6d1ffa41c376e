/** What a client hears when something went wrong. */

/** `command` is the command that failed; undefined when omp itself is the trouble. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  constructor(
    readonly command: string | undefined,
    message: string,
  ) {
    super(message);
  }
}
