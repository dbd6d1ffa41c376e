/** Where omp keeps its files. */

import { join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Paths {
  readonly home: string;
  /** `~/.omp` */
  readonly root: string;
  /** `~/.omp/agent` */
  readonly agent: string;
  readonly config: string;
  /** Providers and models of the person's own. */
  readonly models: string;
  /** What servers said of their models. */
  readonly modelCache: string;
  /** Stored keys. */
  readonly credentials: string;
  readonly logs: string;
  /** Pictures of all sessions. */
  readonly blobs: string;
  /** The root of temporary files. */
  readonly temp: string;
  /** Scratch projects of `omp demo`; only omp writes here. */
  readonly demo: string;
}

export function pathsOf(environment: Environment, home: string): Paths {
  const root = join(home, environment["PI_CONFIG_DIR"] || ".omp");
  const agent = environment["PI_CODING_AGENT_DIR"] || join(root, "agent");
  return {
    home,
    root,
    agent,
    config: join(agent, "config.yml"),
    models: join(agent, "models.yml"),
    modelCache: join(agent, "models.db"),
    credentials: join(agent, "agent.db"),
    logs: join(root, "logs"),
    blobs: join(agent, "blobs"),
    temp: environment["TMPDIR"] || environment["TEMP"] || "/tmp",
    demo: join(root, "demo"),
  };
}
