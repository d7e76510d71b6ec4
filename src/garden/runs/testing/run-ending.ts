import { canonicalJson } from "../../../base/canonical.ts";
import { keys, MAIN_REF } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import { readJournal } from "../../core/flow/journal.ts";
import { closeFound, findGarden, type Garden, type GardenPorts } from "../../core/garden.ts";
import { verifyGarden } from "../../insight/verify/verify.ts";
import { readMemory } from "../../records/memory/memory-state.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { agentSlugs } from "../../records/status.ts";
import { readEdges } from "../../sessions/edge-stream.ts";
import { sessionHeads, sessionLog } from "../../sessions/topology.ts";
import { RUN_FINISHED } from "../end-run.ts";
import { openRequests, requestsOf } from "../hold.ts";
import { openRunIds } from "../open-runs.ts";
import { manifestOf } from "./agent-ground.ts";
import { recordsIn, runsIn } from "./run-life.ts";

/** The state of a garden when its runs have ended, without times and ids. It must not depend on kills. */
export interface Ending {
  readonly manifests: readonly string[];
  readonly steps: readonly string[];
  readonly answers: readonly string[];
  /** The target and state of every proposal: a duplicate is listed twice. */
  readonly proposals: readonly string[];
  readonly memory: readonly string[];
  /** The commits of every session by kind, the files of its head, and the edges between sessions. */
  readonly sessions: readonly string[];
  /** All audit records, without those about calls in flight at a kill. */
  readonly told: readonly string[];
  readonly open: readonly string[];
  /** The findings of `bloom verify`. */
  readonly findings: readonly string[];
}

export interface Looked {
  readonly ending: Ending;
  /** `run/position-name` of every step on record. */
  readonly records: readonly string[];
  /** How often a person was asked whether a call in flight may be repeated. */
  readonly asked: number;
  /** Calls of tools in their order, with their inputs, and how the one run ended: for comparing with the interpreter. */
  readonly calls: readonly string[];
  readonly status: string;
}

/** The findings of `bloom verify` in a closed garden. */
export async function findingsIn(ground: GardenPorts, dir: string): Promise<string[]> {
  const found = await findGarden(ground, dir);
  try {
    return (await verifyGarden(found)).map(({ check, where, what }) => plain(`${check} ${where} ${what.en}`));
  } finally {
    await closeFound(found);
  }
}

/** The state that can be read in an open garden; the findings of `verify` are added when it is closed. */
export async function lookInto(garden: Garden): Promise<Looked> {
  const { store } = garden;
  // Reading the open questions also removes answered ones from the view.
  const questions = await openRequests(garden);
  const manifests: string[] = [];
  const steps: string[] = [];
  const answers: string[] = [];
  const calls: string[] = [];
  let [asked, status] = [0, ""];
  for (const place of await runsIn(garden)) {
    const { records } = (await readJournal(store, place))!;
    const { journal: _, denied_calls: denied = 0, ...manifest } = await manifestOf(garden, place);
    status = manifest.status;
    manifests.push(plain(JSON.stringify({ ...manifest, denied })));
    for (const { position, name, icon = "", kind, input, failure, proposals } of records) {
      steps.push(
        plain(
          `${place.slug} ${manifest.forked_from ? "fork" : "run"} ${position} ${name} ${icon} ${failure?.code ?? ""} ${proposals.length}`,
        ),
      );
      if (kind === "tool") calls.push(`${name} ${canonicalJson(input)}`);
    }
    for (const { request, answer } of await requestsOf(store, place)) {
      if (request.reason === "asked") answers.push(plain(`${request.ask.question} ${JSON.stringify(answer?.value)}`));
      else asked++;
    }
  }
  return {
    asked,
    calls,
    status,
    records: await recordsIn(garden),
    ending: {
      manifests: manifests.toSorted(),
      steps: steps.toSorted(),
      answers,
      proposals: await proposalsIn(garden),
      memory: await memoriesIn(garden),
      sessions: await sessionsIn(garden),
      told: await toldIn(garden),
      open: [
        ...(await openRunIds(store)),
        ...questions.map(({ id }) => id),
        ...(await keysOf(garden, keys.openRequests)),
        ...(await keysOf(garden, keys.pendingEvents)),
      ],
      findings: [],
    },
  };
}

async function proposalsIn(garden: Garden): Promise<string[]> {
  const ids = new Set((await keysOf(garden, "proposals/")).flatMap((key) => /prop_[^/.]+/.exec(key) ?? []));
  const about = await Promise.all(
    [...ids].map(async (id) => {
      const { target, status, forked_from } = await readProposal(garden.store, id);
      return `${target} ${status}${forked_from === undefined ? "" : " of a fork"}`;
    }),
  );
  return about.toSorted();
}

async function memoriesIn({ store, repo }: Garden): Promise<string[]> {
  const head = (await repo.resolve(MAIN_REF))!;
  const found: string[] = [];
  for (const slug of await agentSlugs(store)) {
    const { files, version } = await readMemory(repo, head, slug);
    found.push(plain(`${slug} ${version} ${JSON.stringify(files)}`));
  }
  return found;
}

async function sessionsIn({ repo }: Garden): Promise<string[]> {
  const agentOf = (name: string): string => name.replace(/-[^-]*$/, "");
  const found: string[] = [];
  for (const { name, head } of await sessionHeads(repo)) {
    const kinds = (await sessionLog(repo, name)).commits.map(({ typed }) => typed?.kind);
    const files = (await repo.list(head, "notes")).map(({ path }) => path);
    found.push(`${agentOf(name)} ${kinds.join()} ${files.join()}`);
  }
  const edges = (await readEdges(repo)).all().map(({ kind, from, to }) => `${agentOf(from)} ${kind} ${agentOf(to)}`);
  return [...found, ...edges].toSorted();
}

/** Records of one second are ordered by name, so their order says nothing about time. */
async function toldIn(garden: Garden): Promise<string[]> {
  const told: string[] = [];
  for (const key of await keysOf(garden, "audit/")) {
    const { kind, subject, details } = JSON.parse(Buffer.from((await garden.store.get(key))!.bytes).toString()) as {
      kind: string;
      subject: string;
      details: Record<string, unknown>;
    };
    // Only a kill makes this question necessary. Its id ends with the position of the call in flight.
    const inDoubt = details["reason"] === "in-flight" || /^req_.*_[c-m]\d+$/.test(subject);
    if (!inDoubt) told.push(plain(`${kind} ${subject} ${details["event"] === RUN_FINISHED ? RUN_FINISHED : ""}`));
  }
  return told.toSorted();
}

async function keysOf({ store }: Garden, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
}

const plain = (text: string): string =>
  text
    .replace(/\b(prop|run|req|inbox)_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]+/g, "$1")
    .replace(/\b(prop|in)_[\w-]+/g, "$1")
    .replace(/\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?/g, "time")
    .replace(/\b\d{2}:\d{2}(?::\d{2})?\b/g, "time")
    .replace(/\b[0-9a-f]{40}\b/g, "hash");
