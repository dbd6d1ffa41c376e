/** Runs campaigns at full size and keeps their results: `npm run campaign -- <name> --seed N [--count N]`. */

import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { codeOf, messageOf, replaceFile, UserError } from "@omp/std";
import { runCampaign, type Campaign, type CampaignResult } from "@omp/testkit";

const ROOT = dirname(import.meta.dir);
const RESULTS = join(ROOT, "bench/campaigns.json");
const PLACES = ["packages/*/campaigns/*.ts", "test/campaigns/*.ts"];
const SHOWN_FAILURES = 50;
const USAGE = "Usage: npm run campaign -- <name> --seed N [--count N]";

interface Invocation {
  /** Absent: list what there is. */
  readonly name: string | undefined;
  readonly seed: number | undefined;
  readonly count: number | undefined;
}

process.exit(await main(process.argv.slice(2)));

async function main(argv: readonly string[]): Promise<number> {
  try {
    const { name, seed, count } = parse(argv);
    const campaigns = await findCampaigns();
    if (name === undefined) return list(campaigns);
    const campaign = campaigns.find((candidate) => candidate.name === name);
    if (!campaign) throw new UserError("usage", `There is no campaign "${name}".`);
    if (seed === undefined) throw new UserError("usage", `A campaign needs a seed. ${USAGE}`);
    const result = await runCampaign(campaign, { seed, ...(count === undefined ? {} : { count }) });
    await keep(campaign, result);
    return tell(campaign, result);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    return error.exitCode;
  }
}

function parse(argv: readonly string[]): Invocation {
  const { positionals, values } = readArguments(argv);
  // npm keeps options for itself and passes their values on, unless a "--" stands before them.
  if (positionals.length > 1) throw new UserError("usage", USAGE);
  return {
    name: positionals[0],
    seed: wholeNumber("seed", values.seed),
    count: wholeNumber("count", values.count),
  };
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { seed: { type: "string" }, count: { type: "string" } },
    });
  } catch (error) {
    throw new UserError("usage", `${messageOf(error)}\n${USAGE}`);
  }
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UserError("usage", `--${name} must be a whole number, not "${text}".`);
}

async function findCampaigns(): Promise<Campaign[]> {
  const files = await Promise.all(
    PLACES.map((place) => Array.fromAsync(new Bun.Glob(place).scan({ cwd: ROOT, absolute: true }))),
  );
  return Promise.all(files.flat().sort().map(load));
}

async function load(file: string): Promise<Campaign> {
  const { default: campaign } = (await import(file)) as { default?: Campaign };
  if (typeof campaign?.run === "function") return campaign;
  throw new UserError("bad-input", `${relative(ROOT, file)} does not default-export a campaign.`);
}

function list(campaigns: readonly Campaign[]): number {
  for (const { name, describe, fullCount } of campaigns) {
    console.log(`${name.padEnd(24)} ${String(fullCount).padStart(8)}  ${describe}`);
  }
  return 0;
}

/** Results of other campaigns stay as they are. */
async function keep(campaign: Campaign, result: CampaignResult): Promise<void> {
  const { passed, total, seed } = result;
  const date = new Date().toISOString();
  const entry = { passed, total, seed, commit: await currentCommit(), date };
  const all = { ...(await keptResults()), [campaign.name]: entry };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  await mkdir(dirname(RESULTS), { recursive: true });
  await replaceFile(RESULTS, `${JSON.stringify(sorted, null, 2)}\n`);
}

async function keptResults(): Promise<object> {
  try {
    return JSON.parse(await readFile(RESULTS, "utf8")) as object;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    throw error;
  }
}

/** A result of files that no commit holds says so. */
async function currentCommit(): Promise<string> {
  const commit = await Bun.$`git rev-parse HEAD`.cwd(ROOT).text();
  const changes = await Bun.$`git status --porcelain -- . :!bench/campaigns.json`.cwd(ROOT).text();
  return changes === "" ? commit.trim() : `${commit.trim()}-dirty`;
}

function tell(campaign: Campaign, { passed, total, seed, failures }: CampaignResult): number {
  for (const { case: name, why } of failures.slice(0, SHOWN_FAILURES))
    console.log(`FAILED ${name}: ${why}`);
  const unseen = failures.length - SHOWN_FAILURES;
  if (unseen > 0) console.log(`... and ${unseen} more failures`);
  console.log(`${campaign.name}: ${passed} of ${total} passed (seed ${seed})`);
  return failures.length === 0 ? 0 : 1;
}
