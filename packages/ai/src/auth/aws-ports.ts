/** AWS credentials, and the doors to the world that finding them needs. */

import type { Clock } from "@omp/std";
import type { FetchLike } from "../transport/http.ts";

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Milliseconds since 1970; absent for those that stay good. */
  readonly expiresAt?: number;
}

export interface AwsPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Undefined when there is no such file. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** Runs a command line that the person's own AWS configuration names. */
  readonly run: (
    command: string,
  ) => Promise<{ readonly exitCode: number; readonly stdout: string }>;
  readonly region: string;
}
