/** `rule://<name>`: the text of a rule that the prompt tells of. Those that wait for a pattern cannot be read. */

import { ToolFailure } from "@omp/agent";
import { splitRules } from "../context/sections/rules.ts";
import type { Discovery } from "../discovery/discovery.ts";
import { available, type Scheme } from "./scheme.ts";

export function ruleScheme(discovery: Pick<Discovery, "find">): Scheme {
  return {
    async find({ host, path }) {
      const wanted = path === "" ? host : `${host}/${path}`;
      const { always, rulebook } = splitRules(discovery.find("rule").items);
      const rules = [...always, ...rulebook];
      const rule = rules.find(({ name }) => name === wanted);
      if (!rule) {
        throw new ToolFailure(
          `Unknown rule: ${wanted}\n${available(rules.map(({ name }) => name))}`,
        );
      }
      return { contentType: "text/markdown", text: () => Promise.resolve(rule.content) };
    },
  };
}
