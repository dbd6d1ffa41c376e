/** What a host could not do, said to the model. */

import { ToolFailure } from "@omp/agent";
import { HostError } from "@omp/host";
import { ignore } from "@omp/std";

/** The same promise, with a HostError turned into a failure that the model hears. */
export async function orFailure<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof HostError)
      throw new ToolFailure(error.message, undefined, { cause: error });
    throw error;
  }
}

/** For a question that "not found" answers. */
export async function orMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const isMissing =
      error instanceof HostError &&
      (error.kind === "not-found" || error.kind === "not-a-directory");
    if (isMissing) return undefined;
    throw error;
  }
}

/** For a look at something that may be gone or closed by now. */
export async function orUnreadable<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    ignore(error, "what cannot be looked at is passed over");
    return undefined;
  }
}
