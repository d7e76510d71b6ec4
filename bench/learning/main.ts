/** `npm run bench:learning -- [--seed N] [--agents N] [--healthy N] [--healthy-runs N] [--garden-runs N] [--verbose] [--json]` */
import { parseArgs } from "node:util";
import { agentOf } from "./agent.ts";
import { sampleGardens } from "./garden-sample.ts";
import { type Measured, measureFaulty, measureHealthy } from "./measure.ts";
import { reportOf, tableOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "101" },
    agents: { type: "string", default: "110" },
    healthy: { type: "string", default: "100" },
    "healthy-runs": { type: "string", default: "1000" },
    "garden-runs": { type: "string", default: "60" },
    verbose: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const [seed, agents, healthyAgents, healthyRuns] = [
  values.seed,
  values.agents,
  values.healthy,
  values["healthy-runs"],
].map(Number) as [number, number, number, number];
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const measured: Measured[] = [];
for (let n = 0; n < agents; n++) {
  const one = measureFaulty(agentOf(seed, n));
  measured.push(one);
  if ((n + 1) % 20 === 0) tell(`${n + 1} of ${agents} agents with a fault`);
  const missed = !one.located || !one.raised || !one.repaired || one.right < one.claims;
  if (values.verbose && missed) tell(missedWords(one));
}
let alarms = 0;
for (let n = 0; n < healthyAgents; n++) {
  const { alarmAt, finding } = measureHealthy(agentOf(seed, n), healthyRuns);
  if ((n + 1) % 20 === 0) tell(`${n + 1} of ${healthyAgents} healthy agents`);
  if (alarmAt === undefined) continue;
  alarms++;
  tell(`false alarm at agent ${n} after ${alarmAt} runs: ${finding?.words.en}`);
}
const garden = await sampleGardens(seed, Number(values["garden-runs"]), tell);
const report = reportOf(seed, measured, { agents: healthyAgents, runs: healthyRuns, alarms }, garden);
console.log(tableOf(measured));
console.log(JSON.stringify(report));

function missedWords({
  agent,
  located,
  raised,
  repaired,
  top,
  proposed,
  rates,
  claims,
  right,
  perVisit,
  share,
}: Measured): string {
  const figures = [rates.healthy, rates.faulty, rates.repaired ?? 0, share, perVisit]
    .map((one) => one.toFixed(3))
    .join(" ");
  return [
    `${agent.name} ${agent.kind}, ${agent.shape}: located ${located}, raised ${raised}, repaired ${repaired}, claims ${right}/${claims}`,
    `   healthy, faulty, repaired, share, per visit: ${figures}`,
    `   ${top?.words.en ?? "nothing found"}`,
    `   ${proposed?.words.en ?? "nothing proposed"}`,
  ].join("\n");
}
