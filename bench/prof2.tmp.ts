import { SessionLog, contextOf } from "@omp/session";
import { systemClock, systemRandom } from "@omp/std";
const p="/tmp/omp-bench-resume-100000.jsonl";
for(let i=0;i<3;i++){const a=performance.now();
const log=await SessionLog.open({path:p,clock:systemClock,random:systemRandom});const b=performance.now();contextOf(log.branch());console.log(b-a,performance.now()-b);await log.close();}
