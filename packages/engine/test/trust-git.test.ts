/** What a repository's git configuration would run, and that our own git children do not. */

import { workspace, type Workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { parseGitConfig } from "../src/trust/git-config.ts";
import { gitRisks, quietDiff, quietGit } from "../src/trust/git-risks.ts";

test("the configuration is read as git reads it", () => {
  const text = [
    "\uFEFF[core] bare",
    '\tFsMonitor = "a \\"b\\" ; c" ; gone',
    '[Filter "My \\"x\\" = Y"]',
    "  clean = one \\",
    "two # gone",
    "[diff.old] textConv=x",
    "# nothing",
  ].join("\r\n");
  expect(parseGitConfig(text, "f")).toEqual([
    { key: "core.bare", value: "true", file: "f" },
    { key: "core.fsmonitor", value: 'a "b" ; c', file: "f" },
    { key: 'filter.My "x" = Y.clean', value: "one two", file: "f" },
    { key: "diff.old.textconv", value: "x", file: "f" },
  ]);
});

test("every way that git can be made to run or redirect is named, with its file", async () => {
  await using place = await workspace({ git: true });
  const wanted: readonly (readonly [string, string])[] = [
    ["core.fsmonitor", "evil"],
    ["core.hooksPath", "evil"],
    ["core.sshCommand", "evil"],
    ["core.pager", "evil"],
    ["core.editor", "evil"],
    ["core.gitProxy", "evil"],
    ["pager.log", "evil"],
    ["diff.external", "evil"],
    ["diff.x.textconv", "evil"],
    ["diff.x.command", "evil"],
    ["filter.a=b.clean", "evil"],
    ["filter.x.smudge", "evil"],
    ["filter.x.process", "evil"],
    ["merge.x.driver", "evil"],
    ["alias.st", "!evil"],
    ["credential.helper", "!evil"],
    ["credential.https://x.helper", "evil"],
    ["gpg.program", "evil"],
    ["gpg.ssh.program", "evil"],
    ["remote.o.uploadpack", "evil"],
    ["remote.o.url", "ext::evil"],
    ["submodule.x.update", "!evil"],
    ["trailer.x.command", "evil"],
    ["url.https://evil/.insteadOf", "https://good/"],
    ["http.sslVerify", "false"],
    ["http.proxy", "http://evil"],
    ["protocol.ext.allow", "always"],
  ];
  for (const [key, value] of wanted) await place.git("config", key, value);
  const found = gitRisks(place.path);
  expect(found.map(({ key }) => key.toLowerCase()).sort()).toEqual(
    wanted.map(([key]) => key.toLowerCase()).sort(),
  );
  expect(found.every(({ file }) => file === join(place.path, ".git/config"))).toBe(true);
});

test("ordinary settings are no risk; included files and work trees are looked into", async () => {
  await using place = await workspace({ git: true });
  await place.git("config", "core.fsmonitor", "true");
  await place.git("config", "alias.st", "status -sb");
  await place.git("config", "remote.origin.url", "git@example.com:a/b.git");
  expect(gitRisks(place.path)).toEqual([]);
  await place.write(".git/more", "[core]\nsshCommand = evil\n");
  await place.git("config", "include.path", "more");
  expect(gitRisks(place.path).map(({ key }) => key)).toEqual(["include.path", "core.sshcommand"]);
  await place.git("worktree", "add", "--quiet", join(place.home, "tree"));
  expect(gitRisks(join(place.home, "tree")).map(({ key }) => key)).toContain("core.sshcommand");
});

test("a git child of ours runs none of it, where git as it is does", async () => {
  for (const isQuiet of [false, true]) {
    await using place = await hostile();
    const env = { PATH: process.env["PATH"] ?? "", HOME: place.home };
    const quiet = isQuiet ? quietGit(place.path) : {};
    for (const words of [
      ["status"],
      ["diff", ...(isQuiet ? quietDiff : [])],
      ["add", "--all"],
      ["checkout", "--", "."],
      ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "--message=x"],
    ]) {
      const { exitCode } = Bun.spawnSync(["git", ...words], {
        cwd: place.path,
        env: { ...env, ...quiet },
      });
      expect({ words, exitCode }).toEqual({ words, exitCode: 0 });
    }
    const ran = CANARIES.filter((name) => existsSync(join(place.home, name)));
    expect({ isQuiet, ran }).toEqual({ isQuiet, ran: isQuiet ? [] : CANARIES });
  }
});

const CANARIES = ["external", "filter", "fsmonitor", "hook"];

/** Each way leaves a file of its name in the home. */
async function hostile(): Promise<Workspace> {
  const place = await workspace({
    git: true,
    files: { "a.txt": "1\n", ".gitattributes": "*.txt filter=a=b\n" },
  });
  const trap = async (name: string, end = "cat") => {
    const path = await place.write(
      `../home/${name}.sh`,
      `#!/bin/sh\ntouch ${place.home}/${name}\n${end}\n`,
    );
    chmodSync(path, 0o755);
    return path;
  };
  await place.write("a.txt", "2\n");
  await place.git("config", "core.fsmonitor", await trap("fsmonitor", "exit 1"));
  await place.git("config", "diff.external", await trap("external"));
  await place.git("config", "filter.a=b.clean", await trap("filter"));
  await place.git("config", "filter.a=b.smudge", "cat");
  await place.git("config", "filter.a=b.required", "true");
  await place.git("config", "core.hooksPath", join(place.home, "hooks"));
  const hook = await place.write(
    "../home/hooks/pre-commit",
    `#!/bin/sh\ntouch ${place.home}/hook\n`,
  );
  chmodSync(hook, 0o755);
  return place;
}
