import { wholeAnswer } from "./test/faults.ts";
import { subjects } from "./test/subjects.ts";
import { runCampaign } from "@omp/testkit";
import campaign from "./campaigns/provider-faults.ts";
for (const s of subjects) console.log(s.api, (await wholeAnswer(s)).body.length);
const t = performance.now();
const r = await runCampaign(campaign, { seed: 1 });
console.log(r.passed, r.total, r.failures.length, JSON.stringify(r.failures.slice(0, 25), null, 1), (performance.now()-t)/1000);
