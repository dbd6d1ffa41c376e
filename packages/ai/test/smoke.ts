import { modelOf, providers, stream } from "../src/index.ts";
import { systemClock } from "@omp/std";
import { scriptedModel, turn, say, think, callTool, fail } from "@omp/testkit";
for (const p of providers) {
  await using m = await scriptedModel([turn(think("hmm let me think about it"), say("Hello world"), callTool("read", {path:"a"}), callTool("bash", {command:"ls"})), fail(429,{headers:{"retry-after":"20"}}), turn(say("x".repeat(100))).with({fault:{kind:"cut",atByte:700}}),turn(say("x".repeat(100))).with({fault:{kind:"reset",atByte:700}}), turn(say("x".repeat(100))).with({fault:{kind:"silence",atByte:700}})]);
  const model = modelOf(p, p.models[0]!.id, m.environment());
  const req = { model, systemPrompt: "sys", messages: [{role:"user" as const, content:"hi", timestamp: 1}], tools: [{name:"read",description:"d",parameters:{type:"object",properties:{}}},{name:"bash",description:"d",parameters:{type:"object",properties:{}}}] };
  for (let i=0;i<5;i++) {
    const s = stream(req, { apiKey: "k", signal: AbortSignal.timeout(3000), clock: systemClock, timeouts: {idleMs: 300} });
    const t: string[] = [];
    for await (const e of s) t.push(e.type);
    const r = await s.result;
    console.log(t.join(" "), JSON.stringify(r.message, null, 0), r.type === "error" ? r.fault : "");
  }
  const s2 = stream({...req, model: {...model, baseUrl: "http://127.0.0.1:1"}}, { apiKey: "k", signal: AbortSignal.timeout(3000), clock: systemClock });
  console.log((await s2.result).message.errorMessage);
  const s3 = stream({...req, model: {...model, baseUrl: "http://nowhere.invalid"}}, { apiKey: "k", signal: AbortSignal.timeout(3000), clock: systemClock });
  console.log((await s3.result).message.errorMessage);
  const s4 = stream({...req, model: {...model, baseUrl: "garbage"}}, { apiKey: "k", signal: AbortSignal.timeout(3000), clock: systemClock });
  console.log((await s4.result).message.errorMessage);
  console.log(m.requests.map(r => r.refusal));
}
