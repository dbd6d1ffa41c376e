/** The map of the house: which room may enter which, who may use which door, how big things get. Data only. */

/** A package (`engine`), a room (`engine/settings`), or a file (`engine/boot`): the path without `packages/`, `src/` and ending. */
export type Address = string;

export interface Limits {
  readonly lines: number;
  readonly imports: number;
  readonly methods: number;
  readonly functionLines: number;
  readonly members: number;
}

export interface Architecture {
  /** The npm scope of our packages. */
  readonly scope: string;
  /** package → packages it may import. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** Packages that have no code at run time. */
  readonly typesOnly: readonly string[];
  /** room → rooms of the same package it may import. A room that is not listed is free within its package. */
  readonly rooms: Readonly<Record<Address, readonly string[]>>;
  /** room → packages it may import, where that is less than its package may. */
  readonly reach: Readonly<Record<Address, readonly string[]>>;
  /** Files that belong to no room: they import no room, and every room of their package may import them. */
  readonly halls: readonly Address[];
  /** place → the only ones who may import it from outside. */
  readonly doors: Readonly<
    Record<Address, { readonly open: readonly Address[]; readonly instead: string }>
  >;
  /** deed → the only ones who may do it. */
  readonly deeds: Readonly<
    Record<
      "spawn" | "environment" | "console" | "swallow" | "state",
      { readonly allowed: readonly Address[]; readonly instead: string }
    >
  >;
  /** An `import()` that may close a cycle. */
  readonly lazyCycles: readonly {
    readonly from: Address;
    readonly to: Address;
    readonly why: string;
  }[];
  readonly limits: Limits;
  /** File → its own limits and the reason. A number here may only go down. */
  readonly debt: Readonly<Record<string, Partial<Limits> & { readonly why: string }>>;
  readonly startup: { readonly entry: string; readonly budget: number };
}

const everyPackage = [
  "std",
  "ai",
  "tui",
  "host",
  "session",
  "agent",
  "tools",
  "extension-api",
  "engine",
  "rpc-client",
  "app",
];

export const architecture: Architecture = {
  scope: "@omp",
  packages: {
    std: [],
    ai: ["std"],
    tui: ["std"],
    host: ["std"],
    session: ["std", "ai"],
    agent: ["std", "ai"],
    tools: ["std", "ai", "agent", "host"],
    "extension-api": ["ai", "agent", "tui"],
    engine: ["std", "ai", "agent", "session", "host", "tools", "extension-api"],
    "rpc-client": ["std", "engine"],
    app: ["std", "engine", "rpc-client", "tui", "extension-api"],
    testkit: everyPackage,
  },
  typesOnly: ["extension-api"],
  rooms: {
    "ai/schema": [],
    "ai/transport": ["schema"],
    "ai/tool-schema": ["schema"],
    "ai/protocols": ["schema", "transport", "tool-schema"],
    "ai/auth": ["schema", "transport"],
    "ai/providers": ["schema", "transport", "protocols", "auth"],
    "ai/catalog": ["schema", "providers"],
    "engine/protocol": [],
    "engine/settings": [],
    "engine/conversation": [
      "protocol",
      "context",
      "compaction",
      "model",
      "permission",
      "extensions",
      // The types of the values it is given; the store and the registry stay out of reach.
      "settings/schema",
    ],
    "app/headless": [],
    "app/print": ["headless", "cli", "boot-options", "sessions"],
    "app/rpc": ["headless", "cli", "boot-options"],
    "app/demo": ["headless", "cli"],
    "app/models": ["headless", "cli"],
    "app/sessions": ["headless", "cli"],
    "app/config": ["headless", "cli"],
    "app/context": ["headless", "cli"],
    "app/trust": ["headless", "cli", "version"],
    "app/completions": ["headless", "cli"],
    "app/interactive/state": [],
  },
  reach: {
    // A fold knows events and nothing else, so that the screen can be replayed from them.
    "app/interactive/state": ["engine"],
    "app/interactive/views": ["std", "tui"],
  },
  halls: ["engine/paths", "engine/yaml-place", "app/timing"],
  doors: {
    "ai/index": {
      open: ["agent", "tools", "engine", "extension-api", "testkit"],
      instead: "a session knows only the vocabulary: import @omp/ai/schema",
    },
    "engine/boot": {
      open: [
        "app/main",
        "app/print",
        "app/rpc",
        "app/acp",
        "app/demo",
        "app/models",
        "app/sessions",
        "app/config",
        "app/context",
        "app/trust",
        "app/interactive",
        "app/boot-options",
        "testkit",
      ],
      instead: "only a front end boots; everybody else is handed what boot built",
    },
    "app/interactive": {
      open: ["app/main"],
      instead: "front ends are equal clients of @omp/engine/protocol and do not know each other",
    },
  },
  deeds: {
    spawn: {
      // A client of ours is the parent of omp, not a part of it.
      allowed: ["host/process", "rpc-client", "testkit"],
      instead: "only host/process starts programs; ask it, so that no child outlives us",
    },
    environment: {
      allowed: ["app/surroundings", "testkit"],
      instead:
        "app/surroundings reads the environment once; take an Environment argument (engine/paths)",
    },
    console: {
      allowed: ["app", "testkit"],
      instead: "emit an event for the person, or use log of @omp/std",
    },
    swallow: {
      allowed: ["std"],
      instead: "map the error, rethrow it, or call ignore(error, why) of @omp/std",
    },
    state: {
      allowed: ["std/log"],
      instead: "build it in boot and pass it; modules keep no state of their own",
    },
  },
  lazyCycles: [
    {
      from: "app/cli/commands/completions",
      to: "app/completions/run",
      why: "the script completes every command, itself among them",
    },
  ],
  limits: { lines: 500, imports: 15, methods: 20, functionLines: 80, members: 12 },
  debt: {
    "packages/engine/src/boot.ts": {
      imports: 30,
      why: "the composition root names every room once",
    },
    "packages/std/src/index.ts": {
      imports: 30,
      why: "the one door of a package of small parts",
    },
  },
  // Modules loaded before the first line of the chosen mode runs. Each costs start-up time for every
  // user, so growth is a decision: raise the number in the change that needs it and say why there.
  startup: { entry: "packages/app/src/main.ts", budget: 38 },
};
